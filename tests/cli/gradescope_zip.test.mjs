// The archive that is uploaded to Gradescope, unpacked and run as it is there,
// in a folder of the test's own.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { answers, for_person, workspace } from "./answers.mjs";
import { run } from "./run.mjs";

const { folder, write } = workspace("gradescope");

const kUnzip = spawnSync("unzip", ["-v"]).status === 0;
const unpacking = { skip: !kUnzip && "there is no unzip" };

function make(name, args = []) {
  const file = path.join(folder, name);
  const made = run("meshwise gradescope-zip", {
    args: ["--out", file, ...args],
  });
  assert.equal(made.code, 0, made.err);
  assert.equal(made.out, "");
  return file;
}

let made = 0;

// Unpacks the archive for scenario A and grades a hand-in of these files.
function graded(files, damage = () => {}) {
  const root = path.join(folder, `run-${++made}`);
  const source = path.join(root, "source");
  const archive = make(`${made}.zip`, ["--scenario", "A"]);
  fs.mkdirSync(path.join(root, "submission"), { recursive: true });
  const unzip = spawnSync("unzip", ["-q", archive, "-d", source]);
  assert.equal(unzip.status, 0, String(unzip.stderr));
  for (const [name, text] of Object.entries(files)) {
    fs.writeFileSync(path.join(root, "submission", name), text);
  }
  damage(source);
  const { status, stdout, stderr } = spawnSync(
    path.join(source, "run_autograder"),
    { env: { ...process.env, MESHWISE_ROOT: root }, encoding: "utf8" },
  );
  assert.equal(status, 0, stderr);
  const results = path.join(root, "results");
  assert.deepEqual(fs.readdirSync(results), ["results.json"]);
  const text = fs.readFileSync(path.join(results, "results.json"), "utf8");
  return { reply: JSON.parse(text), stdout, stderr, source };
}

const total = (tests, key) => tests.reduce((all, each) => all + each[key], 0);

test("the same program makes the same bytes, whatever the hour and zone", () => {
  const bytes = (name, zone) => {
    const file = path.join(folder, name);
    run("meshwise gradescope-zip --out", { args: [file], env: { TZ: zone } });
    return fs.readFileSync(file);
  };
  const one = bytes("one.zip", "UTC");
  const two = bytes("two.zip", "Pacific/Kiritimati");
  assert.ok(one.length > 100000);
  assert.ok(one.equals(two));
});

test("the archive holds what Gradescope runs, at its root", unpacking, () => {
  const { source } = graded({ "a.json": answers("Ada") });
  assert.deepEqual(fs.readdirSync(source).sort(), [
    "LICENSE",
    "meshwise",
    "run_autograder",
    "setup.sh",
  ]);
  for (const name of ["meshwise", "run_autograder", "setup.sh"]) {
    assert.ok(fs.statSync(path.join(source, name)).mode & 0o100, name);
  }
  assert.match(
    fs.readFileSync(path.join(source, "LICENSE"), "utf8"),
    /Apache License/,
  );
  const env = { ...process.env, MESHWISE_SOURCE: source };
  const setup = spawnSync(path.join(source, "setup.sh"), { env });
  assert.equal(setup.status, 0, String(setup.stderr));
});

test("a hand-in is graded into results.json", unpacking, () => {
  const { reply, stdout } = graded({ "a.json": answers("Ada") });
  assert.equal(stdout, "");
  assert.equal(total(reply.tests, "score"), 25);
  assert.equal(total(reply.tests, "max_score"), 25);
});

const kHandIns = {
  "no file": {},
  "a picture": { "a.png": "\u0089PNG" },
  "a broken document": { "a.json": "{" },
  "an empty file": { "a.md": "" },
  "an answer for a person": { "a.json": for_person() },
};

for (const [name, files] of Object.entries(kHandIns)) {
  test(`${name} has results as well, worth the same points`, unpacking, () => {
    const { reply } = graded(files);
    assert.equal(total(reply.tests, "max_score"), 25);
    const said = reply.output + reply.tests[0].output;
    assert.match(said, /no mark of the answer|Provisional|Not answered/);
  });
}

test("a grader that cannot run leaves results that say so", unpacking, () => {
  const { reply } = graded({ "a.json": answers("Ada") }, (source) => {
    fs.writeFileSync(path.join(source, "meshwise"), "#!/bin/sh\nexit 3\n");
  });
  assert.equal(reply.score, 0);
  assert.match(reply.output, /exit code 3.*no mark of the answer/);
});

test("an unknown scenario, or a place that cannot be written, is a mistake", () => {
  const no = (args) => run("meshwise gradescope-zip", { args });
  const unknown = no(["--scenario", "Z", "--out", path.join(folder, "z.zip")]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.err, /^meshwise: --scenario Z: .*A, B, C, D[^\n]*\n$/);
  assert.ok(!fs.existsSync(path.join(folder, "z.zip")));
  const lost = no(["--out", path.join(folder, "no", "x.zip")]);
  assert.equal(lost.code, 2);
  assert.match(lost.err, /^meshwise: --out [^\n]*no\/x\.zip: [^\n]+\n$/);
});

test("a scenario's id cannot carry a command into the script", () => {
  const file = path.join(folder, "inject.zip");
  const args = ["--scenario", "A' ; touch x #", "--out", file];
  assert.equal(run("meshwise gradescope-zip", { args }).code, 2);
  assert.ok(!fs.existsSync(file));
  write("keep", "");
});
