// Seconds a step, closed form, beside measured ones. One row of each kind of
// hardware sets the achieved FLOP/s; everything else is the preset's and the
// run's own settings.

import { studied } from "./analytic.mjs";
import { ask, reference } from "./ask.mjs";

// Gradients were exchanged after the backward pass (Korthikanti 2022, section
// 6.3), and there was no flash kernel.
const kMegatron = { overlap: 0, fused_attention: false };
// Selene: 8 rails of 25 GB/s a node, one a GPU, as in the preset.
const kA100 = { gpu: "a100-80" };
const kPresetTflops = 271.2;
// There is no preset of a V100: 80 % of its NVLink's 150 GB/s each way and of
// its HBM2's 900 GB/s, as the A100's preset has 80 %.
const kV100 = {
  gpu: "a100-80",
  hbm_gib: 32,
  hbm_bandwidth_gbps: 720,
  intra_bandwidth_gbps: 120,
  gpus_per_node: 16,
};

function step_seconds(run, cluster, tflops) {
  const request = {
    kind: "plan",
    model: studied(run),
    cluster: { ...cluster, gpus: run.gpus, achieved_tflops: tflops },
    training: {
      seq_tokens: run.seq ?? 2048,
      global_batch: run.global_batch,
      gradient_bytes: run.gradient_bytes ?? 4,
      ...kMegatron,
    },
    plan: {
      dp: run.dp,
      tp: run.tp,
      pp: run.pp,
      zero: run.zero ?? 0,
      recompute: run.recompute,
      micro_batch: run.micro_batch,
      virtual_stages: run.virtual_stages,
      sequence_parallel: run.recompute === "selective",
    },
    options: { one: true },
  };
  const reply = ask(request);
  return reply.plans[0].step_s;
}

function korthikanti_runs() {
  const { rows, data_parallel } = reference("korthikanti2022");
  const runs = rows.flatMap((row) => [
    {
      ...row,
      name: `${row.id}, selective`,
      recompute: "selective",
      measured: row.selective_s,
    },
    {
      ...row,
      name: `${row.id}, full`,
      recompute: "full",
      measured: row.full_s,
    },
  ]);
  for (const more of data_parallel) {
    const base = rows.find(({ id }) => id === more.base);
    runs.push({
      ...base,
      ...more,
      name: `${more.id}, selective`,
      recompute: "selective",
      measured: more.selective_s,
    });
  }
  return runs;
}

function flops_of(row) {
  const [B, s, h, L, V] = [
    row.global_batch,
    2048,
    row.hidden,
    row.layers,
    51200,
  ];
  return 96 * B * s * L * h ** 2 * (1 + s / (6 * h) + V / (16 * L * h));
}

function narayanan_runs(table) {
  const { rows } = reference("narayanan2021");
  return rows
    .filter((row) => row.table === table)
    .map((row) => ({
      ...row,
      name: row.id,
      recompute: "full",
      measured: flops_of(row) / (row.gpus * row.tflops_per_gpu * 1e12),
    }));
}

// The older single-node table states no micro-batch and no sequence: 1024
// tokens are what its parameters and TFLOP/s give, and the batch is one.
function model_parallel_runs(kind) {
  return reference("narayanan2021").model_parallel.map((row) => {
    const many = kind === "a100_dp";
    const gpus = many ? row.a100_dp_gpus : row.tp;
    const global_batch = row[`${kind}_batch`];
    return {
      ...row,
      name: `${row.id}, ${gpus} GPUs`,
      seq: 1024,
      pp: 1,
      dp: gpus / row.tp,
      gpus,
      global_batch,
      micro_batch: global_batch / (gpus / row.tp),
      virtual_stages: 1,
      recompute: "full",
      measured: row[`${kind}_ms`] / 1000,
    };
  });
}

// The achieved TFLOP/s at which a run takes as long as it was measured: the
// step shortens as they grow.
function calibrate(run, cluster) {
  let low = 1;
  let high = 2000;
  for (let i = 0; i < 60; ++i) {
    const middle = (low + high) / 2;
    if (step_seconds(run, cluster, middle) > run.measured) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function predicted(runs, cluster, tflops) {
  return runs.map((run) => ({
    name: run.name,
    predicted: step_seconds(run, cluster, tflops),
    measured: run.measured,
    calibrated: run.calibrated === true,
    unit: "s",
  }));
}

export function step_tables() {
  const korthikanti = korthikanti_runs();
  const a100 = korthikanti.find(({ name }) => name === "22B, selective");
  a100.calibrated = true;
  const a100_tflops = calibrate(a100, kA100);
  const v100_runs = model_parallel_runs("v100");
  v100_runs[0].calibrated = true;
  const v100_tflops = calibrate(v100_runs[0], kV100);
  return {
    calibration: {
      "A100 SXM 80 GB": {
        run: `Korthikanti 2022, ${a100.name}`,
        tflops: a100_tflops,
      },
      "V100 SXM 32 GB": {
        run: `Megatron-LM, ${v100_runs[0].name}`,
        tflops: v100_tflops,
      },
    },
    uncalibrated: predicted(
      korthikanti.map((run) => ({ ...run, calibrated: false })),
      kA100,
      kPresetTflops,
    ),
    korthikanti: predicted(korthikanti, kA100, a100_tflops),
    narayanan: predicted(narayanan_runs(1), kA100, a100_tflops),
    narayanan_table2: predicted(narayanan_runs(2), kA100, a100_tflops),
    single_node: predicted(model_parallel_runs("a100"), kA100, a100_tflops),
    weak_scaling: predicted(model_parallel_runs("a100_dp"), kA100, a100_tflops),
    v100: predicted(v100_runs, kV100, v100_tflops),
  };
}
