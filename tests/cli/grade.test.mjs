// Grading as a teaching team runs it: files, folders, standard input, and what
// must never stop a batch.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { kAnswers as kGoodAnswers } from "./answers.mjs";
import { run } from "./run.mjs";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "meshwise-grade-"));
test.after(() => fs.rmSync(folder, { recursive: true }));

const kAnswers = { ...kGoodAnswers, student: "Ada" };

function write(name, text) {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

const good = write("good/ada.json", JSON.stringify(kAnswers));
const graded = (args, options) => run("meshwise grade", { args, ...options });
const json = (args, options) =>
  JSON.parse(graded([...args, "--json"], options).out);

test("an answer well given gets 25 of 25, with every criterion", () => {
  const { results } = json([good]);
  assert.equal(results[0].score, 25);
  assert.equal(results[0].questions.length, 5);
  assert.match(graded([good]).out, /Ada, scenario A: 25\/25/);
});

test("the sheet of the same answer gets the same marks, nothing in review", () => {
  const text = run("meshwise sheet A --answers", { args: [good] }).out;
  const sheet = write("sheets/ada.md", text);
  const marks = ({ questions }) =>
    questions.map(({ criteria }) =>
      criteria.map(({ id, score }) => [id, score]),
    );
  const [from_sheet] = json([sheet]).results;
  assert.deepEqual(marks(from_sheet), marks(json([good]).results[0]));
  assert.equal(from_sheet.review, 0);
  assert.equal(from_sheet.student, "Ada");
});

test("bad files are named, and never stop the rest", () => {
  const batch = path.join(folder, "batch");
  write("batch/1-good.json", JSON.stringify(kAnswers));
  write("batch/2-binary.md", Buffer.from([0, 1, 2, 255, 0]));
  write("batch/3-broken.json", '{"schema": "meshwise.answers/1", ');
  write("batch/4-empty.md", "");
  write("batch/5-deep.json", "[".repeat(100000));
  write("batch/6-huge.md", "x".repeat(5_000_000));
  write("batch/7-good.json", JSON.stringify(kAnswers));
  const { code, err, out } = graded([batch, "--json"]);
  assert.equal(code, 1);
  const reply = JSON.parse(out);
  assert.deepEqual(
    reply.results.map(({ score }) => score),
    [25, 25],
  );
  for (const name of ["2-binary", "3-broken", "4-empty", "5-deep", "6-huge"]) {
    assert.match(err, new RegExp(name), name);
  }
  assert.equal(err.trim().split("\n").length, reply.errors.length);
});

test("what cannot be judged is for a person, not a zero in silence", () => {
  const odd = structuredClone(kAnswers);
  odd.answers[0].q4 = { mode: "an oracle frowned at it" };
  const file = write("odd/o.json", JSON.stringify(odd));
  const [result] = json([file]).results;
  assert.ok(result.review > 0);
  const [mode] = result.questions[3].criteria;
  assert.equal(mode.verdict, "review");
  assert.match(graded([file]).out, /to review/);
});

test("standard input is a submission", () => {
  const { results } = json(["-"], { input: JSON.stringify(kAnswers) });
  assert.equal(results[0].score, 25);
});

test("a result is written whole, or not at all", () => {
  const file = path.join(folder, "out.json");
  assert.equal(graded([good, "--json", "--out", file]).out, "");
  assert.equal(JSON.parse(fs.readFileSync(file, "utf8")).results.length, 1);
  const { code, err } = graded([good, "--out", path.join(folder, "no/x")]);
  assert.equal(code, 2);
  assert.match(err, /--out .*no\/x/);
});

test("a pipe is written to, and never replaced by a file", () => {
  const pipe = path.join(folder, "pipe");
  assert.equal(spawnSync("mkfifo", [pipe]).status, 0);
  const out = path.join(folder, "piped.json");
  const reader = spawn("timeout", ["20", "cp", pipe, out]);
  const ended = new Promise((resolve) => reader.on("close", resolve));
  assert.equal(graded([good, "--json", "--out", pipe]).code, 0);
  assert.ok(fs.lstatSync(pipe).isFIFO());
  return ended.then(() => {
    assert.equal(JSON.parse(fs.readFileSync(out, "utf8")).results.length, 1);
  });
});

test("a folder without submissions says so", () => {
  const empty = path.join(folder, "nothing");
  fs.mkdirSync(empty);
  const { code, err } = graded([empty]);
  assert.equal(code, 1);
  assert.match(err, /nothing.*\.md/);
});

test("a student's text cannot drive the terminal or a spreadsheet", () => {
  const hostile = structuredClone(kAnswers);
  hostile.student = '=HYPERLINK("x")\u001b[31m';
  const file = write("hostile/h.json", JSON.stringify(hostile));
  assert.ok(!graded([file]).out.includes("\u001b"));
  const csv = graded([file, "--format", "csv"]).out;
  assert.ok(!csv.includes("\u001b"));
  assert.match(csv, /'=HYPERLINK/);
});

test("without a terminal no line of the feedback is over 100 columns", () => {
  const long = structuredClone(kAnswers);
  long.student = "x".repeat(50);
  long.answers[0].q1.because = "states and activations ".repeat(400);
  const file = write("long/l.json", JSON.stringify(long));
  for (const args of [[good], [file], [good, file, "--worked"]]) {
    for (const line of graded(args).out.split("\n")) {
      assert.ok([...line].length <= 100, line);
    }
  }
});

test("the same answer with dp = 32 loses the product and hears why", () => {
  const half = structuredClone(kAnswers);
  half.answers[0].q2.dp = 32;
  const file = write("half/h.json", JSON.stringify(half));
  const { criteria } = json([file]).results[0].questions[1];
  const product = criteria.find(({ id }) => id === "q2.product");
  assert.equal(product.verdict, "fail");
  assert.match(product.says, /32/);
});

test("scenario C answered with A's plan is told of the squared term", () => {
  const c = structuredClone(kAnswers);
  c.answers[0].scenario = "C";
  const file = write("c/c.json", JSON.stringify(c));
  assert.match(graded([file]).out, /sequence squared/);
});
