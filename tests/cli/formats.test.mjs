// Each form that grade writes, held to the rules of those who read it.

import assert from "node:assert/strict";
import fs from "node:fs";
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

const { folder, write } = workspace("formats");

// A name and a reason that every sink has to disarm.
const kName = "=cmd()|' /C calc'!A0";
const kReason = [
  "::error::owned",
  "##[error]owned",
  "]]><script>alert(1)</script>",
  '\u0001\u001b[31m\ufffe & "quotes", 119.7 GiB | [x](javascript:y) `z`',
].join("\n");

const good = write("class/1-good.json", answers("Ada"));
const hostile = write(
  "class/2-hostile.json",
  answers(kName, { q1: { constraint: kReason, because: kReason } }),
);
const review = write("class/3-person.json", for_person("Cy"));
const broken = write("class/4-broken.json", "{");
const all = path.join(folder, "class");

const as = (format, inputs = [all], more = [], options = {}) =>
  grade([...inputs, "--format", format, ...more], options);

test("the class has what the tests below look for", () => {
  const { results, errors } = grade_json([all]);
  assert.equal(results.length, 3);
  assert.equal(errors.length, 1);
  assert.equal(results[0].score, 25);
  assert.ok(results[2].review > 0);
});

// Control characters, and the two code points that XML refuses.
function is_control(c) {
  const code = c.codePointAt(0);
  const line_end = code === 10 || code === 13;
  return (
    (code < 32 && !line_end) ||
    (code >= 127 && code < 160) ||
    code === 0xfffe ||
    code === 0xffff
  );
}

for (const format of [
  "text",
  "csv",
  "markdown",
  "gradescope",
  "canvas",
  "junit",
  "github",
]) {
  test(`${format} holds no control character of a student's`, () => {
    const { out } = as(format);
    assert.match(out, /1-good|Ada|not answered|q1\.kind/);
    assert.deepEqual([...out].filter(is_control), []);
    assert.doesNotMatch(out, /\\u00[01]/);
  });
}

test("CSV has a row for everybody, with the review count and a status", () => {
  const { code, out } = as("csv");
  assert.equal(code, 1);
  const [header, ...rows] = read_csv(out);
  assert.deepEqual(header, [
    "source",
    "student",
    "scenario",
    "score",
    "max",
    "review",
    "status",
    "student_id",
  ]);
  assert.equal(rows.length, 4);
  for (const row of rows) assert.equal(row.length, header.length);
  const [ada, named, person, unread] = rows;
  assert.deepEqual(ada.slice(1, 7), ["Ada", "A", "25.00", "25", "0", "final"]);
  assert.ok(named[1].startsWith("'=cmd()"), named[1]);
  assert.ok(Number(person[5]) > 0);
  assert.equal(person[6], "provisional");
  assert.deepEqual(unread.slice(2, 7), ["", "", "", "", "unreadable"]);
});

// ---- Gradescope ----

function gradescope(inputs, more = []) {
  const { code, out } = as("gradescope", inputs, more);
  return { code, out, reply: JSON.parse(out) };
}

const sum = (tests, key) => tests.reduce((total, test) => total + test[key], 0);

const kTopKeys = new Set(
  (
    "score execution_time output output_format test_output_format " +
    "test_name_format visibility stdout_visibility extra_data tests " +
    "leaderboard"
  ).split(" "),
);
const kTestKeys = new Set(
  (
    "score max_score status name name_format number output output_format " +
    "tags visibility extra_data"
  ).split(" "),
);

test("Gradescope's tests have the field names, kinds and ranges it takes", () => {
  for (const input of [good, hostile, review, broken]) {
    const { reply } = gradescope([input], ["--scenario", "A"]);
    for (const key of Object.keys(reply)) assert.ok(kTopKeys.has(key), key);
    assert.ok(reply.tests.length > 5);
    assert.equal(sum(reply.tests, "max_score"), 25, input);
    for (const each of reply.tests) {
      for (const key of Object.keys(each)) assert.ok(kTestKeys.has(key), key);
      assert.equal(typeof each.score, "number");
      assert.ok(each.score >= 0 && each.score <= each.max_score);
      assert.equal(each.score, Number(each.score.toFixed(2)));
      assert.match(each.number, /^A\.\d+$/);
      assert.ok(each.tags.every((tag) => typeof tag === "string"));
      assert.ok(["text", "md"].includes(each.output_format));
      assert.ok(!each.output.includes("\r"));
    }
  }
  const { code, reply } = gradescope([good], ["--scenario", "A"]);
  assert.equal(code, 0);
  assert.equal(sum(reply.tests, "score"), 25);
  assert.equal(reply.output, "");
});

test("on Gradescope nothing unread and nothing provisional passes for a mark", () => {
  const unread = gradescope([broken], ["--scenario", "A"]);
  assert.equal(unread.code, 1);
  assert.match(unread.reply.output, /Nothing could be graded: this is no mark/);
  assert.match(unread.reply.output, /4-broken\.json/);
  const provisional = gradescope([review]).reply;
  assert.match(provisional.output, /^Provisional: \d+ crit.* for a person/);
  assert.ok(provisional.extra_data.review > 0);
  const waiting = provisional.tests.filter(({ name }) =>
    name.endsWith(" (waits for a person)"),
  );
  assert.equal(waiting.length, provisional.extra_data.review);
});

test("on Gradescope only the assignment's scenario counts, once", () => {
  const b = write("b.json", answers("Ada", { scenario: "B" }));
  const again = write("z/again.json", answers("Ada", { q4: {} }));
  const { reply } = gradescope([good, b, again], ["--scenario", "A"]);
  assert.equal(sum(reply.tests, "max_score"), 25);
  assert.equal(sum(reply.tests, "score"), 20);
  assert.match(reply.output, /scenario B does not count/);
  assert.match(reply.output, /answered more than once; the last/);
});

test("Gradescope without anything to score has a score all the same", () => {
  const { reply } = gradescope([broken]);
  assert.deepEqual(reply.tests, []);
  assert.equal(reply.score, 0);
});

// ---- JUnit ----

// A reader of the XML that the tests below need: well-formed elements, quoted
// attributes, the five entities. Throws for anything else.
function read_xml(text) {
  const pattern =
    /<\?xml [^?]*\?>|<(\/?)([a-z]+)((?: [a-z_]+="[^"<]*")*)(\/?)>|([^<]+)/gy;
  const stack = [{ name: "", children: [], text: "" }];
  const plain = (value) => {
    assert.doesNotMatch(value, /&(?!amp;|lt;|gt;|quot;|apos;)/);
    return value.replaceAll(
      /&(amp|lt|gt|quot|apos);/g,
      (_, name) => ({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" })[name],
    );
  };
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(text);
    assert.ok(match, `no XML at ${text.slice(at, at + 60)}`);
    const [, closing, name, attributes, empty, words] = match;
    if (words !== undefined) stack.at(-1).text += plain(words);
    if (name === undefined) continue;
    if (closing) {
      assert.equal(stack.pop().name, name);
      continue;
    }
    const element = { name, children: [], text: "", is: {} };
    for (const [, key, value] of attributes.matchAll(/([a-z_]+)="([^"]*)"/g)) {
      element.is[key] = plain(value);
    }
    stack.at(-1).children.push(element);
    if (!empty) stack.push(element);
  }
  assert.equal(stack.length, 1);
  return stack[0].children[0];
}

test("JUnit is well-formed XML 1.0 with the counts that its cases have", () => {
  const { out } = as("junit");
  assert.ok(!out.includes("]]>"));
  assert.doesNotMatch(out, /timestamp=|time=/);
  const suites = read_xml(out);
  assert.equal(suites.name, "testsuites");
  assert.equal(suites.children.length, 4);
  const total = { tests: 0, failures: 0, errors: 0, skipped: 0 };
  for (const suite of suites.children) {
    const cases = suite.children;
    const having = (name) =>
      cases.filter(({ children }) => children.some((c) => c.name === name));
    assert.equal(Number(suite.is.tests), cases.length);
    assert.equal(Number(suite.is.failures), having("failure").length);
    assert.equal(Number(suite.is.errors), having("error").length);
    assert.equal(Number(suite.is.skipped), having("skipped").length);
    for (const key of Object.keys(total)) total[key] += Number(suite.is[key]);
  }
  for (const key of Object.keys(total)) {
    assert.equal(Number(suites.is[key]), total[key], key);
  }
  assert.equal(total.errors, 1);
  assert.ok(total.failures > 0 && total.skipped > 0);
});

test("JUnit's cases carry the scenario, the criterion and the score", () => {
  const [suite] = read_xml(as("junit", [good]).out).children;
  const [first] = suite.children;
  assert.deepEqual(first.is, { name: "q1.kind", classname: "A" });
  const [properties] = first.children;
  assert.deepEqual(
    properties.children.map(({ is }) => [is.name, is.value]),
    [
      ["score", "3"],
      ["max_score", "3"],
      ["answer_note", "q1.kind.right"],
    ],
  );
});

// ---- GitHub ----

test("GitHub's annotations are commands of ours alone, and at most ten of a kind", () => {
  const names = Array.from({ length: 30 }, (_, i) =>
    write(
      `many/${i}.json`,
      i % 2 ? "{" : answers(`A, ${i}: 100%\n::warning::x`),
    ),
  );
  const summary = path.join(folder, "summary.md");
  const env = { GITHUB_STEP_SUMMARY: summary };
  const { out } = as("github", [...names, all], [], { env });
  const lines = out.trim().split("\n");
  const kinds = { error: 0, warning: 0, notice: 0 };
  for (const line of lines) {
    const match =
      /^::(error|warning|notice) (?:file=([^,:]+),)?title=([^,:]+)::(.*)$/.exec(
        line,
      );
    assert.ok(match, line);
    ++kinds[match[1]];
    assert.doesNotMatch(line, /%(?!25|0A|0D|3A|2C)/);
  }
  assert.deepEqual(kinds, { error: 10, warning: 2, notice: 10 });
  assert.match(out, /100%25/);
  assert.match(out, /::error title=Meshwise::7 more/);
});

test("GitHub's summary is added to the step's file, and no line of it a command", () => {
  const summary = write("step.md", "before\n");
  const env = { GITHUB_STEP_SUMMARY: summary };
  const { out } = as("github", [all], [], { env });
  assert.doesNotMatch(out, /^[|#]/m);
  const text = fs.readFileSync(summary, "utf8");
  assert.ok(text.startsWith("before\n### Meshwise\n"));
  assert.match(text, /\| Ada \| A \| 25\/25 \| 0 \|/);
  assert.match(text, /Not read: .*4-broken\.json/);
  assert.doesNotMatch(text, /^\s*::|##\[|<script/m);
});

test("GitHub's summary stays under 1024 KiB and says what it left out", () => {
  const lines = Array.from({ length: 6000 }, (_, i) =>
    answers(`${i} ${"long ".repeat(30)}`, { q1: {}, q2: {}, q3: {} }),
  );
  const input = lines.join("\n");
  const summary = path.join(folder, "large.md");
  const { code } = as(
    "github",
    ["-"],
    ["--input", "ndjson", "--out", summary],
    {
      input,
    },
  );
  assert.equal(code, 0);
  const text = fs.readFileSync(summary, "utf8");
  assert.ok(Buffer.byteLength(text) <= 1024 * 1024);
  assert.ok(Buffer.byteLength(text) > 900 * 1024);
  assert.match(text, /Left out for want of room: \d+ /);
});

// ---- feedback ----

test("feedback has the score table, what was read, what it is worth and a hint", () => {
  const { out } = as("markdown", [good]);
  assert.match(out, /^# Feedback for Ada$/m);
  assert.match(out, /^## Scenario A: 25\/25$/m);
  assert.match(out, /^\| q1 \| q1\.kind \| 3\/3 \| right \|$/m);
  assert.match(out, /^ {2}- Read: ".*throughput.*" as throughput$/m);
  const lost = write("lost.json", answers("Bo", { q4: { mode: "bubble" } }));
  const feedback = as("markdown", [lost]).out;
  assert.match(feedback, /^- \*\*q4\.mode\*\* 0\/3, not yet$/m);
  assert.match(feedback, /^ {2}- Hint: /m);
});

test("a student's text is no Markdown and no HTML in feedback", () => {
  const { out } = as("markdown", [hostile]);
  assert.doesNotMatch(out, /<script|<\/|(?<!\\)\]\(|(?<!\\)`z/);
  assert.doesNotMatch(out, /^::|^##\[/m);
  const pipes = (row) => row.replaceAll("\\|", "").split("|").length;
  const rows = out.split("\n").filter((row) => row.startsWith("|"));
  for (const row of rows) assert.equal(pipes(row), pipes(rows[0]), row);
});

test("a folder gets one feedback file a submission, the unread ones too", () => {
  const out = path.join(folder, "back");
  const { code, out: text } = as("markdown", [all], ["--out", `${out}/`]);
  assert.equal(code, 1);
  assert.equal(text, "");
  assert.deepEqual(fs.readdirSync(out).sort(), [
    "1-good.json.feedback.md",
    "2-hostile.json.feedback.md",
    "3-person.json.feedback.md",
    "4-broken.json.feedback.md",
  ]);
  const read = (name) => fs.readFileSync(path.join(out, name), "utf8");
  assert.match(read("4-broken.json.feedback.md"), /Not read, and not marked/);
  assert.match(read("3-person.json.feedback.md"), /provisional: \d+ crit/);
});

test("feedback files of one name get names of their own", () => {
  write("same/a b.json", answers("A"));
  write("same/a+b.json", answers("B"));
  const out = path.join(folder, "apart/");
  as("markdown", [path.join(folder, "same")], ["--out", out]);
  assert.deepEqual(fs.readdirSync(out).sort(), [
    "a-b.json-2.feedback.md",
    "a-b.json.feedback.md",
  ]);
});

test("a score is written with a dot, at most two decimals and nothing else", () => {
  const part = write("part.json", answers("P", { q2: { dp: 32, tp: 2 } }));
  const [, row] = read_csv(as("csv", [part]).out);
  const [, , canvas] = read_csv(as("canvas", [part]).out);
  for (const score of [row[3], row[4], canvas.at(-1)]) {
    assert.match(score, /^\d+(\.\d{1,2})?$/);
  }
  const marks = /\b(\d+(?:\.\d{1,2})?)\/(\d+)\b/;
  assert.match(as("markdown", [part]).out, marks);
  for (const [, value] of as("junit", [part]).out.matchAll(
    /name="(?:max_)?score" value="([^"]*)"/g,
  )) {
    assert.match(value, /^\d+(\.\d{1,2})?$/);
  }
});
