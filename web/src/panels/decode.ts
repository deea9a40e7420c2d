// Serving: the time of one token by cause, against the SLO, and what each
// all-reduce algorithm would make of it.

import { html, type TemplateResult } from "lit";
import { stacked_bar } from "../charts/stacked_bar.js";
import {
  badge,
  data_table,
  formulas,
  notes,
  type Part,
  panel,
  problem_line,
  reasons,
  stat,
  swatch,
} from "../components/parts.js";
import type { Context } from "../context.js";
import {
  count,
  fixed,
  number,
  percent,
  time,
  volume,
  words,
} from "../format.js";
import type { DecodeReply } from "../types.js";

const kTokenParts = [
  { key: "weights_s", id: "weights", label: "Reading weights" },
  { key: "kv_s", id: "kv", label: "Reading the KV cache" },
  { key: "collective_s", id: "tp", label: "All-reduces" },
  { key: "hops_s", id: "transfer", label: "Pipeline hops" },
] as const;

function chart(context: Context, reply: DecodeReply): TemplateResult {
  const bars = [
    {
      label: "token",
      segments: kTokenParts.map((part) => ({
        id: part.id,
        label: part.label,
        value: (reply[part.key] ?? 0) * 1e3,
      })),
    },
  ];
  const slo = (reply.slo_s ?? 0) * 1e3;
  const limit =
    slo > 0 ? { limit: { value: slo, label: `SLO ${number(slo)} ms` } } : {};
  return stacked_bar({
    title: "One output token by cause",
    description: `${time(reply.tpot_s)} in all. The table below has the figures.`,
    unit: "ms",
    width: context.shell.width,
    bars,
    text: (value) => number(value),
    ...limit,
  });
}

function parts_table(reply: DecodeReply): TemplateResult {
  const rows = kTokenParts
    .filter((part) => (reply[part.key] ?? 0) > 0)
    .map((part) => {
      const seconds = reply[part.key] ?? 0;
      return {
        header: html`${swatch(part.id)}${part.label}`,
        cells: [fixed(seconds * 1e3), percent(seconds / reply.tpot_s)],
      };
    });
  const all = {
    header: "Time per output token",
    cells: [fixed(reply.tpot_s * 1e3), percent(1)],
    total: true,
  };
  return data_table(
    "One output token by cause",
    [{ label: "Part" }, { label: "ms" }, { label: "of the token" }],
    [...rows, all],
  );
}

function met(ok: boolean): TemplateResult {
  return ok ? badge("good", "met") : badge("bad", "missed");
}

function algorithm_table(reply: DecodeReply): Part {
  if (reply.algorithms === undefined) return "";
  return data_table(
    "The all-reduces of a token, by algorithm",
    [
      { label: "Algorithm" },
      { label: "One all-reduce (µs)" },
      { label: "Token (ms)" },
      { label: "SLO", text: true },
    ],
    reply.algorithms.map((row) => ({
      header: html`${words(row.algorithm)}${
        row.algorithm === reply.algorithm
          ? html` <span class="tag">used</span>`
          : ""
      }`,
      cells: [
        fixed(row.one_all_reduce_s * 1e6),
        fixed(row.tpot_s * 1e3),
        met(row.slo_met),
      ],
      marked: row.algorithm === reply.algorithm,
    })),
  );
}

function sweep_table(reply: DecodeReply): Part {
  const sweep = reply.sweep ?? [];
  if (sweep.length === 0) return "";
  const contexts = [...new Set(sweep.map((cell) => cell.context_tokens))];
  const batches = [...new Set(sweep.map((cell) => cell.batch))];
  return data_table(
    "Time per output token (ms) over batch and context",
    [
      { label: "Batch" },
      ...contexts.map((tokens) => ({ label: `${count(tokens)} tokens` })),
    ],
    batches.map((batch) => ({
      header: count(batch),
      cells: contexts.map((tokens) => {
        const cell = sweep.find(
          (one) => one.batch === batch && one.context_tokens === tokens,
        );
        if (cell === undefined) return "";
        const text = fixed(cell.tpot_s * 1e3);
        return cell.slo_met
          ? text
          : html`<span class="missed">${text} over</span>`;
      }),
    })),
  );
}

function headline(reply: DecodeReply): TemplateResult {
  const { explain } = reply;
  return html`<div class="stats">
    ${stat("Time per output token", time(reply.tpot_s), explain, [
      "tpot",
      "tpot_s",
    ])}
    ${reply.slo_s === undefined ? "" : stat("SLO", met(reply.slo_met))}
    ${stat("Time to first token", time(reply.ttft_s), explain, [
      "ttft",
      "ttft_s",
    ])}
    ${stat("Bound by", words(reply.bound))}
    ${
      reply.message_bytes === undefined
        ? ""
        : stat(
            "Each all-reduce",
            html`${volume(reply.message_bytes)}
            <span class="unit">× ${count(reply.all_reduces ?? 0)} a token</span>`,
            explain,
            ["collective"],
          )
    }
  </div>`;
}

function body(context: Context): Part {
  const { reply, error } = context.ask<DecodeReply>("decode", {
    ...context.base,
    kind: "decode",
    plan: context.plan(),
  });
  if (reply === undefined) return problem_line(error, false);
  return html`${problem_line(error)} ${headline(reply)} ${chart(context, reply)}
    ${reasons(reply.reasons)}
    <div class="pair">${parts_table(reply)} ${algorithm_table(reply)}</div>
    ${sweep_table(reply)} ${formulas(reply.explain)}
    ${notes(reply.assumptions)}`;
}

export function decode_panel(context: Context): TemplateResult {
  return panel(
    "step",
    "One output token",
    "Decode reads every weight once a token and waits for its all-reduces; prefill computes.",
    body(context),
  );
}
