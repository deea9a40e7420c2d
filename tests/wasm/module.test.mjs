// The module's surface: what it exports, that it can be loaded more than once,
// that no request stops it, and the rows of a search.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createMeshwise } from "../../build/js/wasm/loader.js";
import { root } from "../../web/scripts/lib.mjs";

const kSite = path.join(root, "build/site");
const wasmBinary = fs.readFileSync(path.join(kSite, "meshwise.wasm"));
const glue = pathToFileURL(path.join(kSite, "meshwise.mjs")).href;

function load() {
  return createMeshwise({ glue, wasmBinary });
}

const meshwise = await load();

function ask(module, request) {
  return JSON.parse(module.call(JSON.stringify(request)));
}

test("two copies of the module are apart and answer alike", async () => {
  const other = await load();
  const request = JSON.stringify({ kind: "plan", scenario: "B" });
  assert.notEqual(other, meshwise);
  assert.equal(other.call(request), meshwise.call(request));
});

test("the published numbers of the drill", () => {
  const memory = ask(meshwise, {
    kind: "memory",
    model: { preset: "llama3-8b" },
    cluster: { gpus: 1 },
    plan: { recompute: "selective" },
  });
  assert.equal(memory.parameters, 8030261248);
  assert.equal((memory.per_gpu.state_bytes / 2 ** 30).toFixed(2), "119.66");
  const decode = ask(meshwise, {
    kind: "decode",
    scenario: "D",
    plan: { tp: 8 },
  });
  assert.equal((1e3 * decode.tpot_s).toFixed(1), "24.7");
});

const kBad = [
  ["", "malformed"],
  ["{", "malformed"],
  ["\u0000", "malformed"],
  ['{"kind":"\ud800"}', "malformed"],
  ["[]", "wrong_type"],
  ['{"kind":5}', "wrong_type"],
  ["[".repeat(200_000), "too_large"],
  [`{"kind":"${"x".repeat(1_000_000)}"}`, "unknown_name"],
  ['{"kind":"memory","model":{"layers":1e308}}', "out_of_range"],
  ['{"kind":"memory","model":{"layers":1e999}}', "out_of_range"],
];

test("bad requests are answered, and the next one as if nothing was", () => {
  const good = JSON.stringify({ kind: "memory", scenario: "A" });
  const before = meshwise.call(good);
  for (const [text, code] of kBad) {
    const { schema, error } = JSON.parse(meshwise.call(text));
    assert.equal(schema, "meshwise.error/1");
    assert.equal(error.code, code, text.slice(0, 60));
    assert.ok(error.message.length < 400, "one line, however long the request");
    assert.equal(meshwise.call(good), before);
  }
});

test("text of any script and any length goes in and comes back", () => {
  const source = `Zoë 張 \u{1F680} ${"é".repeat(300_000)}`;
  const reply = ask(meshwise, {
    kind: "grade",
    submission: { source, text: "" },
  });
  assert.equal(reply.errors[0].source, source);
});

test("the glue makes no code from text", () => {
  const text = fs.readFileSync(path.join(kSite, "meshwise.mjs"), "utf8");
  assert.doesNotMatch(text, /new Function\b|\beval\(/);
});

test("megabytes of hostile text are answered and do no harm", () => {
  const good = JSON.stringify({ kind: "memory", scenario: "A" });
  const before = meshwise.call(good);
  for (const piece of [
    "#",
    "| - ",
    "dp=1e999 ",
    "(",
    "\u001b[31m\u202e",
    "9",
  ]) {
    const text = piece.repeat(Math.ceil(5e6 / piece.length));
    const reply = ask(meshwise, {
      kind: "grade",
      submission: { source: "s", text },
      options: { scenario: "A" },
    });
    assert.ok(JSON.stringify(reply).length < 1e6, "the reply stays small");
    assert.equal(reply.errors.length + reply.results.length, 1);
    assert.equal(meshwise.call(good), before);
  }
});

const kSearch = {
  kind: "plan",
  scenario: "A",
  options: { top: 1, infeasible: false },
};

test("a search has a row for every plan, in the columns it names", () => {
  const columns = JSON.parse(meshwise.searchColumns());
  const names = columns.map(({ name }) => name);
  const rows = meshwise.search(JSON.stringify(kSearch));
  assert.ok(rows instanceof Float64Array);
  const reply = ask(meshwise, kSearch);
  assert.equal(rows.length, reply.searched * columns.length);

  const of = (row, name) => rows[row * columns.length + names.indexOf(name)];
  const feasible = [];
  for (let row = 0; row < reply.searched; row += 1) {
    const gpus = ["dp", "tp", "pp", "cp", "ep"]
      .map((axis) => of(row, axis))
      .reduce((product, degree) => product * degree);
    assert.equal(gpus, 64);
    if (of(row, "reasons") === 0) feasible.push(of(row, "step_s"));
  }
  assert.equal(feasible.length, reply.feasible);
  assert.equal(Math.min(...feasible), reply.plans[0].step_s);
});

test("a search that is wrong has no rows", () => {
  for (const text of ["", "{", "[]", '{"kind":"plan"}', '{"scenario":"Z"}']) {
    assert.equal(meshwise.search(text).length, 0, text);
  }
});

test("rows are the caller's own: later searches leave them alone", async () => {
  const fresh = await load();
  const first = fresh.search(JSON.stringify(kSearch));
  const copy = first.slice();
  // Rows enough to make the module's memory grow past its first 4 MiB.
  const large = fresh.search(
    JSON.stringify({
      ...kSearch,
      model: { preset: "mixtral-8x7b" },
      cluster: { gpus: 1024 },
      training: { global_batch: 46080 },
    }),
  );
  assert.ok(large.byteLength > 8 * 2 ** 20, `${large.byteLength} bytes`);
  assert.deepEqual(first, copy);
  assert.equal(first.length, copy.length);
});
