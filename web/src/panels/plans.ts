// Every plan ranked, and every decomposition that did not make it with why.
// In the drill this opens once an answer has been graded.

import { html, svg, type TemplateResult } from "lit";
import {
  badge,
  data_table,
  notes,
  type Part,
  panel,
  type Row,
  reasons,
  swatch,
} from "../components/parts.js";
import type { Context } from "../context.js";
import {
  count,
  fixed,
  gib,
  in_unit,
  percent,
  plan_text,
  sentence,
  time,
  time_unit,
  words,
} from "../format.js";
import {
  type DecodePlan,
  type DecodeReply,
  kAxes,
  type Plan,
  type PlanReply,
  type RankedPlan,
  type Request,
} from "../types.js";
import { kStepParts } from "./step.js";

interface Ranking<T> {
  reply?: T;
  note: Part; // what is going on, or went wrong
}

// The ranking, from the worker. While a new one is made the old one stays, so
// that nothing jumps.
function ask<T>(context: Context, options: object): Ranking<T> {
  const kind = context.phase === "training" ? "plan" : "decode";
  const request: Request = { ...context.base, kind, options };
  const topic = `plans/${context.view}`;
  const search = context.shell.client.ask<T>(topic, [request]);
  const outcome = search.outcomes[0];
  if (outcome?.ok) {
    context.shell.last.set(`${topic}/${kind}`, outcome.reply);
    return { reply: outcome.reply, note: "" };
  }
  const last = context.shell.last.get(`${topic}/${kind}`) as T | undefined;
  const kept = last === undefined ? {} : { reply: last };
  return { ...kept, note: note_of(search.failed, outcome?.error.message) };
}

function note_of(failed?: string, refused?: string): Part {
  if (failed !== undefined) {
    return html`<p class="problem">The search stopped: ${failed}</p>`;
  }
  if (refused !== undefined) return html`<p class="problem">${refused}.</p>`;
  return html`<span class="busy" role="status">Trying every plan…</span>`;
}

function study(context: Context, plan: Plan): void {
  const edits: Record<string, { text: string; value: number | string }> = {};
  const keys = [...kAxes, "zero", "recompute", "micro_batch"] as const;
  for (const key of keys) {
    const value = plan[key];
    if (value === undefined) continue;
    edits[`plan.${key}`] = { text: String(value), value };
  }
  context.dispatch({ type: "edits", edits });
  document.getElementById("plan-title")?.focus();
}

function study_button(context: Context, plan: Plan): TemplateResult {
  return html`<button
    type="button"
    class="small"
    aria-label="Study ${plan_text(plan)}"
    @click=${() => study(context, plan)}
  >
    Study
  </button>`;
}

function part_bar(plan: RankedPlan, longest: number): TemplateResult {
  const width = 140;
  let x = 0;
  const boxes = kStepParts.map((part) => {
    const box = { id: part.id, x, width: 0 };
    box.width = ((plan.time[part.key] ?? 0) / longest) * width;
    x += box.width;
    return box;
  });
  return html`<svg
    class="cell-bar"
    width=${width}
    height="12"
    viewBox="0 0 ${width} 12"
    aria-hidden="true"
  >
    ${boxes.map(
      (box) =>
        svg`<rect class="fill-${box.id}" x=${box.x} width=${box.width}
          height="12"></rect>`,
    )}
  </svg>`;
}

function ranked_table(context: Context, plans: readonly RankedPlan[]): Part {
  const longest = Math.max(...plans.map((plan) => plan.step_s));
  const unit = time_unit(Math.min(...plans.map((plan) => plan.step_s)));
  return data_table(
    "Plans that run, best first",
    [
      { label: "Rank" },
      { label: "Axes", text: true },
      { label: "ZeRO" },
      { label: "Recompute", text: true },
      { label: "Micro-batch" },
      { label: `Step (${unit.unit})` },
      { label: "by cause", text: true },
      { label: "Tokens/s" },
      { label: "of the best" },
      { label: "GiB a GPU" },
      { label: "Open", text: true },
    ],
    plans.map((plan) => ({
      header: html`${plan.rank ?? ""}${
        plan.tied ? html` <span class="tag">tie</span>` : ""
      }`,
      cells: [
        html`<span class="nowrap">${plan_text(plan)}</span>`,
        count(plan.zero ?? 0),
        sentence(plan.recompute ?? ""),
        count(plan.micro_batch ?? 1),
        in_unit(plan.step_s, unit),
        part_bar(plan, longest),
        count(Math.round(plan.tokens_per_s)),
        percent(plan.relative ?? 0),
        gib(plan.memory.total_bytes),
        study_button(context, plan),
      ],
    })),
  );
}

function legend(): TemplateResult {
  return html`<p class="legend">
    ${kStepParts.map(
      (part) => html`<span>${swatch(part.id)}${part.label}</span>`,
    )}
  </p>`;
}

function rejected_table(plans: readonly RankedPlan[] | undefined): Part {
  if (plans === undefined || plans.length === 0) return "";
  return html`<details class="formulas">
    <summary>Plans that cannot run, and why</summary>
    ${data_table(
      "Plans that cannot run, nearest first",
      [
        { label: "Axes" },
        { label: "GiB a GPU" },
        { label: "Why not", text: true },
      ],
      plans.map((plan) => ({
        header: plan_text(plan),
        cells: [
          gib(plan.memory.total_bytes),
          reasons(plan.infeasible ?? plan.reasons),
        ],
      })),
    )}
  </details>`;
}

function rejected_counts(reply: PlanReply): string {
  return Object.entries(reply.rejected ?? {})
    .filter(([, times]) => times > 0)
    .map(([reason, times]) => `${words(reason)} ${count(times)}`)
    .join(", ");
}

function training(context: Context): Part {
  const { reply: asked, note } = ask<PlanReply>(context, {
    top: 10,
    infeasible: true,
  });
  if (asked === undefined) return note;
  const counts = rejected_counts(asked);
  return html`<p>
      ${note} Binding constraint:
      <strong>${words(asked.binding_constraint)}</strong>. Of
      ${count(asked.searched)} plans, ${count(asked.feasible)} can
      run.${counts === "" ? "" : ` Rejected: ${counts}.`}
    </p>
    ${
      asked.plans.length === 0
        ? html`<p>No plan on this cluster can run this.</p>`
        : html`${ranked_table(context, asked.plans)} ${legend()}`
    }
    ${rejected_table(asked.rejected_plans)} ${notes(asked.assumptions)}`;
}

function serving_row(context: Context, row: DecodePlan): Row {
  return {
    header: plan_text(row.plan),
    cells: [
      fixed(row.tpot_s * 1e3),
      fixed(row.weights_s * 1e3),
      fixed(row.kv_s * 1e3),
      fixed(row.collective_s * 1e3),
      time(row.ttft_s),
      count(row.max_tokens),
      row.slo_met ? badge("good", "met") : badge("bad", "missed"),
      reasons(row.reasons),
      study_button(context, row.plan),
    ],
  };
}

function serving(context: Context): Part {
  const { reply: asked, note } = ask<DecodeReply>(context, { top: 10 });
  if (asked === undefined) return note;
  const constraint = asked.binding_constraint;
  return html`<p>
      ${note}
      ${
        constraint === undefined
          ? ""
          : html`Binding constraint: <strong>${words(constraint)}</strong>.`
      }
    </p>
    ${data_table(
      "Serving plans, fastest token first",
      [
        { label: "Axes" },
        { label: "Token (ms)" },
        { label: "Weights (ms)" },
        { label: "KV (ms)" },
        { label: "All-reduces (ms)" },
        { label: "First token" },
        { label: "Room (tokens)" },
        { label: "SLO", text: true },
        { label: "Why not", text: true },
        { label: "Open", text: true },
      ],
      (asked.plans ?? []).map((row) => serving_row(context, row)),
    )}`;
}

export function is_open(context: Context): boolean {
  return context.own || context.desk.revealed;
}

export function closed_note(what: string): TemplateResult {
  return html`<p class="closed">
    ${what} opens here once you have had an answer graded.
  </p>`;
}

export function plans_panel(context: Context): TemplateResult {
  const body = !is_open(context)
    ? closed_note("The ranking")
    : context.phase === "training"
      ? training(context)
      : serving(context);
  return panel(
    "plans",
    "Ranked plans",
    "Every way to split the work over the GPUs there are, with the parts of its time.",
    body,
  );
}
