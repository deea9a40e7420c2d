// What a person has to read, and what a second grading changed.

import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import {
  answers,
  for_person,
  grade,
  grade_json,
  read_csv,
  workspace,
} from "./answers.mjs";

const { folder, write } = workspace("review");

const good = write("class/1-good.json", answers("Ada"));
const person = write("class/2-person.json", for_person("=cmd()"));
const broken = write("class/3-broken.json", "{");
const all = path.join(folder, "class");

const listed = (inputs, format = "text") =>
  grade([...inputs, "--list-review", "--format", format]);

function expected(inputs) {
  const { results, errors } = grade_json(inputs);
  const waiting = results.flatMap(({ source, scenario, questions }) =>
    questions.flatMap(({ criteria }) =>
      criteria
        .filter(({ verdict }) => verdict === "review")
        .map(({ id, evidence, says }) => ({
          source,
          scenario,
          criterion: id,
          evidence,
          says,
        })),
    ),
  );
  return { waiting, errors };
}

test("the review list is every criterion in review, with its words, and no other", () => {
  const { waiting, errors } = expected([all]);
  assert.ok(waiting.length > 0);
  assert.equal(errors.length, 1);
  const reply = JSON.parse(listed([all], "json").out);
  assert.equal(reply.schema, "meshwise.review/1");
  assert.equal(reply.review.length, waiting.length + errors.length);
  waiting.forEach((want, i) => {
    const { source, scenario, criterion, evidence, says } = reply.review[i];
    assert.deepEqual({ source, scenario, criterion, evidence, says }, want);
    assert.ok(reply.review[i].max > 0);
    assert.match(reply.review[i].note, /^q\d\./);
  });
  const last = reply.review.at(-1);
  assert.equal(last.source, broken);
  assert.ok(!("criterion" in last));
});

test("as text each passage has its file, scenario, criterion and quote", () => {
  const { waiting, errors } = expected([all]);
  const { code, out } = listed([all]);
  assert.equal(code, 1);
  const flat = out.replaceAll(/\s+/g, " ");
  for (const { criterion, evidence } of waiting) {
    assert.ok(flat.includes(`scenario A, ${criterion}, at most`), criterion);
    if (evidence?.text) assert.match(out, /^ {2}> "/m);
  }
  assert.match(
    out,
    new RegExp(`^${waiting.length + errors.length} to read$`, "m"),
  );
  assert.doesNotMatch(out, /1-good/);
});

test("as CSV it is a sheet to work through, formulas disarmed", () => {
  const { out } = listed([all], "csv");
  const [header, ...rows] = read_csv(out);
  assert.deepEqual(header.slice(3, 8), [
    "scenario",
    "criterion",
    "max",
    "evidence",
    "says",
  ]);
  for (const row of rows) assert.equal(row.length, header.length);
  for (const row of rows) {
    for (const cell of row) assert.doesNotMatch(cell, /^[=+@]/);
  }
});

test("with nothing to read it says so", () => {
  const { code, out } = listed([good]);
  assert.equal(code, 0);
  assert.equal(out, "Nothing is left to a person.\n");
  assert.deepEqual(JSON.parse(listed([good], "json").out).review, []);
});

// ---- compare ----

function graded_to(name, inputs) {
  const file = path.join(folder, name);
  grade([...inputs, "--json", "--out", file]);
  return file;
}

const compared = (inputs, old, format = "json") =>
  grade([...inputs, "--compare", old, "--format", format]);

test("the same answers under the same rubric compare as unchanged", () => {
  const old = graded_to("same.json", [good, person]);
  const { code, out } = compared([good, person], old);
  assert.equal(code, 0);
  const reply = JSON.parse(out);
  assert.equal(reply.schema, "meshwise.compare/1");
  assert.deepEqual(reply.changed, []);
  assert.equal(reply.totals.compared, 2);
  assert.equal(reply.totals.changed, 0);
  assert.ok(reply.version.same && reply.rubric_digest.same);
  assert.ok(reply.scenarios.every(({ same }) => same));
  const { out: text } = compared([good, person], old, "text");
  assert.match(text, /^0 of 2 changed, 0 higher, 0 lower; marks /);
});

test("a changed answer shows each mark, from which note to which", () => {
  const file = write("change/a.json", answers("Ada"));
  const old = graded_to("change.json", [file]);
  write("change/a.json", answers("Ada", { q4: { mode: "bubble" } }));
  const reply = JSON.parse(compared([file], old).out);
  assert.equal(reply.changed.length, 1);
  const [{ source, student, scenario, score, criteria }] = reply.changed;
  assert.deepEqual([source, student, scenario], [file, "Ada", "A"]);
  assert.deepEqual(score, { before: 25, after: 20 });
  const mode = criteria.find(({ id }) => id === "q4.mode");
  assert.deepEqual(mode.before, {
    score: 3,
    verdict: "pass",
    note: "q4.mode.holds",
  });
  assert.equal(mode.after.note, "q4.mode.does_not_hold");
  assert.equal(reply.totals.lower, 1);
  assert.deepEqual(reply.totals.score, { before: 25, after: 20 });
  const { out } = compared([file], old, "text");
  assert.match(out, /scenario A: 25 -> 20/);
  assert.match(
    out.replaceAll(/\s+/g, " "),
    /q4\.mode: 3 q4\.mode\.holds -> 0 q4\.mode\.does_not_hold/,
  );
});

test("another version, rubric or scenario is told", () => {
  const old = grade_json([good]);
  old.version = "0.9.0";
  old.rubric_digest = "feed";
  old.results[0].scenario_digest = "beef";
  const file = write("older.json", JSON.stringify(old));
  const reply = JSON.parse(compared([good], file).out);
  assert.equal(reply.version.before, "0.9.0");
  assert.equal(reply.version.same, false);
  assert.equal(reply.rubric_digest.same, false);
  assert.deepEqual(
    reply.scenarios.map(({ scenario, same }) => [scenario, same]),
    [["A", false]],
  );
  const { out } = compared([good], file, "text");
  assert.match(out, /The program's version differs: 0\.9\.0, now /);
  assert.match(out, /The rubric differs: feed, now /);
  assert.match(out, /Scenario A differs: beef, now /);
});

test("submissions that only one of the two has are listed apart", () => {
  const old = graded_to("only.json", [person]);
  const reply = JSON.parse(compared([good], old).out);
  assert.deepEqual(
    reply.only_before.map(({ source }) => source),
    [person],
  );
  assert.deepEqual(
    reply.only_after.map(({ source }) => source),
    [good],
  );
  assert.equal(reply.totals.compared, 0);
});

const kNoGrading = [
  ["no JSON", "{", /--compare \S+:1:\d+: no valid JSON/],
  ["another document", '{"schema":"x/1"}', /no meshwise\.grade\/1/],
  ["no results", '{"schema":"meshwise.grade/1"}', /no meshwise\.grade\/1/],
];

for (const [name, text, says] of kNoGrading) {
  test(`a former result that is ${name} is refused in one line`, () => {
    const file = write("wrong.json", text);
    const { code, out, err } = compared([good], file);
    assert.equal(code, 2);
    assert.equal(out, "");
    assert.match(err, says);
    assert.match(err, /accepted: what grade --format json wrote\n$/);
  });
}

test("a former result with values of wrong kinds is compared as far as it goes", () => {
  const file = write(
    "odd.json",
    JSON.stringify({
      schema: "meshwise.grade/1",
      results: [
        7,
        { source: good, scenario: "A", score: "x", questions: [1, {}] },
        { source: 3, scenario: [], questions: 4 },
      ],
    }),
  );
  const { code, out } = compared([good], file);
  assert.equal(code, 0);
  assert.equal(JSON.parse(out).totals.compared, 1);
});
