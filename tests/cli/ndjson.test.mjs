// One submission a line in, one result a line out, for batches of any length.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { answers, grade, kAnswers, workspace } from "./answers.mjs";
import { bin } from "./run.mjs";

const { folder, write } = workspace("ndjson");

const kStream = ["--format", "ndjson", "--input", "ndjson", "-"];

function lines_of(out) {
  assert.ok(out === "" || out.endsWith("\n"));
  return out
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

test("each line is a submission, and each has one line of results", () => {
  const input = [
    JSON.stringify({ source: "x/1", student: "Ada", text: answers() }),
    answers("Bo"),
    "",
    JSON.stringify({ student_id: "7", answers: kAnswers }),
    JSON.stringify({ source: "x/4", student: "Cy", text: answers("Own") }),
  ].join("\n");
  const { code, out } = grade(kStream, { input });
  assert.equal(code, 0);
  const lines = lines_of(out);
  assert.deepEqual(
    lines.map(({ source, line }) => [source, line]),
    [
      ["x/1", 1],
      ["standard input:2", 2],
      ["standard input:4", 4],
      ["x/4", 5],
    ],
  );
  assert.deepEqual(
    lines.map(({ results: [r] }) => [r.student, r.student_id, r.score]),
    [
      ["Ada", undefined, 25],
      ["Bo", undefined, 25],
      ["", "7", 25],
      ["Own", undefined, 25],
    ],
  );
  for (const { schema, rubric_digest, version } of lines) {
    assert.equal(schema, "meshwise.grade/1");
    assert.match(rubric_digest, /^[0-9a-f]+$/);
    assert.match(version, /^\d+\.\d+\.\d+$/);
  }
});

const kBad = [
  ["no JSON", "{nonsense", /no valid JSON, from column 3/],
  ["cut off", '{"text": "x"', /no valid JSON/],
  ["nested deep", "[".repeat(1000), /nested deeper/],
  ["no object", "[1]", /no JSON object/],
  ["an unknown key", '{"text":"x","name":"A"}', /no key named name/],
  ["text of a wrong kind", '{"text": 7}', /text is no text/],
  ["neither text nor answers", '{"student":"A"}', /either text or answers/],
  ["another schema", '{"schema":"other/1"}', /no meshwise\.answers\/1/],
];

for (const [name, line, says] of kBad) {
  test(`a line with ${name} is told by its number, and the rest goes on`, () => {
    const input = `${answers("A")}\n${line}\n${answers("B")}\n`;
    const { code, out, err } = grade(kStream, { input });
    assert.equal(code, 1);
    const [first, bad, last] = lines_of(out);
    assert.equal(first.results[0].student, "A");
    assert.equal(last.results[0].student, "B");
    assert.equal(bad.line, 2);
    const error = bad.error ?? bad.errors[0];
    assert.match(error.message, says);
    assert.equal(
      bad.schema,
      bad.error ? "meshwise.error/1" : "meshwise.grade/1",
    );
    assert.match(err, /^meshwise: standard input:2: [^\n]+\n$/);
  });
}

test("lines that are no JSON at all are error objects", () => {
  const [bad] = lines_of(grade(kStream, { input: "{\n" }).out);
  assert.equal(bad.schema, "meshwise.error/1");
  assert.equal(bad.error.code, "malformed");
});

test("a line of 9 MiB is passed over, and the next one is graded", () => {
  const long = JSON.stringify({ text: "x".repeat(9 << 20) });
  const { code, out } = grade(kStream, { input: `${long}\n${answers("B")}\n` });
  assert.equal(code, 1);
  const [bad, good] = lines_of(out);
  assert.match(bad.error.message, /longer than 8 MiB/);
  assert.equal(good.line, 2);
  assert.equal(good.results[0].score, 25);
});

test("files ending in .ndjson and .jsonl are read by line, in any format", () => {
  const one = write("a.ndjson", `${answers("A")}\n${answers("B")}`);
  const two = write("b.jsonl", `${answers("C")}\n`);
  const { out } = grade([one, two, "--format", "csv"]);
  assert.deepEqual(
    out
      .trim()
      .split("\n")
      .slice(1)
      .map((row) => row.split(",")[1]),
    ["A", "B", "C"],
  );
});

test("the bytes are the same for every number of threads", () => {
  const input = Array.from({ length: 300 }, (_, i) =>
    i % 7 === 3 ? "{" : answers(`S${i}`, { q5: { threshold: 1000 + i } }),
  ).join("\n");
  const outs = [1, 2, 3, 8].map(
    (jobs) => grade([...kStream, "--jobs", String(jobs)], { input }).out,
  );
  assert.equal(outs[0].split("\n").length, 301);
  for (const out of outs) assert.equal(out, outs[0]);
  const batch = write("batch.ndjson", input);
  for (const format of ["json", "csv", "text"]) {
    const [one, many] = ["1", "5"].map(
      (jobs) => grade([batch, "--format", format, "--jobs", jobs]).out,
    );
    assert.ok(one.length > 0);
    assert.equal(one, many, format);
  }
});

// The most memory a process has had, in bytes.
function high_water(pid) {
  const status = fs.readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

// Feeds lines as they are taken and reads results as they come; the memory is
// looked at when all results are there and the input is still open.
function streamed(count, line_at) {
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(bin, "meshwise"), ["grade", ...kStream]);
    let seen = 0;
    let sent = 0;
    let memory = 0;
    const feed = () => {
      while (sent < count) {
        if (!child.stdin.write(`${line_at(sent++)}\n`)) {
          child.stdin.once("drain", feed);
          return;
        }
      }
    };
    child.on("error", reject);
    child.stdout.on("data", (data) => {
      for (const byte of data) if (byte === 10) ++seen;
      if (seen === count && memory === 0) {
        memory = high_water(child.pid);
        child.stdin.end();
      }
    });
    child.on("close", (code) => resolve({ code, seen, memory }));
    feed();
  });
}

const kHasProc = fs.existsSync("/proc/self/status");

test("20,000 lines take no more memory than 500, and no result waits for the end", {
  skip: !kHasProc && "there is no /proc",
}, async () => {
  const line = (i) => answers(`S${i}`, { q2: {}, q3: {} });
  const few = await streamed(500, line);
  const many = await streamed(20000, line);
  assert.equal(few.code, 0);
  assert.equal(many.code, 0);
  assert.equal(many.seen, 20000);
  assert.ok(few.memory > 0);
  const kMargin = 24 << 20; // of allocators; 20,000 results are 150 MB
  assert.ok(
    many.memory < few.memory + kMargin,
    `${many.memory} bytes against ${few.memory}`,
  );
});

test("a stream has no output file, and says so", () => {
  const file = path.join(folder, "x.ndjson");
  const { code, err } = grade([...kStream, "--out", file], { input: "" });
  assert.equal(code, 2);
  assert.match(err, /^meshwise: --out: not with --format ndjson[^\n]*\n$/);
});

const kUsage = [
  [["--input", "xml", "-"], /--input xml: .*auto, ndjson/],
  [["--jobs", "1000", "-"], /--jobs 1000: .*1 to 256/],
  [["--jobs", "0", "-"], /--jobs 0: .*1 to 256/],
  [["--jobs", "two", "-"], /--jobs two: .*1 to 256/],
  [[], /SUBMISSION is missing; accepted: files/],
];
for (const [args, says] of kUsage) {
  test(`grade ${args.join(" ")} is a mistake told in one line`, () => {
    const { code, out, err } = grade(args, { input: "" });
    assert.equal(code, 2);
    assert.equal(out, "");
    assert.match(err, /^meshwise: [^\n]+\n$/);
    assert.match(err, says);
  });
}
