// A batch's document and its output files: the same shape whatever could be
// read, and nothing lost that was there before.

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { for_person } from "./answers.mjs";
import { run } from "./run.mjs";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "meshwise-batch-"));
test.after(() => fs.rmSync(folder, { recursive: true }));

function write(name, text) {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

const answers = (student) =>
  JSON.stringify({
    schema: "meshwise.answers/1",
    student,
    answers: [{ scenario: "A", q1: { constraint: "throughput" } }],
  });
const good = write("good.json", answers("Ada"));
const bad = write("bad.json", "{");
const grade = (...args) => run("meshwise grade", { args });

test("the document is the same kind whether or not anything could be read", () => {
  const empty = path.join(folder, "empty");
  fs.mkdirSync(empty);
  const whole = JSON.parse(grade(good, "--json").out);
  for (const inputs of [[bad], [bad, good], [empty], ["no-such-file", good]]) {
    const { code, out } = grade(...inputs, "--json");
    const reply = JSON.parse(out);
    assert.equal(code, 1);
    assert.deepEqual(Object.keys(reply), Object.keys(whole));
    assert.equal(reply.schema, "meshwise.grade/1");
    assert.equal(reply.rubric_digest, whole.rubric_digest);
    assert.equal(reply.errors.length, 1);
    assert.equal(reply.errors[0].source, inputs[0]);
    assert.deepEqual(reply.results, inputs.length > 1 ? whole.results : []);
  }
});

test("a broken file is named with where it is broken", () => {
  const { code, out, err } = grade(bad);
  assert.equal(code, 1);
  assert.equal(out, "");
  assert.match(err, /^meshwise: \S*bad\.json: .*line 1.*\n$/);
});

test("folders are read at any depth in the order of names, hidden files not", () => {
  write("class/b/2.json", answers("B"));
  write("class/a.markdown", run("meshwise sheet A").out);
  write("class/c.JSON", answers("C"));
  write("class/.git/d.json", answers("D"));
  write("class/notes.pdf", "%PDF");
  const { code, out } = grade(path.join(folder, "class"), "--json");
  assert.equal(code, 0);
  const sources = JSON.parse(out).results.map(({ source }) =>
    path.relative(path.join(folder, "class"), source),
  );
  assert.deepEqual(sources, ["a.markdown", "b/2.json", "c.JSON"]);
});

test("worked explanations are there when asked for, and only then", () => {
  const worked = (result) =>
    result.questions.flatMap(({ criteria }) =>
      criteria.filter((criterion) => "worked" in criterion),
    );
  const [plain] = JSON.parse(grade(good, "--json").out).results;
  const [full] = JSON.parse(grade(good, "--json", "--worked").out).results;
  assert.equal(worked(plain).length, 0);
  assert.ok(worked(full).length > 0);
  assert.doesNotMatch(grade(good).out, /Worked:/);
  assert.match(grade(good, "--worked").out, /Worked:/);
});

test("the text ends with the totals and what a person must look at", () => {
  const odd = write("odd.json", for_person("Bo"));
  const { code, out } = grade(good, odd);
  assert.equal(code, 0);
  assert.match(out, /^Totals$/m);
  const [, list] = out.split("To review by hand\n");
  assert.match(list, /odd\.json, scenario\s+A,\s+q4\.mode: /);
});

test("an unknown scenario is a mistake of the command line", () => {
  const { code, err } = grade(good, "--scenario", "Z");
  assert.equal(code, 2);
  assert.match(err, /^meshwise: --scenario Z: .*A, B, C, D\n$/);
});

test("an output file is replaced whole, through a link to it", () => {
  const target = write("marks.json", "old");
  const link = path.join(folder, "link.json");
  fs.symlinkSync(target, link);
  assert.equal(grade(good, "--json", "--out", link).code, 0);
  assert.ok(fs.lstatSync(link).isSymbolicLink());
  assert.equal(JSON.parse(fs.readFileSync(target, "utf8")).results.length, 1);
  const left = fs.readdirSync(folder).filter((name) => /partial/.test(name));
  assert.deepEqual(left, []);
});

test("an output file that cannot be written is a mistake, and stays as it was", () => {
  const kept = path.join(folder, "kept");
  fs.mkdirSync(kept);
  for (const out of [kept, path.join(folder, "no", "marks.json")]) {
    const { code, err } = grade(good, "--out", out);
    assert.equal(code, 2);
    assert.match(err, /^meshwise: --out [^\n]+\n$/);
  }
  assert.deepEqual(fs.readdirSync(kept), []);
});
