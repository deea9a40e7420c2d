// The answer form: the five questions, each with its marks beneath it once
// the answer has been graded.

import { html, type TemplateResult } from "lit";
import {
  axes_used,
  degree,
  product,
  to_answer,
  to_document,
} from "../answers.js";
import {
  type Choice,
  choose,
  figure,
  passage,
  words_field,
} from "../components/answer_field.js";
import { type Part, panel } from "../components/parts.js";
import type { Context } from "../context.js";
import { count, sentence, words } from "../format.js";
import { parameter_label } from "../names.js";
import {
  type GradeReply,
  kAxes,
  type ParameterInfo,
  type Question,
} from "../types.js";
import { file_tools } from "./files.js";
import { question_result, score_card } from "./result.js";

const kTitles: Record<string, string> = {
  q1: "What binds",
  q2: "Which axes, at what degree",
  q3: "Which tier, and the least bandwidth",
  q4: "The failure mode you accept",
  q5: "What would change your answer",
};

function constraint_choices(context: Context): Choice[] {
  return context.catalog.constraints
    .map((item) => (typeof item === "string" ? item : item.id))
    .filter((id) => id !== "none")
    .map((id) => ({ value: id, text: words(id) }));
}

function question_1(context: Context): TemplateResult {
  const serving = context.phase === "serving";
  return html`${choose(
    context,
    "q1.constraint",
    "Binding constraint",
    constraint_choices(context),
  )}
  ${passage(
    context,
    "q1.because",
    "Because",
    "Give a number that shows it, with its unit.",
  )}
  ${
    serving
      ? html`${passage(context, "q1.prefill", "What binds prefill")}
        ${passage(context, "q1.decode", "What binds decode")}`
      : ""
  }`;
}

// "8 × 4 × 1 × 1 × 1 = 32 of 64", as it is typed.
function product_line(context: Context): Part {
  const { form } = context.desk;
  const all = product(form);
  const there = context.summary?.cluster.gpus ?? 0;
  if (Number.isNaN(all)) {
    return html`<p class="product" aria-live="polite">Product: not a number</p>`;
  }
  const done = all === there;
  const state = done ? "good" : all > there ? "bad" : "open";
  return html`<p class="product product-${state}" aria-live="polite">
    Product: ${kAxes.map((axis) => count(degree(form, axis))).join(" × ")} =
    ${count(all)} of ${count(there)} GPUs${done ? " ✓" : ""}
  </p>`;
}

function degrees(context: Context): TemplateResult {
  return html`<div class="fields degrees">
    ${kAxes.map((axis) => figure(context, `q2.${axis}`, words(axis), "", "1"))}
  </div>`;
}

function training_options(context: Context): TemplateResult {
  const zero = [0, 1, 2, 3].map((stage) => ({
    value: String(stage),
    text: stage === 0 ? "off" : `stage ${stage}`,
  }));
  const recompute = ["none", "selective", "full"].map((value) => ({
    value,
    text: sentence(value),
  }));
  return html`<div class="fields options">
    ${choose(context, "q2.zero", "ZeRO", zero)}
    ${choose(context, "q2.recompute", "Recompute", recompute)}
    ${figure(context, "q2.micro_batch", "Micro-batch", "sequences")}
    ${figure(context, "q2.global_batch", "Global batch", "sequences")}
  </div>`;
}

function serving_options(context: Context): TemplateResult {
  return html`<div class="fields options">
    ${figure(context, "q2.batch", "Batch", "sequences")}
    ${figure(context, "q2.context_tokens", "Context", "tokens")}
    ${figure(context, "q2.hbm_bandwidth_gbps", "HBM bandwidth", "GB/s")}
  </div>`;
}

function question_2(context: Context): TemplateResult {
  const axes = kAxes.map((axis) => ({ value: axis, text: words(axis) }));
  return html`${degrees(context)} ${product_line(context)}
    ${
      context.phase === "training"
        ? training_options(context)
        : serving_options(context)
    }
    <div class="unused">
      ${choose(context, "q2.unused.axis", "Axis left out on purpose", axes)}
      ${passage(context, "q2.unused.because", "Left out because")}
    </div>`;
}

function tier_choices(context: Context): Choice[] {
  const tiers = context.summary?.cluster["tiers"] as
    | { name: string }[]
    | undefined;
  return (tiers ?? []).map(({ name }) => ({ value: name, text: name }));
}

function algorithm_choices(context: Context): Choice[] {
  return context.catalog.algorithms
    .map((item) => (typeof item === "string" ? item : item.id))
    .map((id) => ({ value: id, text: words(id) }));
}

function question_3(context: Context): TemplateResult {
  const axes = axes_used(context.desk.form);
  if (axes.length === 0) {
    return html`<p class="hint">
      Each axis of a degree over 1 in question 2 gets its line here.
    </p>`;
  }
  const units = [
    { value: "gbps", text: "GB/s, at least" },
    { value: "us", text: "µs a hop, at most" },
  ];
  return html`${axes.map(
    (axis) =>
      html`<fieldset class="axis-answer">
        <legend>${words(axis)} = ${context.desk.form[`q2.${axis}`]}</legend>
        <div class="fields">
          ${choose(context, `q3.${axis}.tier`, "Tier", tier_choices(context))}
          ${figure(context, `q3.${axis}.minimum`, "Minimum")}
          ${choose(context, `q3.${axis}.unit`, "Unit", units, {
            standard: "gbps",
          })}
          ${
            context.phase === "serving"
              ? choose(
                  context,
                  `q3.${axis}.algorithm`,
                  "Algorithm",
                  algorithm_choices(context),
                )
              : ""
          }
        </div>
        ${passage(context, `q3.${axis}.because`, "Because")}
      </fieldset>`,
  )}`;
}

function question_4(context: Context): TemplateResult {
  const modes = context.catalog.failure_modes.map((mode) => ({
    value: mode.id,
    text: mode.title,
  }));
  modes.push({ value: "own", text: "in my own words" });
  const own = context.desk.form["q4.mode"] === "own";
  return html`${choose(context, "q4.mode", "Failure mode", modes)}
  ${own ? words_field(context, "q4.own", "In your own words") : ""}
  ${passage(
    context,
    "q4.symptom",
    "Symptom",
    "A metric that one would see move, and which way.",
  )}`;
}

function parameter_of(
  context: Context,
  id = context.desk.form["q5.parameter"],
): ParameterInfo | undefined {
  return context.scenario?.parameters.find((one) => one.id === id);
}

function question_5(context: Context): TemplateResult {
  const parameters = (context.scenario?.parameters ?? []).map((one) => ({
    value: one.id,
    text: parameter_label(context.catalog, one.id),
  }));
  const unit = parameter_of(context)?.unit;
  const units = unit === undefined ? [] : [{ value: unit, text: unit }];
  return html`<div class="fields">
      ${choose(context, "q5.parameter", "Parameter", parameters, {
        also: (id) => ({ "q5.unit": parameter_of(context, id)?.unit ?? "" }),
      })}
      ${figure(context, "q5.threshold", "Threshold")}
      ${choose(context, "q5.unit", "Unit", units)}
      ${choose(context, "q5.direction", "It changes", [
        { value: "above", text: "above it" },
        { value: "below", text: "below it" },
      ])}
    </div>
    ${passage(context, "q5.because", "Because")}`;
}

const kForms: Record<string, (context: Context) => TemplateResult> = {
  q1: question_1,
  q2: question_2,
  q3: question_3,
  q4: question_4,
  q5: question_5,
};

function question(context: Context, asked: Question): TemplateResult {
  const form = kForms[asked.id];
  const number = asked.id.slice(1);
  return html`<section class="question" aria-labelledby="${asked.id}-title">
    <h3 id="${asked.id}-title" tabindex="-1">
      <span class="question-number">${number}</span>
      ${kTitles[asked.id] ?? asked.id}
    </h3>
    <p class="hint">${asked.text}</p>
    ${form === undefined ? "" : form(context)}
    ${question_result(context, asked)}
  </section>`;
}

export function grade(context: Context): void {
  const { form } = context.desk;
  const answers = to_document(context.state.student, [
    to_answer(context.view, form),
  ]);
  const outcome = context.outcome<GradeReply>({
    kind: "grade",
    submissions: [{ source: "page", answers }],
    options: { scenario: context.view, worked: true },
  });
  const { shell } = context;
  if (!outcome.ok) {
    shell.notice = `Not graded: ${outcome.error.message}.`;
    context.dispatch({ type: "view", view: context.view });
    return;
  }
  const result = outcome.reply.results[0];
  if (result === undefined) {
    const said = outcome.reply.errors?.[0]?.message ?? "nothing to grade";
    shell.notice = `Not graded: ${said}.`;
    context.dispatch({ type: "view", view: context.view });
    return;
  }
  shell.notice = "";
  shell.said = `Graded: ${result.score} of ${result.max}.`;
  const across = (outcome.reply.across ?? []).map((note) => note.says);
  context.dispatch({
    type: "graded",
    view: context.view,
    graded: { result, form, across },
  });
  document.getElementById("score")?.focus();
}

function edited_note(context: Context): Part {
  const objects = ["model", "cluster", context.phase, "request"];
  if (context.changed_keys(objects).length === 0) return "";
  return html`<p class="hint">
    Marks are given for scenario ${context.view} as it is set, not for the
    parameters that you changed.
  </p>`;
}

export function answer_panel(context: Context): TemplateResult {
  const questions = context.scenario?.questions ?? [];
  const submit = (event: Event) => {
    event.preventDefault();
    grade(context);
  };
  return panel(
    "answer",
    "Your answer",
    "Five questions, five marks each. Every mark comes from running the planner on your own plan.",
    html`${score_card(context)}
      <form novalidate @submit=${submit}>
        ${questions.map((asked) => question(context, asked))}
        ${edited_note(context)}
        <p class="submit">
          <button type="submit" class="primary">Grade my answer</button>
        </p>
      </form>
      ${file_tools(context)}`,
  );
}
