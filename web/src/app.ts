// The page as a whole: which panels stand where.

import { html, type TemplateResult } from "lit";
import type { Context } from "./context.js";
import { answer_panel } from "./panels/answer.js";
import { collectives_panel } from "./panels/collectives.js";
import { decode_panel } from "./panels/decode.js";
import { memory_panel } from "./panels/memory.js";
import { parameters_panel } from "./panels/parameters.js";
import { plan_panel } from "./panels/plan.js";
import { plans_panel } from "./panels/plans.js";
import { scenario_panel } from "./panels/scenario.js";
import { step_panel } from "./panels/step.js";
import { thresholds_panel } from "./panels/thresholds.js";
import { kOwn } from "./state.js";

function contents(context: Context): TemplateResult {
  const links = [
    ["memory", "Memory"],
    ["step", context.phase === "training" ? "Step" : "Token"],
    ["collectives", "Collectives"],
    ...(context.own ? [] : [["answer", "Your answer"]]),
    ["plans", "Plans"],
    ["thresholds", "What would change it"],
  ];
  return html`<nav class="contents" aria-label="On this page">
    ${links.map(([id, text]) => html`<a href="#${id}-title">${text}</a>`)}
  </nav>`;
}

function notice(context: Context): TemplateResult {
  const { shell } = context;
  const dismiss = () => {
    shell.notice = "";
    context.dispatch({ type: "view", view: context.view });
  };
  return html`<div class="notice-area" role="status">
    ${
      shell.notice === ""
        ? ""
        : html`<p class="notice">
          ${shell.notice}
          <button type="button" class="small" @click=${dismiss}>Dismiss</button>
        </p>`
    }
  </div>`;
}

export function app(context: Context): TemplateResult {
  const { own } = context;
  // Results first: what they report of a field is drawn beside the field.
  const plan_results = html`${memory_panel(context)}
  ${context.phase === "training" ? step_panel(context) : decode_panel(context)}
  ${collectives_panel(context)}`;
  return html`${notice(context)}
    <p class="visually-hidden" aria-live="polite">${context.shell.said}</p>
    <div class="desk">
      ${scenario_panel(context)}
      <aside class="side" aria-labelledby="parameters-title">
        ${parameters_panel(context)}
      </aside>
      <div class="work">
        ${contents(context)} ${plan_panel(context)} ${plan_results}
        ${own ? "" : answer_panel(context)} ${plans_panel(context)}
        ${thresholds_panel(context)}
      </div>
    </div>`;
}

export function tabs(
  view: string,
  ids: readonly { id: string; title: string }[],
) {
  const all = [...ids, { id: kOwn, title: "Your own" }];
  return html`${all.map(
    ({ id, title }) =>
      html`<a
        href="#${id}"
        data-view=${id}
        aria-current=${id === view ? "page" : "false"}
        >${id === kOwn ? "" : html`<b>${id}</b>`}<span>${title}</span></a
      >`,
  )}`;
}
