// What the command writes: tables for people, files for programs, and nothing
// that takes over a terminal or a spreadsheet.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { bin, run } from "./run.mjs";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "meshwise-output-"));
test.after(() => fs.rmSync(folder, { recursive: true }));

const program = path.join(bin, "meshwise");
const shell = (text, env = {}) =>
  spawnSync("sh", ["-c", text], {
    encoding: "utf8",
    env: { ...process.env, MESHWISE: program, ...env },
  });

const kTables = {
  "the parts of one plan": "meshwise memory --preset llama3-8b --gpus 8",
  "plans that fit": "meshwise memory --preset llama3-8b --gpus 8 --suggest",
  "a collective": "meshwise collective --gpus 64 --params 7 --step-ms 700",
  "ranked plans": "meshwise plan --scenario B",
  replicas: "meshwise decode --scenario D",
  thresholds: "meshwise threshold --scenario A --parameter hbm",
  scenarios: "meshwise scenario list",
};

// The cells of a CSV text without line ends in its cells.
function cells(line) {
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
    .map(([, cell]) => cell)
    .slice(0, line.endsWith(",") ? undefined : -1);
}

for (const [name, line] of Object.entries(kTables)) {
  test(`CSV of ${name} has as many cells in every row`, () => {
    const rows = run(`${line} --format csv`).out.trimEnd().split("\n");
    assert.ok(rows.length > 1);
    const width = cells(rows[0]).length;
    for (const row of rows) assert.equal(cells(row).length, width, row);
  });

  test(`Markdown of ${name} is one table`, () => {
    const { out } = run(`${line} --format markdown`);
    const rows = out.split("\n").filter((row) => row.startsWith("|"));
    const pipes = (row) => row.replaceAll("\\|", "").split("|").length;
    assert.match(rows[1], /^(\|(-+:|:-+))+\|$/);
    for (const row of rows) assert.equal(pipes(row), pipes(rows[0]), row);
  });
}

test("numbers in CSV are numbers, and headers carry the unit", () => {
  const [header, ...rows] = run("meshwise plan --scenario A --format csv")
    .out.trim()
    .split("\n");
  const names = cells(header);
  for (const name of [
    "step (ms)",
    "memory (GiB)",
    "tokens/s",
    "compute (ms)",
  ]) {
    const at = names.indexOf(name);
    assert.ok(at >= 0, name);
    for (const row of rows) assert.ok(Number(cells(row)[at]) > 0, row);
  }
  const large = run(
    "meshwise memory --preset llama3-8b --seq 131072 --format csv",
  ).out;
  assert.match(large, /^activations,82464$/m);
});

test("the collective's CSV marks the default in a column of its own", () => {
  const { out } = run("meshwise collective --gpus 8 --params 7 --format csv");
  assert.match(out, /^ring,[\d.,]+,bandwidth,yes$/m);
  assert.match(out, /^tree,[\d.,]+,bandwidth,no$/m);
});

const kWide = [
  ...Object.values(kTables),
  "meshwise plan --scenario A --dp 32 --tp 7",
  "meshwise plan --scenario C --all-options",
  "meshwise decode --scenario D --tp 16",
  "meshwise memory --preset gpt3-175b --gpus 512 --tp 8 --pp 8",
  "meshwise collective --gpus 1024 --bytes 1 --step-ms 1",
  "meshwise scenario show D",
  "meshwise threshold --scenario D",
  "meshwise --help",
];

for (const line of kWide) {
  test(`no line is wider than 80 columns: ${line}`, () => {
    const { out, code } = run(line);
    assert.equal(code, 0);
    for (const one of out.split("\n")) assert.ok([...one].length <= 80, one);
  });
}

test("a table has GB or GiB, never both", () => {
  for (const line of Object.values(kTables)) {
    const { out } = run(line);
    for (const block of out.split("\n\n")) {
      const table = block
        .split("\n")
        .filter((one) => /^ {2,}\S.* {2}/.test(one));
      const text = table.join("\n");
      assert.ok(!(/\bGB\b/.test(text) && /\bGiB\b/.test(text)), text);
    }
  }
});

test("colours only on a terminal, and never under NO_COLOR", (t) => {
  if (shell("command -v script").status !== 0) return t.skip("needs script");
  const command = 'script -qec "$MESHWISE plan --scenario A" /dev/null';
  assert.ok(shell(command, { NO_COLOR: "" }).stdout.includes("\u001b[1m"));
  assert.ok(!shell(command, { NO_COLOR: "1" }).stdout.includes("\u001b"));
  assert.ok(!shell("$MESHWISE plan --scenario A").stdout.includes("\u001b"));
});

test("a reader that goes away is no error", () => {
  const { stdout, stderr } = shell(
    "$MESHWISE plan --scenario C --all-options --top 1000 --json | head -c 9",
  );
  assert.equal(stdout, '{"schema"');
  assert.equal(stderr, "");
});

test("standard output that cannot be written is an error", (t) => {
  if (!fs.existsSync("/dev/full")) return t.skip("needs /dev/full");
  const { status, stderr } = shell("$MESHWISE scenario list > /dev/full");
  assert.equal(status, 2);
  assert.match(stderr, /^meshwise: standard output .*\n$/);
});

// The same program by other names, as a course may install it.
for (const name of [
  "memory_planner",
  "memory_planner.py",
  "memory_planner.exe",
]) {
  test(`a link named ${name} is the memory command`, () => {
    const link = path.join(folder, name);
    fs.symlinkSync(program, link);
    const flags = ["--preset", "llama3-8b", "--gpus", "4", "--json"];
    const { stdout } = spawnSync(link, flags, { encoding: "utf8" });
    assert.equal(stdout, run("meshwise memory", { args: flags }).out);
  });
}

const kSame = [
  [
    "meshwise memory --preset llama3-8b --gpus 8 --tp 2 --hbm 80",
    {
      kind: "memory",
      model: { preset: "llama3-8b" },
      cluster: { gpus: 8, hbm_gib: 80 },
      plan: { tp: 2 },
    },
  ],
  [
    "meshwise collective --gpus 8 --bw 300 --latency 5 --params 0.5",
    {
      kind: "collective",
      collective: {
        gpus: 8,
        bandwidth_gbps: 300,
        latency_us: 5,
        parameters: 5e8,
      },
    },
  ],
  [
    "meshwise plan --scenario A --dp 32 --tp 2",
    {
      kind: "plan",
      scenario: "A",
      plan: { dp: 32, tp: 2 },
      options: { one: true },
    },
  ],
];

for (const [line, request] of kSame) {
  test(`a command's JSON is the reply to its request, to the byte: ${line}`, () => {
    const input = JSON.stringify(request);
    const reply = run("meshwise call", { input });
    assert.equal(reply.code, 0);
    assert.equal(run(`${line} --json`).out, reply.out);
  });
}

test("names in a scenario file cannot drive the terminal", () => {
  const { scenario } = JSON.parse(run("meshwise scenario show B --json").out);
  scenario.id = "X\u001b[2J";
  scenario.title = "\u202eevil";
  scenario.model = { ...scenario.model, name: "m\u001b]0;x\u0007\u009b1m" };
  const file = path.join(folder, "hostile.json");
  fs.writeFileSync(file, JSON.stringify(scenario));
  for (const line of [
    "scenario check",
    "memory --scenario",
    "plan --scenario",
  ]) {
    const { out, err } = run(`meshwise ${line} ${file}`);
    for (const text of [out, err]) {
      for (const character of ["\u001b", "\u0007", "\u009b", "\u202e"]) {
        assert.ok(!text.includes(character), line);
      }
    }
  }
});

test("a file name of escapes and broken UTF-8 is shown, not obeyed", () => {
  const { status, stderr } = shell(
    "$MESHWISE grade \"$(printf 'no\\033[31m\\233.md')\"",
  );
  assert.equal(status, 1);
  assert.match(stderr, /^meshwise: no\\x1b\[31m\\x9b\.md: /);
});

test("a scenario's texts without a blank are broken into lines", () => {
  const { scenario } = JSON.parse(run("meshwise scenario show B --json").out);
  scenario.assumptions = [{ id: "x", text: `é${"é".repeat(500)}` }];
  const file = path.join(folder, "long.json");
  fs.writeFileSync(file, JSON.stringify(scenario));
  const { code, out } = run(`meshwise plan --scenario ${file}`);
  assert.equal(code, 0);
  const lines = out.split("\n").filter((one) => one.includes("é"));
  assert.equal(lines.join("").match(/é/g).length, 501);
  for (const one of lines) assert.ok([...one].length <= 80, one);
});
