// One training step of the plan under study: where its time goes, and what
// each axis sends.

import { html, type TemplateResult } from "lit";
import { stacked_bar } from "../charts/stacked_bar.js";
import {
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
  in_unit,
  number,
  percent,
  time,
  time_unit,
  volume,
  words,
} from "../format.js";
import { kAxes, type PlanReply, type RankedPlan } from "../types.js";

export const kStepParts = [
  { key: "compute_s", id: "compute", label: "Compute" },
  { key: "tp_s", id: "tp", label: "TP exchange" },
  { key: "cp_s", id: "cp", label: "CP exchange" },
  { key: "ep_s", id: "ep", label: "EP exchange" },
  { key: "pp_bubble_s", id: "bubble", label: "Pipeline bubble" },
  { key: "pp_transfer_s", id: "transfer", label: "Pipeline transfers" },
  { key: "dp_s", id: "dp", label: "DP exchange" },
  { key: "optimizer_s", id: "optimizer", label: "Optimizer" },
] as const;

export function ask_step(context: Context) {
  return context.ask<PlanReply>("step", {
    ...context.base,
    kind: "plan",
    plan: context.plan(),
    options: { one: true },
  });
}

function chart(context: Context, plan: RankedPlan): TemplateResult {
  const unit = time_unit(plan.step_s);
  return stacked_bar({
    title: "One step by cause",
    description: `${time(plan.step_s)} in all. The table below has the figures.`,
    unit: unit.unit,
    width: context.shell.width,
    bars: [
      {
        label: "step",
        segments: kStepParts.map((part) => ({
          id: part.id,
          label: part.label,
          value: (plan.time[part.key] ?? 0) / unit.scale,
        })),
      },
    ],
    text: (value) => number(value),
  });
}

function parts_table(plan: RankedPlan): TemplateResult {
  const unit = time_unit(plan.step_s);
  const rows = kStepParts
    .filter((part) => (plan.time[part.key] ?? 0) > 0)
    .map((part) => {
      const seconds = plan.time[part.key] ?? 0;
      return {
        header: html`${swatch(part.id)}${part.label}`,
        cells: [in_unit(seconds, unit), percent(seconds / plan.step_s)],
      };
    });
  const all = {
    header: "Step",
    cells: [in_unit(plan.step_s, unit), percent(1)],
    total: true,
  };
  return data_table(
    "The step by cause",
    [{ label: "Part" }, { label: unit.unit }, { label: "of the step" }],
    [...rows, all],
  );
}

function exchange_table(plan: RankedPlan): Part {
  const list = plan.collectives ?? [];
  if (list.length === 0) return "";
  return data_table(
    "What each axis sends in a step",
    [
      { label: "Axis" },
      { label: "Operation", text: true },
      { label: "Tier", text: true },
      { label: "Message" },
      { label: "Calls" },
      { label: "Moved per GPU" },
      { label: "Time" },
      { label: "Exposed" },
    ],
    list.map((item) => ({
      header: words(item.axis),
      cells: [
        words(item.op),
        plan.placement[item.axis]?.tier ?? "",
        volume(item.bytes),
        count(item.calls),
        volume(item.volume_bytes),
        time(item.total_s),
        time(item.exposed_s),
      ],
    })),
  );
}

function minimum_table(plan: RankedPlan): Part {
  const axes = kAxes.filter((axis) => plan.minimum?.[axis] !== undefined);
  if (axes.length === 0) return "";
  return data_table(
    "Bandwidth that each axis needs",
    [
      { label: "Axis" },
      { label: "Tier", text: true },
      { label: "Least (GB/s)" },
      { label: "Most (GB/s)" },
      { label: "There is (GB/s)" },
      { label: "Viable", text: true },
    ],
    axes.map((axis) => {
      const need = plan.minimum?.[axis];
      return {
        header: words(axis),
        cells:
          need === undefined
            ? []
            : [
                need.tier,
                fixed(need.least_gbps),
                fixed(need.most_gbps),
                fixed(need.available_gbps),
                need.viable ? "yes" : "no",
              ],
      };
    }),
  );
}

function body(context: Context): Part {
  const { reply, error } = ask_step(context);
  const plan = reply?.plans[0];
  if (reply === undefined || plan === undefined)
    return problem_line(error, false);
  const stopped = plan.infeasible ?? [];
  const open = context.own || context.desk.revealed;
  const explain = reply.explain?.filter(
    (entry) => open || !entry.id.startsWith("minimum_"),
  );
  return html`${problem_line(error)}
    ${
      stopped.length === 0
        ? ""
        : html`<div class="warning">
          <p>This plan cannot run as it stands:</p>
          ${reasons(stopped)}
        </div>`
    }
    <div class="stats">
      ${stat("Step", time(plan.step_s), reply.explain, ["step", "step_s"])}
      ${stat(
        "Tokens a second",
        count(Math.round(plan.tokens_per_s)),
        reply.explain,
        ["tokens_per_s"],
      )}
      ${
        plan.speedup === undefined
          ? ""
          : stat("Speed-up", `${number(plan.speedup)}×`, reply.explain, [
              "speedup",
            ])
      }
      ${
        plan.mfu === undefined
          ? ""
          : stat("MFU", percent(plan.mfu), reply.explain, ["mfu"])
      }
      ${stat("Micro-batches a step", count(plan.micro_batches))}
    </div>
    ${chart(context, plan)}
    <div class="pair">
      ${parts_table(plan)} ${open ? minimum_table(plan) : ""}
    </div>
    ${exchange_table(plan)}
    ${formulas(explain)} ${notes(reply.assumptions)}`;
}

export function step_panel(context: Context): TemplateResult {
  return panel(
    "step",
    "One training step",
    "Where the time of a step goes, on the GPU that is busiest.",
    body(context),
  );
}
