// Variants through the command: the document, the id wherever an id is taken,
// a sheet that is filled by hand, and what a course writes of its own.

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { root, run, run_json } from "./run.mjs";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "meshwise-variant-"));
test.after(() => fs.rmSync(folder, { recursive: true }));

function write(name, text) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  return file;
}

const moe = path.join(root, "docs/examples/moe.json");

test("a variant is a document of its own, and passes the check", () => {
  const { code, out } = run("meshwise scenario variant A --seed 7 --json");
  assert.equal(code, 0);
  const document = JSON.parse(out);
  assert.equal(document.id, "A#7");
  assert.equal(document.variant, undefined);
  assert.equal(document.cluster.gpus, 16);
  const file = write("a7.json", out);
  assert.match(
    run("meshwise scenario check", { args: [file] }).out,
    /scenario A#7 is right; its binding constraint is throughput\n$/,
  );
  const { plans } = run_json("meshwise plan --top 1", {
    args: ["--scenario", file],
  });
  assert.equal(plans[0].dp, 16);
});

test("as text it reads like any other scenario, with its own numbers", () => {
  const { out } = run("meshwise scenario variant A --seed 7");
  assert.match(out, /^Scenario A#7: /);
  assert.match(out, /16 GPUs/);
  assert.doesNotMatch(out, /[{}]|64 GPUs/);
  assert.equal(out, run("meshwise scenario show a#7").out);
});

test("an id with a seed is taken wherever an id is, in either case", () => {
  const lines = [
    ["meshwise plan --top 2 --scenario", "C#5"],
    ["meshwise decode --scenario", "D#5"],
    ["meshwise threshold --scenario", "C#5"],
    ["meshwise memory --scenario", "B#5"],
    ["meshwise sheet", "B#5"],
    ["meshwise scenario show", "B#5"],
  ];
  for (const [line, id] of lines) {
    const upper = run(line, { args: [id] });
    assert.equal(upper.code, 0, upper.err);
    assert.equal(run(line, { args: [id.toLowerCase()] }).out, upper.out, line);
    const base = run(line, { args: [id[0]] });
    assert.notEqual(base.out, upper.out, line);
  }
});

const kWrong = [
  ["meshwise plan --scenario E#1", /^meshwise: --scenario E#1: no scenario/],
  ["meshwise plan --scenario A#x", /--scenario A#x: the seed "x" is no whole/],
  ["meshwise plan --scenario A#4294967296", /0 to 4294967295/],
  ["meshwise sheet A A#-1", /the seed "-1" is no whole number/],
  ["meshwise scenario show A#", /the seed "" is no whole number/],
  ["meshwise scenario variant A", /variant: --seed is missing/],
  ["meshwise scenario variant A --seed -1", /--seed -1: .*0 to 4294967295/],
  ["meshwise scenario variant A --seed 1.5", /--seed 1.5: .*whole number/],
  ["meshwise scenario variant E --seed 1", /: E: no scenario named E; .*A, B/],
  ["meshwise scenario variant ./none --seed 1", /none: .*file/],
  ["meshwise grade --scenario A#x -", /--scenario A#x: the seed "x"/],
];
for (const [line, says] of kWrong) {
  test(`one line says what is wrong: ${line}`, () => {
    const { code, out, err } = run(line, { input: "# Answer sheet\n" });
    assert.equal(code, 2);
    assert.equal(out, "");
    assert.equal(err.trim().split("\n").length, 1, err);
    assert.match(err, says);
  });
}

// A sheet filled by hand: what is written behind the labels.
function fill(sheet, answers) {
  let out = sheet;
  for (const [label, value] of Object.entries(answers)) {
    const line = new RegExp(`^(- ${label}(?: \\([^)]*\\))?:)$`, "m");
    assert.match(out, line, label);
    out = out.replace(line, `$1 ${value}`);
  }
  return out;
}

const by_hand = {
  Constraint: "throughput",
  dp: "16",
  "Micro batch": "1",
  Recompute: "selective",
  "Unused axis": "tp",
  "Unused because": "4 all-reduces a layer would be on the critical path",
  "dp tier": "inter-node",
  "dp minimum bandwidth": "2.3",
  Parameter: "HBM",
  Threshold: "125.4",
  Unit: "GiB",
  Direction: "below",
};
const blank = run("meshwise sheet", { args: ["a#7"] }).out;
const filled = fill(blank, by_hand);

function marks(text) {
  const file = write("sheet.md", text);
  const { results, errors } = run_json("meshwise grade", { args: [file] });
  assert.deepEqual(errors, []);
  assert.equal(results.length, 1);
  const criteria = results[0].questions.flatMap((one) => one.criteria);
  return {
    ...results[0],
    of: Object.fromEntries(criteria.map(({ id, score }) => [id, score])),
  };
}

test("a variant's sheet states the id with the seed, and its own texts", () => {
  assert.match(blank, /^## Scenario A#7: /m);
  assert.match(blank, /A step takes 650 ms\. You are given all 16 GPUs/);
});

test("a right plan for the variant gets its marks, and would not in the base", () => {
  const own = marks(filled);
  assert.equal(own.scenario, "A#7");
  for (const [id, full] of [
    ["q1.kind", 3],
    ["q2.product", 1],
    ["q2.fits", 1],
    ["q2.good", 2],
    ["q2.unused", 1],
    ["q3.tiers", 2],
    ["q3.minimum", 2],
    ["q5.flips", 3],
  ]) {
    assert.equal(own.of[id], full, id);
  }
  const other = marks(filled.replace("## Scenario A#7", "## Scenario A"));
  assert.equal(other.scenario, "A");
  assert.equal(other.of["q2.product"], 0);
  assert.ok(other.score < own.score);
});

test("the seed of a heading counts in either case, and is re-derived", () => {
  const own = marks(filled);
  const lower = marks(filled.replace("## Scenario A#7", "## Scenario a#07"));
  assert.deepEqual(lower.of, own.of);
  assert.equal(lower.scenario, "A#7");
  assert.equal(lower.scenario_digest, own.scenario_digest);
  assert.notEqual(
    marks(filled.replace("A#7", "A#8")).scenario_digest,
    own.scenario_digest,
  );
});

test("answers as JSON name a variant too, and fill its sheet", () => {
  const answers = {
    schema: "meshwise.answers/1",
    student: "Ada",
    answers: [{ scenario: "a#7", q2: { dp: 16 } }],
  };
  const file = write("answers.json", JSON.stringify(answers));
  const { results } = run_json("meshwise grade", { args: [file] });
  assert.equal(results[0].scenario, "A#7");
  assert.equal(results[0].questions[1].criteria[0].score, 1);
  const sheet = run("meshwise sheet", { args: ["A#7", "--answers", file] }).out;
  assert.match(sheet, /^- dp: 16$/m);
});

test("an answer to a variant that there is not is told, and does not stop", () => {
  const text = filled.replace("A#7", "A#99999999999");
  const file = write("bad.md", text);
  const good = write("good.md", filled);
  const { code, out, err } = run("meshwise grade --json", {
    args: [file, good],
  });
  assert.equal(code, 1);
  const reply = JSON.parse(out);
  assert.equal(reply.results.length, 1);
  assert.equal(reply.errors.length, 1);
  assert.match(err, /the seed "99999999999" is no whole number/);
});

test("the example with experts is right, and its plan spreads them", () => {
  assert.match(
    run("meshwise scenario check", { args: [moe] }).out,
    /scenario E is right; its binding constraint is memory-state; it has var/,
  );
  const { plans } = run_json("meshwise plan --top 1", {
    args: ["--scenario", moe],
  });
  assert.ok(plans[0].ep > 1);
});

test("a course's own scenario has variants that keep its story", () => {
  for (let seed = 0; seed < 10; ++seed) {
    const line = `meshwise scenario variant --json --seed ${seed}`;
    const { code, out, err } = run(line, { args: [moe] });
    assert.equal(code, 0, err);
    const file = write("e.json", out);
    const { plans, binding_constraint } = run_json("meshwise plan --top 1", {
      args: ["--scenario", file],
    });
    assert.equal(JSON.parse(out).id, `E#${seed}`);
    assert.equal(binding_constraint, "memory-state");
    assert.ok(plans[0].ep > 1, `E#${seed}`);
  }
});

test("a variant block that is wrong is told by line and place", () => {
  const text = fs.readFileSync(moe, "utf8");
  const line = (part) =>
    text.split("\n").findIndex((one) => one.includes(part)) + 1;
  const wrong = write("moe.json", text.replace("{active_size}", "{actve}"));
  const at = line('"prompt": "A mixture of experts is to be trained from');
  const prompt = text
    .split("\n")
    .findLastIndex((one) => one.includes('"prompt"'));
  assert.ok(prompt + 1 > at);
  const { code, err } = run("meshwise scenario check", { args: [wrong] });
  assert.equal(code, 1);
  assert.match(err, new RegExp(`moe\\.json:${prompt + 1}:\\d+: /variant/pro`));
  assert.match(err, /no value for \{actve\}/);
  const bad = run("meshwise scenario variant --seed 1", { args: [wrong] });
  assert.equal(bad.code, 2);
  assert.match(bad.err, /moe\.json:\d+:\d+: \/variant\/prompt: /);
});

test("a rubric is checked too: its marks, by line and place", () => {
  const file = path.join(root, "core/data/rubric.json");
  assert.match(
    run("meshwise scenario check", { args: [file] }).out,
    /the rubric is right; a training scenario is worth 25, a serving one 25/,
  );
  const text = fs.readFileSync(file, "utf8");
  const wrong = write("rubric.json", text.replace('"marks": 3', '"marks": 4'));
  const { code, err } = run("meshwise scenario check", { args: [wrong] });
  assert.equal(code, 1);
  assert.match(
    err,
    /rubric\.json:\d+:\d+: \/questions\/0\/marks: q1 is said to be worth 5, and/,
  );
});

// The blocks of the authoring guide: "$ meshwise …" and what it prints, up to
// an ellipsis.
test("the guide's commands print what it shows", () => {
  const guide = fs.readFileSync(path.join(root, "docs/authoring.md"), "utf8");
  const blocks = guide
    .split(/^ {4}\$ /m)
    .slice(1)
    .map((block) => block.split("\n"))
    .map(([line, ...rest]) => {
      const end = rest.findIndex((one) => /^\S|^ {4}…/.test(one));
      return { line, shown: rest.slice(0, end).map((one) => one.slice(4)) };
    })
    .filter(({ line }) => line.includes("docs/examples/moe.json"));
  assert.ok(blocks.length >= 4);
  for (const { line, shown } of blocks) {
    const { out } = run(line, { cwd: root });
    const text = shown.join("\n").trim();
    assert.ok(text.length > 40, line);
    assert.ok(out.includes(text), `${line}:\n${out.slice(0, 800)}`);
  }
});
