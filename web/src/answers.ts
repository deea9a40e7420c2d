// The answer form and the document that is graded, one into the other.

import { read_number } from "./fields.js";
import type { AnswerForm } from "./state.js";
import { type AxisName, kAxes, type Values } from "./types.js";

export interface AnswersDocument {
  schema: "meshwise.answers/1";
  student?: string;
  answers: Values[];
}

const kReasons = ["constraint", "because", "prefill", "decode"];
const kFigures = [
  ...kAxes,
  "zero",
  "micro_batch",
  "global_batch",
  "batch",
  "context_tokens",
  "hbm_bandwidth_gbps",
];
const kAxisKeys = ["tier", "algorithm", "because"];

// Text as a number where it is one; the grader says what it cannot read.
function value_of(text: string): number | string {
  const value = read_number(text);
  return Number.isNaN(value) ? text.trim() : value;
}

function texts(form: AnswerForm, from: string, keys: readonly string[]) {
  const found: Values = {};
  for (const key of keys) {
    const text = form[`${from}.${key}`]?.trim() ?? "";
    if (text !== "") found[key] = text;
  }
  return found;
}

function numbers(form: AnswerForm, from: string, keys: readonly string[]) {
  const found: Values = {};
  for (const key of keys) {
    const text = form[`${from}.${key}`]?.trim() ?? "";
    if (text !== "") found[key] = value_of(text);
  }
  return found;
}

// The degree typed for an axis; an empty field is 1.
export function degree(form: AnswerForm, axis: AxisName): number {
  const text = form[`q2.${axis}`]?.trim() ?? "";
  return text === "" ? 1 : read_number(text);
}

export function product(form: AnswerForm): number {
  return kAxes.reduce((all, axis) => all * degree(form, axis), 1);
}

export function axes_used(form: AnswerForm): AxisName[] {
  return kAxes.filter((axis) => degree(form, axis) > 1);
}

function question_2(form: AnswerForm): Values {
  const q2: Values = {
    ...numbers(form, "q2", kFigures),
    ...texts(form, "q2", ["recompute"]),
  };
  const unused = texts(form, "q2.unused", ["axis", "because"]);
  if (Object.keys(unused).length > 0) q2["unused"] = [unused];
  return q2;
}

function question_3(form: AnswerForm): Values {
  const q3: Values = {};
  for (const axis of axes_used(form)) {
    const from = `q3.${axis}`;
    const entry = texts(form, from, kAxisKeys);
    const minimum = form[`${from}.minimum`]?.trim() ?? "";
    const unit = form[`${from}.unit`] === "us" ? "maximum_us" : "minimum_gbps";
    if (minimum !== "") entry[unit] = value_of(minimum);
    if (Object.keys(entry).length > 0) q3[axis] = entry;
  }
  return q3;
}

function question_4(form: AnswerForm): Values {
  const q4 = texts(form, "q4", ["mode", "symptom"]);
  const own = form["q4.own"]?.trim() ?? "";
  if (q4["mode"] === "own") delete q4["mode"];
  if (q4["mode"] === undefined && own !== "") q4["mode"] = own;
  return q4;
}

function question_5(form: AnswerForm): Values {
  return {
    ...texts(form, "q5", ["parameter"]),
    ...numbers(form, "q5", ["threshold"]),
    ...texts(form, "q5", ["unit", "direction", "because"]),
  };
}

export function to_answer(scenario: string, form: AnswerForm): Values {
  const parts: Values = {
    q1: texts(form, "q1", kReasons),
    q2: question_2(form),
    q3: question_3(form),
    q4: question_4(form),
    q5: question_5(form),
  };
  const answer: Values = { scenario };
  for (const [id, part] of Object.entries(parts)) {
    if (Object.keys(part as Values).length > 0) answer[id] = part;
  }
  return answer;
}

export function to_document(
  student: string,
  answers: Values[],
): AnswersDocument {
  const document: AnswersDocument = { schema: "meshwise.answers/1", answers };
  if (student.trim() !== "") document.student = student.trim();
  return document;
}

function is_record(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const kKeys: Record<string, readonly string[]> = {
  q1: kReasons,
  q2: [...kFigures, "recompute"],
  "q2.unused": ["axis", "because"],
  q4: ["mode", "symptom"],
  q5: ["parameter", "threshold", "unit", "direction", "because"],
};
function copy(from: unknown, into: Record<string, string>, prefix: string) {
  if (!is_record(from)) return;
  for (const key of kKeys[prefix] ?? kAxisKeys) {
    const value = from[key];
    if (typeof value === "string" || typeof value === "number") {
      into[`${prefix}.${key}`] = String(value);
    }
  }
}

function read_axis(from: unknown, into: Record<string, string>, at: string) {
  if (!is_record(from)) return;
  copy(from, into, at);
  const latency = from["maximum_us"];
  const minimum = latency ?? from["minimum_gbps"];
  if (minimum === undefined) return;
  into[`${at}.minimum`] = String(minimum);
  into[`${at}.unit`] = latency === undefined ? "gbps" : "us";
}

// The form that says what an answer says. Unknown failure modes become the
// student's own words.
export function from_answer(
  answer: Values,
  known_modes: ReadonlySet<string>,
): AnswerForm {
  const form: Record<string, string> = {};
  for (const id of ["q1", "q2", "q4", "q5"]) copy(answer[id], form, id);
  const q2 = answer["q2"];
  const unused = is_record(q2) ? q2["unused"] : undefined;
  if (Array.isArray(unused)) copy(unused[0], form, "q2.unused");
  const q3 = is_record(answer["q3"]) ? answer["q3"] : {};
  for (const axis of kAxes) read_axis(q3[axis], form, `q3.${axis}`);
  const mode = form["q4.mode"];
  if (mode !== undefined && !known_modes.has(mode)) {
    form["q4.own"] = mode;
    form["q4.mode"] = "own";
  }
  return form;
}

// An answers document's answers, or what is wrong with the text, in a line.
export function read_document(document: unknown):
  | { ok: true; student: string; answers: Values[] }
  | {
      ok: false;
      message: string;
    } {
  if (!is_record(document) || document["schema"] !== "meshwise.answers/1") {
    return { ok: false, message: "This is no Meshwise answer sheet." };
  }
  const answers = document["answers"];
  if (!Array.isArray(answers) || !answers.every(is_record)) {
    return { ok: false, message: "The sheet has no list of answers." };
  }
  const student = document["student"];
  return {
    ok: true,
    student: typeof student === "string" ? student : "",
    answers,
  };
}
