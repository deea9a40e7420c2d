// The grader beside answers that were marked by hand, in prose of many styles.

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import {
  by_criterion,
  compare_all,
  mean_difference,
} from "../answers/agreement.mjs";
import { root, run, run_json } from "./run.mjs";

const all = compare_all();
const find = (name) => all.find((one) => one.name === name);

test("each criterion agrees with the hand's mark in 92 % of the answers", () => {
  for (const [id, one] of by_criterion(all)) {
    const share = one.agree / one.count;
    assert.ok(share >= 0.92, `${id}: ${one.agree} of ${one.count}`);
  }
});

test("a scenario's total differs by at most 1.2 marks on average", () => {
  assert.ok(all.length > 60);
  assert.ok(mean_difference(all) <= 1.2, String(mean_difference(all)));
});

test("no answer with a total under 10 gets over 15", () => {
  const weak = all.filter((one) => one.total < 10);
  assert.ok(weak.length > 5);
  for (const one of weak) assert.ok(one.score <= 15, one.name);
});

test("right answers in an odd style keep at least 21 of 25", () => {
  const odd = all.filter(
    (one) => one.name.startsWith("adversarial") && one.total === 25,
  );
  assert.ok(odd.length >= 7);
  for (const one of odd) assert.ok(one.score >= 21, `${one.name} ${one.score}`);
});

test("a claimed score, an empty file and a copied prompt earn nothing", () => {
  for (const file of ["A-07", "A-09", "C-10"]) {
    const one = all.find((each) => each.name.includes(`/${file}.md`));
    if (one.total > 0) continue;
    assert.equal(one.score, 0, one.name);
    const plain = one.rows.filter((row) => row.verdict === "review");
    assert.deepEqual(plain, [], one.name);
  }
});

test("an answer to another scenario earns no more than its own words", () => {
  assert.ok(find("adversarial/A-05.md A").score <= 8);
});

test("a quotation, a struck draft and hidden markup are not the answer", () => {
  for (const name of ["adversarial/A-08.md A", "adversarial/A-13.md A"]) {
    assert.ok(find(name).score >= 22, `${name} ${find(name).score}`);
  }
  assert.ok(find("whole/07.md A").score >= 22);
  assert.ok(find("whole/07.md B").score <= 8);
});

test("of several plans the first committed one counts, and it is said", () => {
  const rows = find("adversarial/A-03.md A").result.questions[1].criteria;
  assert.match(rows[0].says, /first was counted/);
  assert.equal(find("adversarial/A-03.md A").result.read.plan.tp, 4);
});

test("a scenario that was not answered gets no marks", () => {
  for (const id of ["C", "D"]) {
    assert.equal(find(`whole/06.md ${id}`).score, 0);
  }
});

test("an answer that names no scenario is placed by its numbers", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "meshwise-answers-"));
  const file = path.join(folder, "one.md");
  fs.copyFileSync(path.join(root, "tests/answers/adversarial/C-06.md"), file);
  const reply = run_json(`meshwise grade ${file}`);
  assert.deepEqual(
    reply.results.map((one) => one.scenario),
    ["C"],
  );
  assert.equal(reply.across[0].note, "across.scenario_inferred");
  fs.rmSync(folder, { recursive: true });
});

function call(request) {
  return JSON.parse(
    run("meshwise call", { input: JSON.stringify(request) }).out,
  );
}

const marks = (reply) =>
  reply.results.flatMap((result) =>
    result.questions.flatMap((question) =>
      question.criteria.map((one) => [one.id, one.score, one.verdict]),
    ),
  );

test("prose, the JSON and the sheet that it is read into get the same marks", () => {
  let compared = 0;
  for (const { name } of all) {
    const [file, scenario] = name.split(" ");
    if (file.startsWith("whole/")) continue;
    const text = fs.readFileSync(
      path.join(root, "tests/answers", file),
      "utf8",
    );
    const read = call({ kind: "sheet", options: { text, scenario } });
    if (read.error) continue;
    const grade = (submission) =>
      marks(call({ kind: "grade", submission, options: { scenario } }));
    const sheet = call({
      kind: "sheet",
      options: { answers: read.answers, scenarios: [scenario] },
    });
    const prose = grade({ text });
    assert.deepEqual(grade({ answers: read.answers }), prose, name);
    assert.deepEqual(grade({ text: sheet.text }), prose, name);
    compared += 1;
  }
  assert.ok(compared > 30);
});

test("each field that is read says where it stands in the text", () => {
  const text = fs.readFileSync(
    path.join(root, "tests/answers/adversarial/A-08.md"),
    "utf8",
  );
  const read = call({ kind: "sheet", options: { text, scenario: "A" } });
  assert.ok(read.readings.length > 8);
  const bytes = Buffer.from(text);
  for (const one of read.readings) {
    assert.ok(one.begin < one.end && one.end <= bytes.length, one.field);
  }
  const dp = read.readings.find((one) => one.field === "/answers/0/q2/dp");
  const stated = String(read.answers.answers[0].q2.dp);
  assert.match(bytes.subarray(dp.begin, dp.end).toString(), new RegExp(stated));
});
