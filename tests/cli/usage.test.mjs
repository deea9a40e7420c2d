// What is told of a command line or a file that is wrong: one line that names
// the flag or the place, and what would be accepted.

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { run } from "./run.mjs";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "meshwise-usage-"));
test.after(() => fs.rmSync(folder, { recursive: true }));

function write(name, text) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  return file;
}

const scenario = JSON.parse(run("meshwise scenario show B --json").out);
const wrong = structuredClone(scenario.scenario);
wrong.cluster = { ...wrong.cluster, gpus: 0 };
const wrong_file = write("wrong.json", JSON.stringify(wrong, null, 2));
const wrong_line = JSON.stringify(wrong, null, 2)
  .split("\n")
  .findIndex((line) => line.includes('"gpus": 0'));
const broken_file = write("broken.json", '{\n  "id": "X",\n  "title" "Y"\n}\n');
const deep_file = write("deep.json", "[".repeat(100_000));

const kMemory = "memory_planner --preset llama3-8b";
const kWrong = [
  ["a flag's missing value", `${kMemory} --seq`, /--seq: has no value/],
  ["a flag given twice", `${kMemory} --gpus 8 --gpus 9`, /--gpus: .*once/],
  [
    "a flag almost right",
    `${kMemory} --gpu-per-node 8`,
    /mean --gpus-per-node/,
  ],
  ["a word too many", `${kMemory} 8`, /^meshwise: 8: memory_planner takes no/],
  ["no command", "meshwise", /no command; accepted: memory, collective, plan/],
  ["a command almost right", "meshwise memry", /memry: .*mean memory\?/],
  [
    "no scenario command",
    "meshwise scenario",
    /accepted: list, show, variant, check/,
  ],
  ["no sheet", "meshwise sheet", /sheet: ID is missing; accepted: scenarios/],
  ["an unknown format", `${kMemory} --format xml`, /--format xml: .*markdown/],
  ["a hexadecimal number", `${kMemory} --seq 0x10`, /--seq 0x10: no number/],
  ["no finite number", `${kMemory} --hbm nan`, /--hbm nan: no number/],
  ["a negative number", `${kMemory} --hbm -3`, /--hbm -3: .*0\.01 to/],
  [
    "neither on nor off",
    `${kMemory} --sequence-parallel 1`,
    /accepted: on, off/,
  ],
  ["a ZeRO stage", `${kMemory} --zero 4`, /--zero 4: .*0 to 3/],
  ["an option's range", `${kMemory} --suggest --top 0`, /--top 0: .*1 to/],
  ["a rest that cannot be", `${kMemory} --gpus 8 --dp 3`, /--dp 3: .*8 GPUs/],
  ["a GPU's name", `${kMemory} --gpu h101`, /--gpu h101: .*h100/],
  ["no size", "collective_cost --gpus 8", /--bytes: .*parameters/],
  [
    "two sizes",
    "collective_cost --gpus 8 --bytes 9 --params 7",
    /--params 7: both/,
  ],
  [
    "a parameter's name",
    "meshwise threshold --scenario A --parameter hbm --parameter sequence",
    /--parameter sequence: .*accepted: seq, /,
  ],
  [
    "a scenario file that is not there",
    "meshwise plan --scenario no-such.json",
    /--scenario no-such\.json: No such file/,
  ],
  [
    "a scenario file that is no JSON",
    `meshwise plan --scenario ${broken_file}`,
    /broken\.json:3:13: no valid JSON/,
  ],
  [
    "a scenario file that is nested too deep",
    `meshwise plan --scenario ${deep_file}`,
    /deep\.json:1:1: nested deeper than 64/,
  ],
  [
    "a scenario file with a wrong value",
    `meshwise plan --scenario ${wrong_file}`,
    new RegExp(`wrong\\.json:${wrong_line + 1}:\\d+: /cluster/gpus: gpus = 0`),
  ],
  [
    "answers that are no JSON",
    `meshwise sheet A --answers ${broken_file}`,
    /broken\.json:3:13: no valid JSON/,
  ],
  [
    "a request that is not there",
    "meshwise call no-such.json",
    /no-such\.json: No such file/,
  ],
];

for (const [name, line, says] of kWrong) {
  test(`${name} is told in one line, with exit code 2`, () => {
    const { code, out, err } = run(line);
    assert.equal(code, 2, err);
    assert.equal(out, "");
    assert.match(err, /^meshwise: [^\n]+\n$/);
    assert.match(err, says);
  });
}

// What other releases may take is not passed over in silence.
for (const flag of ["--activations", "--optimizer", "--experts"]) {
  test(`the unknown flag ${flag} is refused with the list of flags`, () => {
    const { code, err } = run(`${kMemory} ${flag} x`);
    assert.equal(code, 2);
    assert.match(err, new RegExp(`^meshwise: ${flag}: .*--preset.*--zero`));
  });
}

test("every problem of a scenario file has its line, column and pointer", () => {
  const two = structuredClone(wrong);
  two.model = { ...two.model, layers: -1 };
  const file = write("two.json", JSON.stringify(two, null, 2));
  const { code, err } = run(`meshwise scenario check ${file}`);
  assert.equal(code, 1);
  const lines = err.trim().split("\n");
  assert.equal(lines.length, 2);
  for (const line of lines)
    assert.match(line, /two\.json:\d+:\d+: \/\w+\/\w+: /);
  const broken = run(`meshwise scenario check ${broken_file}`);
  assert.equal(broken.code, 1);
  assert.match(broken.err, /broken\.json:3:13: /);
});

test("a scenario that checks out says what binds", () => {
  const file = write("good.json", JSON.stringify(scenario.scenario));
  const { code, out } = run(`meshwise scenario check ${file}`);
  assert.equal(code, 0);
  assert.match(out, /memory-state/);
});

const kHelp = {
  memory: [/GiB/, /GB\/s/, /TFLOP\/s/, /billions/, /tokens/, /microseconds/],
  collective: [/GB\/s/, /microseconds/, /bytes/, /\bms\b/],
  plan: [/GiB/, /sequences/, /that one plan/],
  decode: [/tokens/, /\bms\b/],
  threshold: [/parameter to vary/],
  scenario: [/list/, /show/, /check/],
  sheet: [/A B C D/, /markdown/],
  grade: [/folders/, /--worked/, /--out/, /--roster/, /--compare/],
  "gradescope-zip": [/--scenario/, /autograder\.zip/],
  call: [/standard input/],
};

for (const [name, texts] of Object.entries(kHelp)) {
  test(`help on ${name} fits 80 columns and names the units`, () => {
    const { code, out, err } = run(`meshwise ${name} --help`);
    assert.equal(code, 0);
    assert.equal(err, "");
    for (const text of texts) assert.match(out, text);
    for (const line of out.split("\n")) assert.ok(line.length <= 80, line);
  });
}

test("the version is one line, and launch is not offered", () => {
  const { out } = run("meshwise version");
  assert.match(out, /^\d+\.\d+\.\d+\n$/);
  assert.equal(run("meshwise --version").out, out);
  assert.doesNotMatch(run("meshwise --help").out, /launch/);
  assert.equal(run("meshwise launch").code, 2);
});
