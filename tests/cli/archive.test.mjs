// A learning platform's download, graded as it is, and archives that mean harm.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { answers, grade, grade_json, workspace } from "./answers.mjs";
import { zip } from "./zip.mjs";

const { folder, write } = workspace("archive");

const by = (results) =>
  results.map(({ student, student_id, score }) => [student, student_id, score]);

test("Canvas's file names give student and id, late ones too", () => {
  const file = write(
    "canvas.zip",
    zip([
      ["lovelaceada_12345_67890_answer.json", answers()],
      ["turingalan_LATE_12346_67891_answer-1.json", answers()],
      ["hoppergrace_12347_67892_answer.json", answers("Grace Hopper")],
    ]),
  );
  const reply = grade_json([file]);
  assert.deepEqual(reply.errors, []);
  assert.deepEqual(by(reply.results), [
    ["Grace Hopper", "12347", 25],
    ["lovelaceada", "12345", 25],
    ["turingalan", "12346", 25],
  ]);
  assert.ok(
    reply.results[1].source.endsWith(
      "canvas.zip/lovelaceada_12345_67890_answer.json",
    ),
  );
});

test("Moodle's folders give student and id, and online text is read as text", () => {
  const html =
    "<h2>Scenario A</h2><p>1. Constraint: <b>throughput</b></p>" +
    "<ul><li>DP = 64, TP = 1 &amp; PP = 1</li></ul><script>TP=8</script>";
  const file = write(
    "moodle.zip",
    zip([
      ["Ada Lovelace_12345_assignsubmission_file_/answer.json", answers()],
      ["Alan Turing_12346_onlinetext_/onlinetext.html", html],
      ["Bo Ek_12347_assignsubmission_file_answer.json", answers()],
      ["Participant_12348_assignsubmission_file_/answer.json", answers()],
    ]),
  );
  const { results, errors } = grade_json([file]);
  assert.deepEqual(errors, []);
  assert.deepEqual(
    results.map(({ student, student_id }) => [student, student_id]),
    [
      ["Ada Lovelace", "12345"],
      ["Alan Turing", "12346"],
      ["Bo Ek", "12347"],
      ["Participant 12348", "12348"],
    ],
  );
  assert.equal(results[1].read.constraint, "throughput");
  assert.equal(results[1].read.plan.dp, 64);
  assert.equal(results[1].read.plan.tp, 1);
});

test("Gradescope's export gives the submission's number", () => {
  const file = write(
    "export.zip",
    zip([
      ["assignment_1_export/submission_777/answer.json", answers()],
      ["assignment_1_export/submission_metadata.yml", "a: b"],
    ]),
  );
  const { results, errors } = grade_json([file]);
  assert.deepEqual(errors, []);
  assert.equal(results[0].student_id, "777");
});

test("a folder of unpacked hand-ins names its students the same way", () => {
  write("unpacked/Ada L_12345_assignsubmission_file_/a.json", answers());
  write("unpacked/turingalan_12346_67891_a.json", answers());
  const { results } = grade_json([path.join(folder, "unpacked")]);
  assert.deepEqual(by(results), [
    ["Ada L", "12345", 25],
    ["turingalan", "12346", 25],
  ]);
});

test("names that only look like a platform's give no id", () => {
  for (const name of ["notes_2026_12_07.json", "a_b.json", "_1_234_x.json"]) {
    const [result] = grade_json([write(`odd/${name}`, answers())]).results;
    assert.ok(!("student_id" in result), name);
    assert.equal(result.student, "", name);
  }
});

test("what cannot be read in an archive is one line each, and the rest is graded", () => {
  const file = write(
    "mixed.zip",
    zip([
      ["a_11_111_answer.json", answers()],
      ["b_12_112_answer.pdf", "%PDF"],
      ["c_13_113_inner.zip", zip([["x.json", answers()]])],
      ["d_14_114_inner.md", zip([["x.json", answers()]])],
      ["e_15_115_link.md", "/etc/passwd", { mode: 0o120777 }],
      ["f_16_116_broken.json", answers(), { sum: 1 }],
      ["g_17_117_huge.md", Buffer.alloc((8 << 20) + 1, 120)],
      ["__MACOSX/._a.md", "x"],
      ["folder/", ""],
      [".hidden.md", "x"],
      ["z_18_118_answer.json", answers()],
    ]),
  );
  const { code, out, err } = grade([file, "--json"]);
  assert.equal(code, 1);
  const reply = JSON.parse(out);
  assert.deepEqual(
    reply.results.map(({ student }) => student),
    ["a", "z"],
  );
  const lines = err.trim().split("\n");
  const kSays = [
    [/b_12_112_answer\.pdf: no form that is read; accepted: \.md/],
    [/c_13_113_inner\.zip: an archive inside an archive/],
    [/d_14_114_inner\.md: an archive inside an archive/],
    [/e_15_115_link\.md: a link, not a file/],
    [/f_16_116_broken\.json: .*CRC/],
    [/g_17_117_huge\.md: larger than 8 MiB/],
  ];
  assert.equal(lines.length, kSays.length, err);
  kSays.forEach(([pattern], i) => {
    assert.match(lines[i], pattern);
    assert.match(lines[i], /mixed\.zip\//);
  });
});

test("an entry that states a small size is still cut at the bound", () => {
  const file = write(
    "liar.zip",
    zip([
      ["a.md", Buffer.alloc(9 << 20, 120), { size: 10 }],
      ["b.json", answers("B")],
    ]),
  );
  const { code, out } = grade([file, "--json"]);
  assert.equal(code, 1);
  const { results, errors } = JSON.parse(out);
  assert.equal(results.length, 1);
  assert.match(errors[0].message, /MiB|length|size|CRC|data/i);
});

test("a bomb of many entries stops at the archive's own bound", () => {
  const blank = Buffer.alloc(8 << 20, 32);
  const entries = Array.from({ length: 70 }, (_, i) => [
    `${String(i).padStart(3, "0")}.md`,
    blank,
  ]);
  const file = write("bomb.zip", zip(entries));
  assert.ok(fs.statSync(file).size < 1 << 20);
  const { code, out, err } = grade([file, "--json"]);
  assert.equal(code, 1);
  assert.match(err, /inflates to more than 512 MiB; the rest is not read/);
  assert.ok(JSON.parse(out).errors.length <= 66);
});

test("an archive with too many entries is refused before any is read", () => {
  const entries = Array.from({ length: 20001 }, (_, i) => [`${i}.md`, "x"]);
  const file = write("many.zip", zip(entries));
  const { code, err } = grade([file, "--json"]);
  assert.equal(code, 1);
  assert.match(err, /many\.zip: holds 20001 entries; at most 20000 are read/);
});

test("paths that lead out of the archive are names and nothing more", () => {
  const file = write(
    "escape.zip",
    zip([
      ["../../outside.json", answers("Out")],
      ["/absolute.json", answers("Abs")],
      ["a\u001b[31m.json", answers("Esc")],
    ]),
  );
  const out = path.join(folder, "feedback/");
  const { code, out: text, err } = grade([file]);
  assert.equal(code, 0);
  assert.ok(!(text + err).includes("\u001b"));
  assert.equal(grade([file, "--format", "markdown", "--out", out]).code, 0);
  assert.equal(fs.readdirSync(out).length, 3);
  assert.ok(!fs.existsSync(path.join(folder, "outside.json")));
  for (const name of fs.readdirSync(out)) {
    assert.match(name, /^[A-Za-z0-9_][\w.-]*\.feedback\.md$/);
  }
});

test("what is no archive is named, and the other inputs are graded", () => {
  const bad = write("bad.zip", "PK\u0003\u0004 and no more");
  const good = write("good.json", answers("Ada"));
  const { code, out, err } = grade([bad, good, "--json"]);
  assert.equal(code, 1);
  assert.match(err, /^meshwise: \S*bad\.zip: no zip archive[^\n]*\n$/);
  assert.equal(JSON.parse(out).results.length, 1);
});
