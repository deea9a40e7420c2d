// The few shapes that every panel is made of.

import { html, nothing, type TemplateResult } from "lit";
import { with_unit } from "../format.js";
import type { Explanation, Note, Problem, Reason } from "../types.js";

export type Part = TemplateResult | string | typeof nothing;

export interface Column {
  label: string;
  text?: boolean; // left-aligned words, not a number
}

export interface Row {
  header: Part;
  cells: readonly Part[];
  marked?: boolean; // the row that the text speaks of
  total?: boolean;
}

// A table with its caption, headers in scope, and a scroll area of its own.
export function data_table(
  caption: string,
  columns: readonly Column[],
  rows: readonly Row[],
): TemplateResult {
  return html`<div class="table-scroll" role="region" aria-label=${caption}>
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(
            (column, index) =>
              html`<th
                scope="col"
                class=${column.text || index === 0 ? "words" : "figure"}
              >
                ${column.label}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => table_row(columns, row))}
      </tbody>
    </table>
  </div>`;
}

function table_row(columns: readonly Column[], row: Row): TemplateResult {
  const kind = row.total ? "total" : row.marked ? "marked" : "";
  return html`<tr class=${kind}>
    <th scope="row">${row.header}</th>
    ${row.cells.map(
      (cell, index) =>
        html`<td class=${columns[index + 1]?.text ? "words" : "figure"}>
          ${cell}
        </td>`,
    )}
  </tr>`;
}

export function swatch(name: string): TemplateResult {
  return html`<span class="swatch fill-${name}" aria-hidden="true"></span>`;
}

function find(
  explain: readonly Explanation[] | undefined,
  ids: readonly string[],
): Explanation | undefined {
  return explain?.find((entry) => ids.includes(entry.id));
}

function formula_body(entry: Explanation): TemplateResult {
  return html`<p class="formula-symbols">${entry.formula}</p>
    <p class="formula-numbers">
      ${entry.numbers} =
      <strong>${with_unit(entry.value, entry.unit)}</strong>
    </p>
    <p class="formula-source">${entry.source}</p>`;
}

// A headline number; its formula opens beneath it where the reply has one.
export function stat(
  label: string,
  value: Part,
  explain?: readonly Explanation[],
  ids: readonly string[] = [],
): TemplateResult {
  const entry = find(explain, ids);
  return html`<div class="stat">
    <p class="stat-label">${label}</p>
    <p class="stat-value">${value}</p>
    ${
      entry === undefined
        ? nothing
        : html`<details class="formula">
          <summary aria-label="Formula of ${label}">formula</summary>
          <div class="formula-card">${formula_body(entry)}</div>
        </details>`
    }
  </div>`;
}

// All formulas of a reply, with the numbers put in.
export function formulas(explain: readonly Explanation[] | undefined): Part {
  if (explain === undefined || explain.length === 0) return nothing;
  return html`<details class="formulas">
    <summary>Formulas with the numbers put in</summary>
    <dl>
      ${explain.map(
        (entry) =>
          html`<dt>${entry.label}</dt>
            <dd>${formula_body(entry)}</dd>`,
      )}
    </dl>
  </details>`;
}

export function notes(list: readonly Note[] | undefined): Part {
  if (list === undefined || list.length === 0) return nothing;
  return html`<details class="formulas">
    <summary>What these numbers assume</summary>
    <ul>
      ${list.map((note) => html`<li>${note.text}</li>`)}
    </ul>
  </details>`;
}

export function reasons(list: readonly Reason[] | undefined): Part {
  if (list === undefined || list.length === 0) return nothing;
  return html`<ul class="reasons">
    ${list.map((reason) => html`<li>${reason.says}</li>`)}
  </ul>`;
}

// A failed request, said once above the last good result.
export function problem_line(error: Problem | undefined, kept = true): Part {
  if (error === undefined) return nothing;
  const hint = error.hint ? ` (${error.hint})` : "";
  return html`<p class="problem" role="status">
    ${error.message}${hint}.
    ${kept ? "The figures below are from before this change." : nothing}
  </p>`;
}

export function badge(kind: string, text: string): TemplateResult {
  return html`<span class="badge badge-${kind}">${text}</span>`;
}

export function panel(
  id: string,
  title: string,
  lead: Part,
  body: Part,
): TemplateResult {
  return html`<section class="panel" id=${id} aria-labelledby="${id}-title">
    <h2 id="${id}-title" tabindex="-1">${title}</h2>
    <p class="lead">${lead}</p>
    ${body}
  </section>`;
}
