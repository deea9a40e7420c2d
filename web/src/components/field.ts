// A parameter with its label, unit, error and way back to the default.

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { Context } from "../context.js";
import { to_text } from "../fields.js";
import { sentence, unit_text } from "../format.js";

// Objects whose values have a default to go back to.
const kMarked = new Set([
  "model",
  "cluster",
  "training",
  "serving",
  "min_efficiency",
]);

export interface FieldOptions {
  label?: string;
  placeholder?: string;
  standard?: string; // shown as chosen where nothing was
  assumed?: boolean;
  choices?: readonly { value: string; text: string }[];
}

function choice_input(
  context: Context,
  key: string,
  id: string,
  choices: readonly { value: string; text: string }[],
  standard: string,
): TemplateResult {
  const chosen = context.text(key) || standard;
  return html`<select
    id=${id}
    @change=${(event: Event) =>
      context.edit(key, (event.target as HTMLSelectElement).value)}
  >
    ${choices.map(
      (choice) =>
        html`<option
          value=${choice.value}
          .selected=${live(choice.value === chosen)}
        >
          ${choice.text}
        </option>`,
    )}
  </select>`;
}

function number_input(
  context: Context,
  key: string,
  id: string,
  problem: string,
  options: FieldOptions,
): TemplateResult {
  return html`<input
    id=${id}
    type="text"
    inputmode="decimal"
    autocomplete="off"
    spellcheck="false"
    placeholder=${options.placeholder ?? nothing}
    .value=${live(context.text(key))}
    aria-invalid=${problem === "" ? nothing : "true"}
    aria-describedby=${problem === "" ? nothing : `${id}-error`}
    @input=${(event: Event) =>
      context.edit(key, (event.target as HTMLInputElement).value)}
  />`;
}

function boolean_choices() {
  return [
    { value: "true", text: "Yes" },
    { value: "false", text: "No" },
  ];
}

function field_id(key: string): string {
  return `f-${key.replaceAll(".", "-")}`;
}

function reset_button(
  context: Context,
  key: string,
  label: string,
): TemplateResult {
  const was = to_text(context.standard(key));
  return html`<span class="changed"
    >changed${was === "" ? "" : html`, was ${was}`}
    <button
      type="button"
      class="quiet"
      aria-label="Reset ${label}"
      @click=${() => context.reset([key])}
    >
      Reset
    </button></span
  >`;
}

export function field(
  context: Context,
  key: string,
  options: FieldOptions = {},
): TemplateResult {
  const info = context.info(key);
  const label =
    options.label ?? (info.label || sentence(key.split(".")[1] ?? key));
  const id = field_id(key);
  const problem = context.problem(key);
  const choices =
    options.choices ??
    (info.type === "boolean"
      ? boolean_choices()
      : info.choices?.map((value) => ({ value, text: sentence(value) })));
  const changed =
    kMarked.has(key.split(".")[0] ?? "") && context.is_changed(key);
  return html`<div class="field ${changed ? "is-changed" : ""}">
    <label for=${id}
      >${label}${
        info.unit
          ? html` <span class="unit">(${unit_text(info.unit)})</span>`
          : nothing
      }${
        options.assumed ? html` <span class="tag">assumed</span>` : nothing
      }</label
    >
    ${
      choices !== undefined
        ? choice_input(context, key, id, choices, options.standard ?? "")
        : number_input(context, key, id, problem, options)
    }
    ${
      problem === ""
        ? nothing
        : html`<p class="field-error" id="${id}-error">${problem}</p>`
    }
    ${changed ? reset_button(context, key, label) : nothing}
  </div>`;
}
