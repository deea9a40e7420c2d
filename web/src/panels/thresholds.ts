// What would change the answer: the worker asks for one parameter at a time,
// so that the list grows while it works.

import { html, type TemplateResult } from "lit";
import { data_table, type Part, panel } from "../components/parts.js";
import type { Context } from "../context.js";
import { count, with_unit } from "../format.js";
import { parameter_label } from "../names.js";
import { is_done, type Search } from "../search_client.js";
import type { Request, Threshold, ThresholdReply } from "../types.js";
import { closed_note, is_open } from "./plans.js";

const kChanges: Record<string, string> = {
  constraint: "the binding constraint",
  best_axes: "the best plan's axes",
  feasibility: "whether the plan runs",
  standing: "the plan's standing",
};

function topic(context: Context): string {
  return `thresholds/${context.view}`;
}

function requests(context: Context): Request[] {
  const request = {
    ...context.base,
    kind: "threshold",
    plan: context.plan(),
  };
  const known = context.scenario?.parameters ?? context.catalog.parameters;
  return known.map((parameter) => ({
    ...request,
    options: { parameters: [parameter.id], best_axes: true },
  }));
}

function rows_of(search: Search<ThresholdReply>): Threshold[] {
  return search.outcomes.flatMap((outcome) =>
    outcome.ok ? outcome.reply.thresholds : [],
  );
}

function table(context: Context, rows: readonly Threshold[]): Part {
  if (rows.length === 0) return "";
  return data_table(
    "Where the answer changes, for the plan under study",
    [
      { label: "Parameter" },
      { label: "Now" },
      { label: "Changes at" },
      { label: "Way", text: true },
      { label: "What changes", text: true },
      { label: "From", text: true },
      { label: "To", text: true },
    ],
    rows.map((row) => ({
      header: parameter_label(context.catalog, row.parameter),
      cells: [
        with_unit(row.current, row.unit),
        with_unit(row.value, row.unit),
        html`<span class="nowrap"
          >${row.direction === "up" ? "↑ up" : "↓ down"}</span
        >`,
        kChanges[row.changes] ?? row.changes,
        html`<span class="nowrap">${row.before}</span>`,
        html`<span class="nowrap">${row.after}</span>`,
      ],
    })),
  );
}

function progress(search: Search<ThresholdReply>): Part {
  if (search.failed !== undefined) {
    return html`<p class="problem">The search stopped: ${search.failed}</p>`;
  }
  if (is_done(search)) return "";
  const done = search.outcomes.length;
  return html`<p class="busy">
    <progress
      max=${search.total}
      .value=${done}
      aria-label="Parameters looked at"
    ></progress>
    ${count(done)} of ${count(search.total)} parameters
  </p>`;
}

function body(context: Context): Part {
  const { client } = context.shell;
  const asked = requests(context);
  const current = client.current<ThresholdReply>(topic(context));
  const fresh = current?.key === JSON.stringify(asked);
  const start = () => {
    client.ask(topic(context), asked);
    context.dispatch({ type: "view", view: context.view });
  };
  return html`<p>
      <button type="button" @click=${start} ?disabled=${fresh && !is_done(current)}>
        ${current === undefined || fresh ? "Find thresholds" : "Find them again"}
      </button>
      ${
        current !== undefined && !fresh
          ? html`<span class="stale">These are from before your last change.</span>`
          : ""
      }
    </p>
    ${
      current === undefined
        ? ""
        : html`${progress(current)} ${table(context, rows_of(current))}
        ${
          is_done(current) && rows_of(current).length === 0
            ? html`<p>Nothing within a factor of 64 changes the answer.</p>`
            : ""
        }`
    }`;
}

export function thresholds_panel(context: Context): TemplateResult {
  return panel(
    "thresholds",
    "What would change the answer",
    "For each parameter, the nearest value at which the constraint, the best axes or the plan's standing changes.",
    is_open(context) ? body(context) : closed_note("The list of thresholds"),
  );
}
