// The controls of the answer form. What is typed is kept as typed; the grader
// reads it.

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { Context } from "../context.js";
import { read_number } from "../fields.js";

export interface Choice {
  value: string;
  text: string;
}

function id_of(key: string): string {
  return `a-${key.replaceAll(".", "-")}`;
}

function answer(context: Context, key: string) {
  return (event: Event) => {
    const { value } = event.target as HTMLInputElement;
    context.dispatch({ type: "answer", key, text: value });
  };
}

function value_of(context: Context, key: string): string {
  return context.desk.form[key] ?? "";
}

export interface ChooseOptions {
  standard?: string; // chosen where nothing was; else an empty choice leads
  also?: (value: string) => Record<string, string>; // set with it
}

export function choose(
  context: Context,
  key: string,
  label: string,
  choices: readonly Choice[],
  options: ChooseOptions = {},
): TemplateResult {
  const chosen = value_of(context, key) || (options.standard ?? "");
  const known =
    chosen === "" || choices.some((choice) => choice.value === chosen);
  const answer = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    const form = { ...context.desk.form, ...options.also?.(value) };
    form[key] = value;
    context.dispatch({ type: "answers", view: context.view, form });
  };
  const all = [
    ...(options.standard === undefined ? [{ value: "", text: "–" }] : []),
    ...choices,
    ...(known ? [] : [{ value: chosen, text: chosen }]),
  ];
  return html`<div class="field">
    <label for=${id_of(key)}>${label}</label>
    <select id=${id_of(key)} @change=${answer}>
      ${all.map(
        (choice) =>
          html`<option
            value=${choice.value}
            .selected=${live(choice.value === chosen)}
          >
            ${choice.text}
          </option>`,
      )}
    </select>
  </div>`;
}

// A number; text that is none is named beside it, and kept.
export function figure(
  context: Context,
  key: string,
  label: string,
  unit = "",
  placeholder = "",
): TemplateResult {
  const text = value_of(context, key);
  const wrong = text.trim() !== "" && Number.isNaN(read_number(text));
  const id = id_of(key);
  return html`<div class="field">
    <label for=${id}
      >${label}${
        unit === "" ? nothing : html` <span class="unit">(${unit})</span>`
      }</label
    >
    <input
      id=${id}
      type="text"
      inputmode="decimal"
      autocomplete="off"
      placeholder=${placeholder === "" ? nothing : placeholder}
      .value=${live(text)}
      aria-invalid=${wrong ? "true" : nothing}
      aria-describedby=${wrong ? `${id}-error` : nothing}
      @input=${answer(context, key)}
    />
    ${
      wrong
        ? html`<p class="field-error" id="${id}-error">
          Not a number: it will be read as words.
        </p>`
        : nothing
    }
  </div>`;
}

export function words_field(
  context: Context,
  key: string,
  label: string,
): TemplateResult {
  return html`<div class="field">
    <label for=${id_of(key)}>${label}</label>
    <input
      id=${id_of(key)}
      type="text"
      autocomplete="off"
      .value=${live(value_of(context, key))}
      @input=${answer(context, key)}
    />
  </div>`;
}

export function passage(
  context: Context,
  key: string,
  label: string,
  hint = "",
): TemplateResult {
  const id = id_of(key);
  return html`<div class="field wide">
    <label for=${id}>${label}</label>
    ${hint === "" ? nothing : html`<p class="hint" id="${id}-hint">${hint}</p>`}
    <textarea
      id=${id}
      rows="2"
      aria-describedby=${hint === "" ? nothing : `${id}-hint`}
      .value=${live(value_of(context, key))}
      @input=${answer(context, key)}
    ></textarea>
  </div>`;
}
