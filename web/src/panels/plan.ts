// The plan under study: the degrees and options that the tables are for.

import { html, type TemplateResult } from "lit";
import { field } from "../components/field.js";
import type { Part } from "../components/parts.js";
import type { Context } from "../context.js";
import { count, words } from "../format.js";
import { kAxes } from "../types.js";

const kTrainingOptions = ["zero", "recompute", "micro_batch"];
const kRareOptions = [
  "virtual_stages",
  "shard_group",
  "sequence_parallel",
  "cp_method",
  "cp_zigzag",
];

function use_product(context: Context): Part {
  const used = kAxes.reduce(
    (all, axis) => all * Number(context.value(`plan.${axis}`)),
    1,
  );
  const there = context.value("cluster.gpus");
  if (typeof there !== "number" || Number.isNaN(used)) return "";
  const state = used === there ? "good" : "open";
  return html`<p class="product product-${state}" aria-live="polite">
    ${kAxes.map((axis) => String(context.value(`plan.${axis}`))).join(" × ")} =
    ${count(used)} of ${count(there)} GPUs
  </p>`;
}

function to_answer(context: Context): void {
  const form: Record<string, string> = { ...context.desk.form };
  const keys =
    context.phase === "training" ? [...kAxes, ...kTrainingOptions] : kAxes;
  for (const key of keys) form[`q2.${key}`] = context.text(`plan.${key}`);
  context.dispatch({ type: "answers", view: context.view, form });
  document.getElementById("q2-title")?.focus();
}

function zero_choices() {
  return [0, 1, 2, 3].map((stage) => ({
    value: String(stage),
    text: stage === 0 ? "off" : `stage ${stage}`,
  }));
}

function options(context: Context): Part {
  if (context.phase !== "training") return "";
  return html`<div class="fields options">${field(context, "plan.zero", {
    label: "ZeRO",
    choices: zero_choices(),
  })}
    ${field(context, "plan.recompute")} ${field(context, "plan.micro_batch")}
    </div>
    <details class="more">
      <summary>More options</summary>
      <div class="fields">
        ${kRareOptions.map((key) => field(context, `plan.${key}`))}
      </div>
    </details>`;
}

export function plan_panel(context: Context): TemplateResult {
  return html`<section class="plan" aria-labelledby="plan-title">
    <h2 id="plan-title" tabindex="-1">Plan under study</h2>
    <div class="fields degrees">
      ${kAxes.map((axis) =>
        field(context, `plan.${axis}`, { label: words(axis) }),
      )}
    </div>
    ${options(context)}
    <div class="plan-foot">
      ${use_product(context)}
      ${
        context.own
          ? ""
          : html`<button
            type="button"
            class="small"
            @click=${() => to_answer(context)}
          >
            Use in my answer
          </button>`
      }
    </div>
  </section>`;
}
