// Allocated bytes of real runs beside the `architecture` activations.

import { ask, reference } from "./ask.mjs";

// The presets, cut to the layers of the run.
const kModels = {
  "llama3-70b": { preset: "llama3-70b" },
  "llama3-405b": { preset: "llama3-405b" },
  deepseekv2: { preset: "deepseek-v2" },
  deepseekv3: { preset: "deepseek-v3" },
};

function request(run, overheads) {
  const latent = run.model.startsWith("deepseek");
  return {
    kind: "memory",
    model: {
      ...kModels[run.model],
      layers: run.layers,
      ...(latent
        ? { dense_layers: run.dense_layers }
        : { kv_heads: run.kv_heads }),
    },
    cluster: { gpu: "b200", gpus: 8 },
    training: {
      seq_tokens: run.seq,
      global_batch: run.micro_batches * run.dp * run.ep,
      gradient_bytes: 4,
      activations: "architecture",
      fused_loss: true,
      framework_overheads: overheads,
    },
    plan: {
      dp: run.dp,
      tp: run.tp,
      pp: run.pp,
      cp: run.cp,
      ep: run.ep,
      zero: 1,
      recompute: "selective",
      cp_method: "ulysses",
    },
  };
}

// One row for each run and pipeline stage; runs that differ in the number of
// micro-batches alone have the same peak and count once.
export function memory_rows(overheads) {
  const seen = new Set();
  return reference("simumax_b200").rows.flatMap((run) => {
    const id = run.id.replace(/_mbc\d+/, "");
    if (seen.has(id)) return [];
    seen.add(id);
    const { stages } = ask(request(run, overheads));
    return stages.map((stage, i) => ({
      name: `${id.replace(/_cef$/, "")}, stage ${i}`,
      predicted: stage.total_bytes / 2 ** 30,
      measured: run.peak_mib_by_stage[i] / 1024,
      unit: "GiB",
      parts: stage,
    }));
  });
}
