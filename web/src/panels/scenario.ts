// The task: its prompt, its facts, and what is assumed beyond them.

import { html, type TemplateResult } from "lit";
import type { Part } from "../components/parts.js";
import type { Context } from "../context.js";

function list(title: string, items: readonly Part[], kind = ""): Part {
  if (items.length === 0) return "";
  return html`<div class="facts ${kind}">
    <h3>${title}</h3>
    <ul>
      ${items.map((item) => html`<li>${item}</li>`)}
    </ul>
  </div>`;
}

function paragraphs(text: string): TemplateResult[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => html`<p>${paragraph.trim()}</p>`);
}

function own_intro(): TemplateResult {
  return html`<section class="prompt" aria-labelledby="scenario-title">
    <div class="prompt-text">
      <h2 id="scenario-title" tabindex="-1">Your own model and cluster</h2>
      <p>
        Choose a model and a cluster, change any number, and see what each plan
        costs: its memory, its step or its token, and what would change the
        choice.
      </p>
    </div>
  </section>`;
}

export function scenario_panel(context: Context): TemplateResult {
  const { scenario } = context;
  if (scenario === undefined) return own_intro();
  return html`<section class="prompt" aria-labelledby="scenario-title">
    <div class="prompt-text">
      <h2 id="scenario-title" tabindex="-1">
        Scenario ${scenario.scenario.id}: ${scenario.scenario.title}
      </h2>
      ${paragraphs(scenario.prompt)}
    </div>
    ${list("Facts", scenario.facts)}
    ${list(
      "Assumptions",
      scenario.assumptions.map((note) => note.text),
      "assumptions",
    )}
  </section>`;
}
