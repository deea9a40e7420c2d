// docs/accuracy.md: what is predicted beside what was measured or printed.

import { figure1_rows, figure7_rows, zero_rows } from "./analytic.mjs";
import { errors_of, reference } from "./ask.mjs";
import { memory_rows } from "./memory.mjs";
import { step_tables } from "./steps.mjs";

// Every table of the page: its rows, where they are from, what its number is.
export function tables() {
  const steps = step_tables();
  const korthikanti = reference("korthikanti2022");
  const narayanan = reference("narayanan2021");
  const measured_steps = (title, rows, note) => ({
    title,
    rows,
    note,
    measured: true,
    unit: "s",
    digits: 3,
  });
  return {
    calibration: steps.calibration,
    zero: {
      title: "Model state: ZeRO, table 1",
      rows: zero_rows(),
      note: reference("zero2020").definition,
      unit: "GB",
      digits: 3,
    },
    figure1: {
      title: "State and activations: Korthikanti et al., figure 1",
      rows: figure1_rows(),
      note: "textbook activations of the first stage, with interleaving, and 18 bytes a parameter over 12 L h^2",
      unit: "GiB",
      digits: 4,
    },
    figure7: {
      title: "Activations: Korthikanti et al., figure 7",
      rows: figure7_rows(),
      note: "textbook activations in percent of tensor parallelism alone; read off the figure to about 0.16 points",
      unit: "%",
      digits: 2,
    },
    memory: {
      title: "Allocated memory: 8 B200, Megatron Core, with overheads",
      rows: memory_rows(true),
      note: reference("simumax_b200").definition,
      measured: true,
      unit: "GiB",
      digits: 2,
    },
    memory_bare: {
      title: "The same without the framework's overheads",
      rows: memory_rows(false),
      note: "state, saved tensors and logits alone: what a plan needs of any framework",
      measured: true,
      unit: "GiB",
      digits: 2,
    },
    korthikanti: measured_steps(
      "Seconds a step: Korthikanti et al., table 5 and section 6.3",
      steps.korthikanti,
      korthikanti.definition,
    ),
    uncalibrated: measured_steps(
      "The same without calibration",
      steps.uncalibrated,
      "achieved FLOP/s of the A100 preset, 271.2 TFLOP/s: the best of large matrix products, which no whole step reaches",
    ),
    narayanan: measured_steps(
      "Seconds a step: Narayanan et al., table 1",
      steps.narayanan,
      narayanan.definition,
    ),
    table2: measured_steps(
      "Seconds a step: Narayanan et al., table 2",
      steps.narayanan_table2,
      "ZeRO-3 without model parallelism, and tp x pp without interleaving. What a shared network does to 1,000 gathers at once is not in the model",
    ),
    single_node: measured_steps(
      "Seconds a step: Megatron-LM, one node",
      steps.single_node,
      "sequence 1024 is inferred, not printed; one micro-batch",
    ),
    weak_scaling: measured_steps(
      "Seconds a step: Megatron-LM, weak scaling",
      steps.weak_scaling,
      "the same with data parallelism, nothing overlapped",
    ),
    v100: measured_steps(
      "Seconds a step: Megatron-LM, V100",
      steps.v100,
      "the first row sets the achieved FLOP/s",
    ),
  };
}

// Rows that no constant was taken from.
export function judged(table) {
  return table.rows.filter((row) => !row.calibrated);
}

const percent = (value) => `${value.toFixed(2)} %`;

function summary_row(table) {
  const { count, mean, median, worst, bias } = errors_of(judged(table));
  const cells = [count, ...[mean, median, worst, bias].map(percent)];
  return `| ${table.title} | ${cells.join(" | ")} |`;
}

function body(table) {
  const lines = table.rows.map((row) => {
    const error = (100 * (row.predicted - row.measured)) / row.measured;
    const mark = row.calibrated ? "calibrated on this" : percent(error);
    const cells = [row.predicted, row.measured].map((value) =>
      value.toFixed(table.digits),
    );
    return `| ${row.name} | ${cells.join(" | ")} | ${mark} |`;
  });
  const other = table.measured ? "measured" : "printed";
  return [
    `## ${table.title}`,
    "",
    `${table.note[0].toUpperCase()}${table.note.slice(1)}.`,
    "",
    `| row | predicted, ${table.unit} | ${other}, ${table.unit} | error |`,
    "|---|---:|---:|---:|",
    ...lines,
    "",
  ].join("\n");
}

const kHead = `# Accuracy

What Meshwise predicts beside what was printed or measured. \`node tests/accuracy/update.mjs\` writes this page from the rows of \`tests/reference\` and the built command; a test fails
while the two differ. An error is (predicted - measured)/measured; mean, median and worst are of its size, bias is its mean with the sign. No constant of the model was fitted to these rows: a row that
sets an achieved speed is marked and counts in no figure.`;

const kSteps = `Steps use the closed form of \`docs/model.md\` with the GPU preset's links and memory, no overlap of the gradient exchange and no flash kernel, as the sources say of their runs. The
achieved FLOP/s is one number for every size of a matrix product. It was set on the run of its table that has neither a pipeline nor data parallelism, before the others were looked at. Larger hidden
sizes run more efficiently than that one and smaller ones less, so that larger models are predicted too slow and smaller ones too fast.`;

const kMemory = `Memory uses the \`architecture\` activations, flash attention, a fused loss, ZeRO 1 and fp32 gradients. Overheads are the two named rows of \`memory.h\`: stand-ins for weight gradients and a
layer's gradients in the backward pass. Not counted: workspaces, the routing's index tensors, NCCL and CUDA contexts (which the allocator does not see).`;

export function report(all = tables()) {
  const { calibration, ...rest } = all;
  const list = Object.values(rest);
  const runs = Object.entries(calibration).map(
    ([gpu, { run, tflops }]) =>
      `| ${gpu} | ${run} | ${tflops.toFixed(1)} TFLOP/s |`,
  );
  return [
    kHead,
    "",
    "| table | rows | mean | median | worst | bias |",
    "|---|---:|---:|---:|---:|---:|",
    ...list.map(summary_row),
    "",
    kSteps,
    "",
    "| hardware | calibrated on | achieved |",
    "|---|---|---:|",
    ...runs,
    "",
    kMemory,
    "",
    "Sources:",
    "",
    ...["zero2020", "korthikanti2022", "narayanan2021", "simumax_b200"].map(
      (name) => `- ${reference(name).source}`,
    ),
    "",
    ...list.map(body),
  ].join("\n");
}
