// Gradebooks: every student in the right row, and no score that a person has
// still to look at.

import assert from "node:assert/strict";
import test from "node:test";
import { answers, for_person, grade, read_csv, workspace } from "./answers.mjs";
import { zip } from "./zip.mjs";

const { write } = workspace("gradebook");

const kHeader =
  "Student,ID,SIS User ID,SIS Login ID,Section,Homework 1 (11),Final Score";
const roster = write(
  "canvas.csv",
  [
    `\ufeff${kHeader}`,
    "    Points Possible,,,,,10,(read only)",
    '"Lovelace, Ada",12345,S1,ada,One,9.5,95.00',
    '"Turing, Alan",12346,S2,alan,One,-,',
    '"=cmd(), Eve",12347,S3,eve,Two,8,80.00',
    '"Ek, Bo",12348,S4,bo,Two,,',
    '"Ek, Bo",12349,S5,bo2,Two,,',
    '"Öst, Ärla",12350,S6,arla,Two,7,',
    "",
  ].join("\r\n"),
);

const download = write(
  "download.zip",
  zip([
    ["lovelaceada_12345_70001_a.json", answers("Somebody Else")],
    ["turingalan_12346_70002_a.json", for_person()],
    ["cmdeve_12347_70003_a.json", answers("=cmd()", { q4: {} })],
  ]),
);

const kTitle = ["--title", "Drill (4711)"];

function canvas(inputs, more = []) {
  const { code, out, err } = grade([...inputs, "--format", "canvas", ...more]);
  return { code, err, rows: read_csv(out.replaceAll("\r\n", "\n")) };
}

test("Canvas's export comes back whole, with one column more", () => {
  const { code, rows, err } = canvas(
    [download],
    ["--roster", roster, ...kTitle],
  );
  assert.equal(code, 0);
  const [header, points, ada, alan, eve, bo] = rows;
  assert.deepEqual(header, [...kHeader.split(","), "Drill (4711)"]);
  assert.equal(rows.length, 8);
  for (const row of rows) assert.equal(row.length, header.length);
  assert.deepEqual(points.slice(5), ["10", "(read only)", "25"]);
  assert.deepEqual(ada, [
    "Lovelace, Ada",
    "12345",
    "S1",
    "ada",
    "One",
    "9.5",
    "95.00",
    "25",
  ]);
  assert.equal(alan[5], "-", "no score stays no score");
  assert.equal(alan[7], "", "a passage waits for a person");
  assert.equal(eve[0], "'=cmd(), Eve");
  assert.equal(eve[7], "20");
  assert.equal(bo[7], "");
  assert.match(err, /^meshwise: 1 student with passages.*--provisional/m);
});

test("a provisional score is written when asked for, and told", () => {
  const { rows, err } = canvas(
    [download],
    ["--roster", roster, "--provisional"],
  );
  assert.match(rows[3][7], /^\d+(\.\d{1,2})?$/);
  assert.match(err, /1 student .* the score is provisional/);
});

test("the column that the assignment has already is filled, not doubled", () => {
  const { rows } = canvas(
    [download],
    ["--roster", roster, "--title", "Renamed (11)"],
  );
  assert.equal(rows[0].length, 7);
  assert.equal(rows[2][5], "25");
});

test("without a platform's number students are found by name, in either order", () => {
  const names = ["Ada Lovelace", "TURING, alan", "ärla öst"].map((name, i) =>
    write(`names/${i}.json`, answers(name)),
  );
  const { code, rows } = canvas(names, ["--roster", roster]);
  assert.equal(code, 0);
  assert.deepEqual(
    [2, 3, 7].map((row) => rows[row][7]),
    ["25", "25", "25"],
  );
});

test("a name that two rows have, or none, is told and gets no row", () => {
  const inputs = ["Bo Ek", "Nobody"].map((name, i) =>
    write(`lost/${i}.json`, answers(name)),
  );
  const { code, rows, err } = canvas(inputs, ["--roster", roster]);
  assert.equal(code, 1);
  assert.deepEqual(
    rows.slice(2).map((row) => row[7]),
    ["", "", "", "", "", ""],
  );
  assert.match(err, /Bo Ek .*no row of the roster, or more than one/);
  assert.match(err, /Nobody .*no row of the roster/);
});

test("a name in the answer does not take the place of the platform's", () => {
  const file = write(
    "impostor.zip",
    zip([["turingalan_12346_70002_a.json", answers("Ada Lovelace")]]),
  );
  const { rows } = canvas([file], ["--roster", roster]);
  assert.equal(rows[2][7], "");
  assert.equal(rows[3][7], "25");
});

test("two answers of one student: the later counts, and both are named", () => {
  const one = write("twice/1.json", answers("Ada Lovelace"));
  const two = write("twice/2.json", answers("Lovelace, Ada", { q4: {} }));
  const three = write("twice/3.json", answers("Ada Lovelace", { q5: {} }));
  const { rows, err } = canvas([one, two, three], ["--roster", roster]);
  assert.equal(rows[2][7], "20");
  assert.match(err, /1\.json and in \S*3\.json; the later counts/);
  assert.match(err, /one row of the roster/);
});

test("scores of several scenarios add up, and so do the points", () => {
  const both = JSON.parse(answers("Ada Lovelace"));
  both.answers.push({ ...both.answers[0], scenario: "B" });
  const file = write("both.json", JSON.stringify(both));
  const { rows } = canvas([file], ["--roster", roster]);
  assert.equal(rows[1][7], "50");
  assert.ok(Number(rows[2][7]) > 25);
});

test("an unread hand-in leaves its student's score open", () => {
  const file = write(
    "unread.zip",
    zip([
      ["lovelaceada_12345_70001_a.json", answers()],
      ["lovelaceada_12345_70002_b.pdf", "%PDF"],
    ]),
  );
  const { code, rows, err } = canvas([file], ["--roster", roster]);
  assert.equal(code, 1);
  assert.equal(rows[2][7], "");
  assert.match(err, /1 student with passages/);
});

test("without the export Canvas gets the five columns that it needs", () => {
  const { rows } = canvas([download], kTitle);
  assert.deepEqual(rows[0], [
    "Student",
    "ID",
    "SIS User ID",
    "SIS Login ID",
    "Section",
    "Drill (4711)",
  ]);
  assert.match(rows[1][0], /Points Possible/);
  assert.equal(rows[1][5], "25");
  const ada = rows.find((row) => row[1] === "12345");
  assert.deepEqual(ada, ["lovelaceada", "12345", "", "", "", "25"]);
});

test("a gradebook with semicolons keeps them", () => {
  const file = write(
    "semicolons.csv",
    "Student;ID;SIS User ID;SIS Login ID;Section\n" +
      "Lovelace, Ada;12345;;ada;One\n",
  );
  const { out } = grade([download, "--format", "canvas", "--roster", file]);
  const rows = read_csv(out, ";");
  assert.deepEqual(rows[1].slice(0, 2), ["Lovelace, Ada", "12345"]);
  assert.equal(rows[1][5], "25");
});

// ---- Moodle ----

const people = write(
  "moodle.csv",
  [
    "Identifier,First name,Surname,ID number,Email address",
    "Participant 501,Ada,Lovelace,=1+1,ada@example.org",
    "Participant 502,Alan,Turing,,alan@example.org",
    "Participant 503,Grace,Hopper,H3,grace@example.org",
  ].join("\n"),
);
const hand_ins = write(
  "moodle.zip",
  zip([
    ["A. L._501_assignsubmission_file_/a.json", answers("x", { q4: {} })],
    ["Alan Turing_999_assignsubmission_file_/a.json", for_person()],
    ["Grace Hopper_998_assignsubmission_file_/a.json", answers()],
  ]),
);

function moodle(inputs, file = people, more = []) {
  const args = [...inputs, "--format", "moodle", "--roster", file, ...more];
  const { code, out, err } = grade(args);
  return { code, out, err, rows: read_csv(out) };
}

test("Moodle gets one column for the student, the grade and the feedback", () => {
  const named = write(
    "emails.csv",
    "Full name,Identifier,Email address\nAda Lovelace,Participant 501," +
      "ada@example.org\nAlan Turing,,alan@example.org\nGrace Hopper,,g@x.org\n",
  );
  const { code, rows, err } = moodle([hand_ins], named, ["--title", "Drill"]);
  assert.equal(code, 0);
  assert.deepEqual(rows[0], ["email", "Drill", "Drill (feedback)"]);
  assert.deepEqual(
    rows.slice(1).map(([email, score]) => [email, score]),
    [
      ["ada@example.org", "20"],
      ["alan@example.org", ""],
      ["g@x.org", "25"],
    ],
  );
  for (const [, score, feedback] of rows.slice(1)) {
    assert.match(score, /^(\d+(\.\d{1,2})?)?$/);
    assert.match(feedback, /^Scenario A: /);
    assert.ok(!feedback.includes("\n"));
  }
  assert.match(rows[1][2], /q4\.mode 0\/3: /);
  assert.match(err, /1 student with passages/);
});

test("an idnumber goes before an address, and a formula in it is disarmed", () => {
  const { rows } = moodle([hand_ins]);
  assert.equal(rows[0][0], "idnumber");
  assert.equal(rows[1][0], "'=1+1");
});

test("who has no id in the roster has no row, since that stops the import", () => {
  const { code, rows, err } = moodle([hand_ins]);
  assert.equal(code, 1);
  assert.equal(rows.length, 3);
  assert.match(err, /Alan Turing .*no row of the roster/);
});

test("feedback is text where Moodle shows HTML", () => {
  const file = write(
    "html.json",
    answers("Grace Hopper", { q2: { dp: "<img src=x>", tp: "&amp;" } }),
  );
  const { out } = moodle([file]);
  assert.doesNotMatch(out, /<img/);
});

const kBad = [
  ["moodle", [], /--format moodle: no --roster FILE; accepted: a CSV/],
  ["moodle", ["no.csv"], /--roster no\.csv: No such file/],
  ["moodle", [write("a.csv", "Name,Team\nx,y\n")], /:1: no column that tells/],
  ["canvas", [write("b.csv", "Name,Team\nx,y\n")], /:1: no columns Student/],
  ["canvas", [write("c.csv", 'Student,ID\n"x,1\n')], /:2: a quote is never/],
  ["canvas", [write("d.csv", "")], /the file is empty/],
  ["canvas", [write("e.csv", "Student,ID\nx,1,2\n")], /:2: more cells/],
];

for (const [format, [file], says] of kBad) {
  test(`${format} refuses a roster in one line: ${says.source}`, () => {
    const more = file === undefined ? [] : ["--roster", file];
    const { code, out, err } = grade([hand_ins, "--format", format, ...more]);
    assert.equal(code, 2);
    assert.equal(out, "");
    assert.match(err, says);
    assert.match(err, /^meshwise: [^\n]+\n$/);
  });
}

test("flags of a gradebook are refused where there is none", () => {
  for (const flag of [
    ["--roster", people],
    ["--title", "x"],
    ["--provisional"],
  ]) {
    const { code, err } = grade([hand_ins, ...flag]);
    assert.equal(code, 2);
    assert.match(
      err,
      /^meshwise: --\w+: not with --format text; accepted: canvas, moodle\n$/,
    );
  }
});
