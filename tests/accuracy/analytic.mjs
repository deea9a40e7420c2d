// Tables that papers computed: ZeRO's model state, and the activations and the
// state of Korthikanti et al. Both sides are formulas, so that what is left is
// the rounding of the printed figure.

import { ask, last_digit, reference } from "./ask.mjs";

const kGib = 2 ** 30;

// A model of which only the count matters.
function sized(parameters) {
  return { layers: 1, hidden: 128, heads: 1, parameters };
}

export function zero_rows() {
  return reference("zero2020").rows.flatMap(({ parameters, dp, printed_gb }) =>
    printed_gb.map((measured, i) => {
      const { per_gpu } = ask({
        kind: "memory",
        model: sized(parameters),
        plan: { dp, zero: i + 1 },
      });
      const bytes = per_gpu.state_bytes - per_gpu.gathered_bytes;
      return {
        name: `${parameters / 1e9}B, ${dp} devices, stage ${i + 1}`,
        predicted: bytes / 1e9,
        measured,
        // Three figures, some of them cut instead of rounded.
        rounding: measured >= 100 ? 1 : last_digit(measured),
        unit: "GB",
      };
    }),
  );
}

export function studied(row) {
  return {
    layers: row.layers,
    hidden: row.hidden,
    heads: row.heads,
    vocab: 51200,
    max_positions: 2048,
    biases: true,
    layer_norm: true,
    tied_head: true,
  };
}

function first_stage(row, plan) {
  const { stages } = ask({
    kind: "memory",
    model: {
      ...studied(row),
      parameters: 12 * row.layers * row.hidden ** 2,
    },
    training: {
      seq_tokens: 2048,
      global_batch: row.global_batch,
      gradient_bytes: 4,
    },
    plan: {
      dp: 1,
      tp: row.tp,
      pp: row.pp,
      micro_batch: row.micro_batch,
      virtual_stages: row.virtual_stages,
      ...plan,
    },
  });
  return stages[0];
}

const kKinds = {
  baseline: { recompute: "none", sequence_parallel: false },
  sequence: { recompute: "none", sequence_parallel: true },
  selective: { recompute: "selective", sequence_parallel: false },
  both: { recompute: "selective", sequence_parallel: true },
  full: { recompute: "full", sequence_parallel: false },
};

// Figure 1, GiB. Its values are exact multiples of 2^-12 or so.
export function figure1_rows() {
  return reference("korthikanti2022").rows.flatMap((row) => {
    const of = (kind, key) => first_stage(row, kKinds[kind])[key] / kGib;
    const values = {
      state: [of("both", "state_bytes"), row.state_gib],
      "activations, tensor parallel": [
        of("baseline", "activations_bytes"),
        row.baseline_gib,
      ],
      "activations, with both": [
        of("both", "activations_bytes"),
        row.present_gib,
      ],
    };
    return Object.entries(values).map(([what, [predicted, measured]]) => ({
      name: `${row.id}, ${what}`,
      predicted,
      measured,
      rounding: 1e-9,
      unit: "GiB",
    }));
  });
}

// Figure 7, percent of the activations under tensor parallelism alone, read
// off a picture to about 0.16 points.
export function figure7_rows() {
  return reference("korthikanti2022").rows.flatMap((row) => {
    const all = first_stage(row, kKinds.baseline).activations_bytes;
    return Object.entries(row.shares_percent).map(([kind, measured]) => ({
      name: `${row.id}, ${kind}`,
      predicted: (100 * first_stage(row, kKinds[kind]).activations_bytes) / all,
      measured,
      rounding: 0.16,
      unit: "%",
    }));
  });
}
