// The drill's own commands with the numbers they must print, the formats, and
// what bad input is told.

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { run, run_json } from "./run.mjs";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "meshwise-"));
test.after(() => fs.rmSync(folder, { recursive: true }));

// Each command as the drill prints it, and what its text must hold.
const kDrill = [
  [
    "memory_planner --preset llama3-8b --gpus 1 --seq 4096 --recompute selective",
    ["8,030,261,248", "119.66", "0.531", "17.00", "192.00", "fits"],
  ],
  [
    "memory_planner --params 65 --layers 80 --hidden 8192 --heads 64 --seq 4096 --gpus 16 --suggest --top 4",
    ["968.58", "Plans that fit"],
  ],
  [
    "memory_planner --preset llama3-8b --gpus 8 --seq 131072",
    ["2577.0", "2560.0", "17.00", "1.00", "over by 82,455 GiB"],
  ],
  [
    "memory_planner --preset llama3-8b --gpus 8 --seq 131072 --suggest --top 4",
    ["Plans that fit", "over by"],
  ],
  [
    "collective_cost --gpus 64 --bw 50  --latency 15 --params 7 --step-ms 700",
    ["553.14 ms", "79.0 %", "143.20"],
  ],
  [
    "collective_cost --gpus 8  --bw 300 --latency 5  --params 7 --step-ms 700",
    ["81.74 ms", "11.7 %"],
  ],
  [
    "collective_cost --gpus 8 --bw 300 --latency 5 --bytes 32768",
    ["70.19 us", "70.00 us latency", "latency"],
  ],
];

for (const [line, texts] of kDrill) {
  test(`the drill's command prints its numbers: ${line}`, () => {
    const { code, out, err } = run(line);
    assert.equal(err, "");
    assert.equal(code, 0);
    for (const text of texts) assert.ok(out.includes(text), `${text}\n${out}`);
  });
}

test("four plans for 65B use all sixteen GPUs, and none is one GPU", () => {
  const reply = run_json(kDrill[1][0]);
  assert.equal(reply.plans.length, 4);
  for (const { plan, verdict } of reply.plans) {
    assert.equal(plan.tp * plan.pp * plan.dp, 16);
    assert.notEqual(verdict, "over");
  }
});

test("plans for 128K split the sequence or the model, or recompute it all", () => {
  const reply = run_json(kDrill[3][0]);
  assert.equal(reply.plans.length, 4);
  for (const { plan } of reply.plans) {
    assert.ok(plan.cp > 1 || plan.tp > 1 || plan.recompute === "full");
  }
});

test("an alias and its subcommand say the same", () => {
  const flags = "--preset llama3-8b --gpus 8 --tp 2 --zero 1";
  assert.deepEqual(
    run(`memory_planner ${flags}`),
    run(`meshwise memory ${flags}`),
  );
});

test("scenario D at tp = 8 takes 24.7 ms a token", () => {
  const reply = run_json("meshwise decode --scenario D --tp 8");
  assert.ok(Math.abs(reply.tpot_s - 0.0247) < 5e-5);
  const text = run("meshwise decode --scenario D --tp 8").out;
  assert.match(text, /TPOT 24\.71 ms = 10\.94 weights \+ 0\.30 KV \+ 13\.47/);
});

test("the best plan of scenario A is dp = 64", () => {
  const [best] = run_json("meshwise plan --scenario A").plans;
  assert.equal(best.dp, 64);
});

test("thresholds name the parameter and both sides", () => {
  const { out } = run(
    "meshwise threshold --scenario A --dp 64 --parameter hbm",
  );
  assert.match(out, /hbm, now 192 GiB/);
  assert.match(out, /138\.6 .*throughput -> memory-activations/);
});

test("CSV has a header and as many cells in every row", () => {
  const { out } = run("meshwise plan --scenario B --format csv");
  const rows = out.trim().split("\n");
  const cells = rows[0].split(",").length;
  assert.ok(rows.length > 5);
  for (const row of rows) {
    assert.equal(row.match(/("[^"]*"|[^,]*)(,|$)/g).length >= cells, true);
  }
});

test("Markdown is a table", () => {
  const { out } = run(
    "meshwise collective --gpus 8 --params 7 --format markdown",
  );
  const rows = out.trim().split("\n");
  assert.match(rows[0], /^\| algorithm \|/);
  assert.match(rows[1], /^\|[:-]/);
});

test("without a terminal there are no colours and no wide lines", () => {
  for (const line of [
    kDrill[0][0],
    kDrill[4][0],
    "meshwise plan --scenario C",
    "meshwise decode --scenario D",
  ]) {
    const { out } = run(line);
    assert.ok(!out.includes("\u001b"));
    for (const one of out.split("\n")) assert.ok([...one].length <= 80, one);
  }
});

fs.writeFileSync(path.join(folder, "bad.json"), '{\n "id": "X",,\n}');
fs.writeFileSync(
  path.join(folder, "wrong.json"),
  '{"id":"X","cluster":{"gpus":-1}}',
);

// A mistake: one line on standard error, its exit code, and what it names.
const kMistakes = [
  ["memory_planner --preset llama3-8b --gpus 0", 2, /--gpus 0.*1 to 1048576/],
  ["memory_planner --preset llama3-8b --tp 7", 2, /--tp 7.*32.*heads.*1, 2, 4/],
  ["memory_planner --preset llama3-9b", 2, /--preset llama3-9b.*llama3-8b/],
  ["memory_planner --preset llama3-8b --seq 4k", 2, /--seq 4k.*number/],
  [
    "memory_planner --preset llama3-8b --recompute some",
    2,
    /--recompute some.*selective/,
  ],
  ["memory_planner", 2, /model.*preset/],
  ["meshwise memory --preset llama3-8b --no-such-flag", 2, /no-such-flag/],
  ["meshwise nonsense", 2, /nonsense/],
  ["meshwise plan --scenario Z", 2, /--scenario Z.*A, B, C, D/],
  ["meshwise plan --scenario D", 2, /serving.*decode/],
  ["meshwise grade no-such-file", 1, /no-such-file/],
  [
    `meshwise scenario check ${path.join(folder, "bad.json")}`,
    1,
    /bad\.json.*line 2, column/,
  ],
  [`meshwise plan --scenario ${path.join(folder, "bad.json")}`, 2, /bad\.json/],
  ["collective_cost --gpus 8", 2, /bytes.*parameters/],
  ["collective_cost --gpus 8 --params 7 --op sum", 2, /--op sum.*all_reduce/],
];

for (const [line, expected, says] of kMistakes) {
  test(`a mistake is told in one line: ${line.replace(folder, "…")}`, () => {
    const { code, out, err } = run(line);
    assert.equal(code, expected, err);
    assert.equal(out, "");
    assert.equal(err.trim().split("\n").length, 1, err);
    assert.match(err, says);
  });
}

test("a request that is no JSON is an error reply and exit code 2", () => {
  const { code, out } = run("meshwise call", { input: "nonsense" });
  assert.equal(code, 2);
  assert.equal(JSON.parse(out).error.code, "malformed");
});

test("a scenario file's every problem has its pointer", () => {
  const { code, err } = run(
    `meshwise scenario check ${path.join(folder, "wrong.json")}`,
  );
  assert.equal(code, 1);
  assert.match(err, /wrong\.json:1:29: \/cluster\/gpus/);
});

test("help names the units", () => {
  const { code, out } = run("meshwise memory --help");
  assert.equal(code, 0);
  assert.match(out, /GiB/);
  assert.match(out, /GB\/s/);
});
