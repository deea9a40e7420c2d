// One collective at a time: every algorithm's time, what of it is latency and
// what is bandwidth, and its share of a step.

import { html, type TemplateResult } from "lit";
import { field } from "../components/field.js";
import {
  data_table,
  formulas,
  type Part,
  panel,
  problem_line,
  stat,
  swatch,
} from "../components/parts.js";
import type { Context } from "../context.js";
import {
  fixed,
  in_unit,
  percent,
  time,
  time_unit,
  volume,
  words,
} from "../format.js";
import type {
  AxisCollective,
  CollectiveReply,
  CollectiveRow,
  DecodeReply,
  Values,
} from "../types.js";
import { ask_step } from "./step.js";

const kLinks = ["bandwidth_gbps", "latency_us", "step_ms"] as const;

function by_bytes(context: Context): boolean {
  const from = context.desk.edits["collective.from"]?.value;
  if (from !== undefined) return from === "bytes";
  return context.phase === "serving";
}

function token_message(context: Context): number | undefined {
  if (context.phase !== "serving") return undefined;
  const outcome = context.outcome<DecodeReply>({
    ...context.base,
    kind: "decode",
    plan: context.plan(),
  });
  return outcome.ok ? outcome.reply.message_bytes : undefined;
}

// What is asked where the user typed nothing.
function standard(context: Context): Values {
  const { summary } = context;
  const step = context.value("training.measured_step_ms");
  const node = summary?.cluster["tiers"] as { gpus: number }[] | undefined;
  return {
    op: "all_reduce",
    parameters: summary?.model.parameters,
    bytes: token_message(context),
    gpus: context.phase === "serving" ? node?.[0]?.gpus : summary?.cluster.gpus,
    step_ms: typeof step === "number" && step > 0 ? step : undefined,
  };
}

function collective_request(context: Context): Values {
  const edits = context.edits_of("collective");
  const usual = standard(context);
  const size = by_bytes(context) ? "bytes" : "parameters";
  const request: Values = {};
  for (const key of ["op", size, "gpus", ...kLinks]) {
    const value = edits[key] ?? usual[key];
    if (value !== undefined) request[key] = value;
  }
  return request;
}

// A bar as long as the row's time; one that is far off the scale stops at its
// end.
function time_bar(row: CollectiveRow, longest: number): TemplateResult {
  const width = 120;
  const alpha = Math.min(width, (row.alpha_s / longest) * width);
  const beta = Math.min(width - alpha, (row.beta_s / longest) * width);
  return html`<svg
    class="cell-bar"
    width=${width}
    height="12"
    viewBox="0 0 ${width} 12"
    aria-hidden="true"
  >
    <rect class="fill-latency" width=${alpha} height="12"></rect>
    <rect class="fill-bandwidth" x=${alpha} width=${beta} height="12"></rect>
  </svg>`;
}

function rows_table(reply: CollectiveReply): TemplateResult {
  const usual = reply.rows.find((row) => row.algorithm === reply.default);
  const middle = usual?.time_s ?? 1;
  const near = reply.rows.filter((row) => row.time_s <= 4 * middle);
  const longest = Math.max(...near.map((row) => row.time_s));
  const unit = time_unit(Math.min(...near.map((row) => row.time_s)));
  const with_step = reply.rows.some((row) => row.step_fraction !== undefined);
  return data_table(
    `${words(reply.op)} of ${volume(reply.bytes)} over ${reply.gpus} GPUs`,
    [
      { label: "Algorithm" },
      { label: `Time (${unit.unit})` },
      { label: "Parts", text: true },
      { label: `Latency part (${unit.unit})` },
      { label: `Bandwidth part (${unit.unit})` },
      { label: "algbw (GB/s)" },
      { label: "busbw (GB/s)" },
      { label: "Regime", text: true },
      ...(with_step ? [{ label: "of the step" }] : []),
    ],
    reply.rows.map((row) => ({
      header: html`${words(row.algorithm)}${
        row.algorithm === reply.default
          ? html` <span class="tag">used</span>`
          : ""
      }${
        row.algorithm === reply.best
          ? html` <span class="tag">fastest</span>`
          : ""
      }`,
      cells: [
        in_unit(row.time_s, unit),
        time_bar(row, longest),
        in_unit(row.alpha_s, unit),
        in_unit(row.beta_s, unit),
        fixed(row.algbw_gbps),
        fixed(row.busbw_gbps),
        row.regime,
        ...(with_step ? [percent(row.step_fraction ?? 0)] : []),
      ],
      marked: row.algorithm === reply.default,
    })),
  );
}

function use(context: Context, item: AxisCollective, gpus: number): void {
  const edit = (value: number | string) => ({ text: String(value), value });
  context.dispatch({
    type: "edits",
    edits: {
      "collective.from": edit("bytes"),
      "collective.op": edit(item.op),
      "collective.bytes": edit(item.bytes),
      "collective.gpus": edit(gpus),
    },
  });
}

// Buttons that take a message from the plan under study.
function from_plan(context: Context): Part {
  if (context.phase !== "training") return "";
  const plan = ask_step(context).reply?.plans[0];
  const list = plan?.collectives ?? [];
  if (plan === undefined || list.length === 0) return "";
  return html`<p class="choices">
    <span>From the plan under study:</span>
    ${list.map(
      (item) =>
        html`<button
          type="button"
          class="small"
          @click=${() => use(context, item, plan[item.axis])}
        >
          ${words(item.axis)} ${words(item.op)}, ${volume(item.bytes)}
        </button>`,
    )}
  </p>`;
}

function form(context: Context): TemplateResult {
  const usual = standard(context);
  const named = (list: readonly (string | { id: string })[]) =>
    list.map((item) => {
      const value = typeof item === "string" ? item : item.id;
      return { value, text: words(value) };
    });
  const size = by_bytes(context) ? "bytes" : "parameters";
  const hint = (key: string) => ({
    placeholder: usual[key] === undefined ? "" : String(usual[key]),
  });
  return html`<div class="fields">
    ${field(context, "collective.op", {
      label: "Operation",
      choices: named(context.catalog.operations),
    })}
    ${field(context, "collective.from", {
      label: "Message is",
      standard: size,
      choices: [
        { value: "parameters", text: "gradients of parameters" },
        { value: "bytes", text: "a number of bytes" },
      ],
    })}
    ${field(context, `collective.${size}`, hint(size))}
    ${field(context, "collective.gpus", hint("gpus"))}
    ${field(context, "collective.bandwidth_gbps", {
      placeholder: "the cluster's",
    })}
    ${field(context, "collective.latency_us", { placeholder: "the cluster's" })}
    ${field(context, "collective.step_ms", hint("step_ms"))}
  </div>`;
}

function result(context: Context): Part {
  const { reply, error } = context.ask<CollectiveReply>("collective", {
    ...context.base,
    kind: "collective",
    collective: collective_request(context),
  });
  if (reply === undefined) return problem_line(error, false);
  const usual = reply.rows.find((row) => row.algorithm === reply.default);
  const best = reply.rows.find((row) => row.algorithm === reply.best);
  const { explain } = reply;
  return html`${problem_line(error)}
    <div class="stats">
      ${
        usual === undefined
          ? ""
          : stat(
              `Time, ${words(usual.algorithm)}`,
              time(usual.time_s),
              explain,
              ["time", "time_s", usual.algorithm],
            )
      }
      ${
        best === undefined
          ? ""
          : stat(
              `Fastest, ${words(best.algorithm)}`,
              time(best.time_s),
              explain,
              ["best"],
            )
      }
      ${
        reply.step_fraction === undefined
          ? ""
          : stat("Share of the step", percent(reply.step_fraction), explain, [
              "step_fraction",
            ])
      }
      ${
        reply.crossover_bytes === undefined
          ? ""
          : stat(
              "Latency rules below",
              volume(reply.crossover_bytes),
              explain,
              ["crossover", "crossover_bytes"],
            )
      }
    </div>
    ${rows_table(reply)}
    <p class="legend">
      <span>${swatch("latency")}latency part</span>
      <span>${swatch("bandwidth")}bandwidth part</span>
    </p>
    ${formulas(explain)}`;
}

export function collectives_panel(context: Context): TemplateResult {
  return panel(
    "collectives",
    "Collectives",
    "One collective at a time: every algorithm, and what of its time is latency and what is bandwidth.",
    html`${from_plan(context)} ${form(context)} ${result(context)}`,
  );
}
