// Memory per GPU: the parts of the plan under study, stage by stage, against
// the GPU's HBM.

import { html, type TemplateResult } from "lit";
import { type Segment, stacked_bar } from "../charts/stacked_bar.js";
import {
  badge,
  data_table,
  formulas,
  notes,
  type Part,
  panel,
  problem_line,
  type Row,
  reasons,
  stat,
  swatch,
} from "../components/parts.js";
import type { Context } from "../context.js";
import { count, gib, memory, percent, sentence } from "../format.js";
import type {
  DecodeReply,
  LayerMemory,
  MemoryReply,
  PerGpu,
  Stage,
} from "../types.js";

interface PartName {
  key: keyof PerGpu;
  id: string;
  label: string;
}

const kParts: readonly PartName[] = [
  { key: "weights_bytes", id: "weights", label: "Weights" },
  { key: "gradients_bytes", id: "gradients", label: "Gradients" },
  { key: "optimizer_bytes", id: "optimizer", label: "Optimizer" },
  { key: "gathered_bytes", id: "gathered", label: "Gathered layers" },
  { key: "activations_bytes", id: "activations", label: "Activations" },
  {
    key: "embedding_output_bytes",
    id: "embedding",
    label: "Embedding output",
  },
  { key: "logits_bytes", id: "logits", label: "Logits and loss" },
  { key: "working_set_bytes", id: "working", label: "Working set" },
];

function segments(memory: PerGpu): Segment[] {
  return kParts.map((part) => ({
    id: part.id,
    label: part.label,
    value: (memory[part.key] ?? 0) / 1024 ** 3,
  }));
}

function chart(context: Context, reply: MemoryReply): TemplateResult {
  const stages = reply.stages ?? [];
  const bars =
    stages.length > 1
      ? stages.map((stage) => ({
          label: `stage ${stage.stage}`,
          segments: segments(stage),
        }))
      : [{ label: "GPU", segments: segments(reply.per_gpu) }];
  const capacity = reply.per_gpu.capacity_bytes;
  return stacked_bar({
    title: "Memory per GPU by part",
    description: `${memory(reply.per_gpu.total_bytes)} of ${memory(
      capacity,
    )} on the fullest GPU. The table below has the figures.`,
    unit: "GiB",
    width: context.shell.width,
    bars,
    limit: { value: capacity / 1024 ** 3, label: `HBM ${memory(capacity)}` },
    text: (value) => gib(value * 1024 ** 3),
  });
}

function part_rows(per_gpu: PerGpu): Row[] {
  const share = (bytes: number) => percent(bytes / per_gpu.capacity_bytes);
  const rows: Row[] = kParts
    .filter((part) => (per_gpu[part.key] ?? 0) > 0)
    .map((part) => {
      const bytes = per_gpu[part.key] ?? 0;
      return {
        header: html`${swatch(part.id)}${part.label}`,
        cells: [gib(bytes), share(bytes)],
      };
    });
  rows.push({
    header: "Total",
    cells: [gib(per_gpu.total_bytes), share(per_gpu.total_bytes)],
    total: true,
  });
  rows.push({
    header: "HBM",
    cells: [gib(per_gpu.capacity_bytes), percent(1)],
  });
  return rows;
}

function stage_table(stages: readonly Stage[], peak: number): TemplateResult {
  return data_table(
    "By pipeline stage",
    [
      { label: "Stage" },
      { label: "Layers" },
      { label: "In flight" },
      { label: "State (GiB)" },
      { label: "Activations (GiB)" },
      { label: "Total (GiB)" },
    ],
    stages.map((stage) => ({
      header: html`${stage.stage}${
        stage.stage === peak ? html` <span class="tag">peak</span>` : ""
      }`,
      cells: [
        count(stage.layers),
        count(stage.in_flight),
        gib(stage.state_bytes),
        gib(stage.activations_bytes ?? 0),
        gib(stage.total_bytes),
      ],
      marked: stage.stage === peak,
    })),
  );
}

function layer_table(layers: readonly LayerMemory[]): TemplateResult {
  return data_table(
    "One layer, one micro-batch",
    [
      { label: "Recompute" },
      { label: "Kept (GiB)" },
      { label: "of it, scores (GiB)" },
      { label: "Working set (GiB)" },
    ],
    layers.map((layer) => ({
      header: sentence(layer.recompute),
      cells: [
        gib(layer.activations_per_layer_bytes),
        gib(layer.scores_per_layer_bytes ?? 0),
        gib(layer.working_set_bytes ?? 0),
      ],
    })),
  );
}

function verdict(reply: MemoryReply): TemplateResult {
  if (reply.over_bytes !== undefined) {
    return badge("bad", `Over by ${memory(reply.over_bytes)}`);
  }
  const free = memory(reply.free_bytes ?? 0);
  return reply.verdict === "tight"
    ? badge("warn", `Tight, ${free} free`)
    : badge("good", `Fits, ${free} free`);
}

function headline(reply: MemoryReply): TemplateResult {
  const { per_gpu, explain } = reply;
  return html`<div class="stats">
    ${stat("On the fullest GPU", memory(per_gpu.total_bytes), explain, [
      "total",
    ])}
    ${stat("State", memory(per_gpu.state_bytes), explain, ["state"])}
    ${stat("Activations", memory(per_gpu.activations_bytes ?? 0), explain, [
      "activations",
    ])}
    ${stat("Verdict", verdict(reply))}
  </div>`;
}

function limits(reply: MemoryReply): Part {
  const parts: string[] = [];
  if (reply.largest_micro_batch !== undefined) {
    parts.push(
      `the largest micro-batch that fits is ${count(
        reply.largest_micro_batch,
      )}`,
    );
  }
  if (reply.largest_seq_tokens !== undefined) {
    parts.push(
      `the longest sequence is ${count(reply.largest_seq_tokens)} tokens`,
    );
  }
  if (parts.length === 0) return "";
  const text = parts.join("; ");
  return html`<p>With this plan ${text}.</p>`;
}

function training_body(context: Context): Part {
  const { reply, error } = context.ask<MemoryReply>("memory", {
    ...context.base,
    kind: "memory",
    plan: context.plan(),
  });
  if (reply === undefined) return problem_line(error, false);
  const stages = reply.stages ?? [];
  return html`${problem_line(error)} ${headline(reply)} ${chart(context, reply)}
    ${reasons(reply.reasons)}
    <div class="pair">
      ${data_table(
        `Per GPU, by part${stages.length > 1 ? ", fullest stage" : ""}`,
        [{ label: "Part" }, { label: "GiB" }, { label: "of HBM" }],
        part_rows(reply.per_gpu),
      )}
      ${reply.layer === undefined ? "" : layer_table(reply.layer)}
    </div>
    ${stages.length > 1 ? stage_table(stages, reply.peak_stage ?? 0) : ""}
    ${limits(reply)} ${formulas(reply.explain)} ${notes(reply.assumptions)}`;
}

function serving_verdict(reply: DecodeReply): TemplateResult {
  const over = reply.reasons?.some((reason) => reason.id === "hbm") ?? false;
  return over ? badge("bad", "Over the HBM") : badge("good", "Fits");
}

function serving_body(context: Context): Part {
  const { reply, error } = context.ask<DecodeReply>("decode", {
    ...context.base,
    kind: "decode",
    plan: context.plan(),
  });
  if (reply === undefined) return problem_line(error, false);
  const weights = reply.weights_bytes_per_gpu ?? 0;
  const kv = reply.kv_bytes_per_gpu ?? 0;
  const hbm = reply.scenario_summary.cluster.hbm_bytes;
  const scale = 1024 ** 3;
  return html`${problem_line(error)}
    <div class="stats">
      ${stat("Weights per GPU", memory(weights), reply.explain, [
        "weights_bytes_per_gpu",
      ])}
      ${stat("KV cache per GPU", memory(kv), reply.explain, [
        "kv_bytes_per_gpu",
      ])}
      ${stat(
        "KV cache per token",
        memory(reply.kv_bytes_per_token),
        reply.explain,
        ["kv_bytes_per_token"],
      )}
      ${stat("Verdict", serving_verdict(reply))}
      ${stat(
        "Room for",
        `${count(Math.floor(reply.max_tokens))} tokens`,
        reply.explain,
        ["max_tokens"],
      )}
    </div>
    ${stacked_bar({
      title: "Memory per GPU by part",
      description: `${memory(weights)} of weights and ${memory(
        kv,
      )} of KV cache against ${memory(hbm)}.`,
      unit: "GiB",
      width: context.shell.width,
      bars: [
        {
          label: "GPU",
          segments: [
            { id: "weights", label: "Weights", value: weights / scale },
            { id: "kv", label: "KV cache", value: kv / scale },
          ],
        },
      ],
      limit: { value: hbm / scale, label: `HBM ${memory(hbm)}` },
      text: (value) => gib(value * scale),
    })}
    <div class="pair">${data_table(
      "Per GPU, by part",
      [{ label: "Part" }, { label: "GiB" }, { label: "of HBM" }],
      [
        {
          header: html`${swatch("weights")}Weights`,
          cells: [gib(weights), percent(weights / hbm)],
        },
        {
          header: html`${swatch("kv")}KV cache`,
          cells: [gib(kv), percent(kv / hbm)],
        },
        {
          header: "Total",
          cells: [gib(weights + kv), percent((weights + kv) / hbm)],
          total: true,
        },
        { header: "HBM", cells: [gib(hbm), percent(1)] },
      ],
    )}</div>`;
}

export function memory_panel(context: Context): TemplateResult {
  return panel(
    "memory",
    "Memory per GPU",
    "What the plan under study keeps on each GPU, and the line it must stay under.",
    context.phase === "training"
      ? training_body(context)
      : serving_body(context),
  );
}
