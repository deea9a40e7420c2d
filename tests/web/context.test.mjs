// What the page asks for, given what was typed, and what it shows when the
// core refuses.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Context } from "../../build/js/web/src/context.js";
import { create_store, initial_state } from "../../build/js/web/src/state.js";

const kCatalog = {
  models: [
    { id: "llama3-8b", ffn: 14336 },
    { id: "llama3-70b", ffn: 28672 },
  ],
  gpus: [],
  clusters: [],
  scenarios: [{ id: "A", title: "A", phase: "training" }],
  parameters: [],
  fields: {
    training: {
      seq_tokens: { label: "Sequence", lower: 1, upper: 1e9, integral: true },
    },
    cluster: { hbm_gib: { label: "HBM", lower: 0.01, upper: 1e5 } },
    plan: { tp: { label: "TP", lower: 1, upper: 1e6, integral: true } },
    scenario: { min_efficiency: { label: "Share", lower: 0.05, upper: 0.99 } },
  },
};
const kSummary = {
  phase: "training",
  model: { name: "Llama 3 8B", layers: 32 },
  cluster: {
    gpus: 64,
    hbm_bytes: 192 * 2 ** 30,
    tiers: [
      { name: "intra-node", gpus: 8, bandwidth_gbps: 300, latency_us: 5 },
    ],
  },
  training: { seq_tokens: 4096 },
};
const kScenario = {
  scenario: {
    id: "A",
    phase: "training",
    model: { preset: "llama3-8b" },
    cluster: { preset: "drill" },
    min_efficiency: 0.7,
  },
};

function bench(refuse = () => undefined) {
  const engine = {
    ask(request) {
      const error = refuse(request);
      if (error !== undefined) return { ok: false, error };
      if (request.kind === "scenario") return { ok: true, reply: kScenario };
      return { ok: true, reply: { scenario_summary: kSummary, request } };
    },
  };
  const shell = {
    store: create_store(initial_state()),
    engine,
    catalog: kCatalog,
    last: new Map(),
  };
  return { shell, context: () => new Context(shell) };
}

test("defaults come from the document, the preset and the summary", () => {
  const context = bench().context();
  assert.equal(context.value("model.preset"), "llama3-8b");
  assert.equal(context.value("model.ffn"), 14336);
  assert.equal(context.value("training.seq_tokens"), 4096);
  assert.equal(context.value("cluster.hbm_gib"), 192);
  assert.equal(context.value("cluster.intra_bandwidth_gbps"), 300);
  assert.equal(context.value("min_efficiency"), 0.7);
  assert.equal(context.value("plan.tp"), 1);
});

test("an edit goes into the request under its own key, and only it", () => {
  const { context } = bench();
  context().edit("training.seq_tokens", "128Ki");
  context().edit("min_efficiency", "0.8");
  assert.deepEqual(context().base, {
    kind: "",
    scenario: "A",
    training: { seq_tokens: 131072 },
    min_efficiency: 0.8,
  });
});

test("text out of range is told, and the request keeps the last value", () => {
  const { context } = bench();
  context().edit("cluster.hbm_gib", "80");
  context().edit("cluster.hbm_gib", "-1");
  assert.match(context().problem("cluster.hbm_gib"), /from 0\.01 to 100,000/);
  assert.equal(context().text("cluster.hbm_gib"), "-1");
  assert.deepEqual(context().base.cluster, { hbm_gib: 80 });
});

test("an emptied field goes back to its default", () => {
  const { context } = bench();
  context().edit("cluster.hbm_gib", "80");
  assert.equal(context().is_changed("cluster.hbm_gib"), true);
  context().edit("cluster.hbm_gib", "");
  assert.equal(context().is_changed("cluster.hbm_gib"), false);
  assert.equal(context().base.cluster, undefined);
});

test("a refused request keeps the last good reply and names the field", () => {
  const problem = {
    code: "inconsistent",
    at: "/training/seq_tokens",
    message: "too long",
  };
  const { context } = bench((request) =>
    request.training?.seq_tokens === 5 ? problem : undefined,
  );
  const first = context();
  first.ask("memory", { ...first.base, kind: "memory" });
  first.edit("training.seq_tokens", "5");
  const second = context();
  const { reply, error } = second.ask("memory", {
    ...second.base,
    kind: "memory",
  });
  assert.equal(error, problem);
  assert.equal(reply.request.kind, "memory");
  assert.equal(second.problem("training.seq_tokens"), "too long");
});

test("your own model starts with the first preset, without a scenario", () => {
  const { shell, context } = bench();
  shell.store.dispatch({ type: "view", view: "own" });
  assert.deepEqual(context().base, {
    kind: "",
    phase: "training",
    model: { preset: "llama3-8b" },
  });
  context().dispatch({
    type: "edits",
    edits: { "model.preset": { text: "llama3-70b", value: "llama3-70b" } },
  });
  assert.equal(context().value("model.ffn"), 28672);
});
