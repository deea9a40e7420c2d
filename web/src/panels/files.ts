// The answer as a text: a sheet out as Markdown or JSON, and a sheet or a
// whole answer in prose in again, read into the form.

import { html, type TemplateResult } from "lit";
import {
  type AnswersDocument,
  from_answer,
  read_document,
  to_answer,
  to_document,
} from "../answers.js";
import type { Part } from "../components/parts.js";
import type { Context } from "../context.js";
import { pieces, type Reading } from "../readings.js";
import { kOwn } from "../state.js";
import type { Values } from "../types.js";

const kLargestSheet = 1 << 20; // characters

function answered(context: Context): string[] {
  const ids = context.catalog.scenarios.map((one) => one.id);
  const begun = ids.filter((id) => {
    const form = context.state.desks[id]?.form ?? {};
    return Object.values(form).some((text) => text.trim() !== "");
  });
  return begun.length > 0 ? begun : [context.view];
}

function document_of(context: Context): AnswersDocument {
  const answers = answered(context).map((id) =>
    to_answer(id, context.state.desks[id]?.form ?? {}),
  );
  return to_document(context.state.student, answers);
}

function say(context: Context, notice: string): void {
  context.shell.notice = notice;
  context.dispatch({ type: "view", view: context.view });
}

function save_as(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function download(context: Context, format: "markdown" | "json"): void {
  const scenarios = answered(context);
  const outcome = context.outcome<{ text: string }>({
    kind: "sheet",
    options: { format, answers: document_of(context), scenarios },
  });
  if (!outcome.ok) {
    say(context, `No sheet was made: ${outcome.error.message}.`);
    return;
  }
  const name = `meshwise-${scenarios.join("").toLowerCase()}`;
  if (format === "json") {
    save_as(`${name}.json`, "application/json", outcome.reply.text);
  } else {
    save_as(`${name}.md`, "text/markdown", outcome.reply.text);
  }
}

// The answers that a text holds, be it a sheet, a document or prose; what
// names no scenario answers the one in view.
function read_text(context: Context, text: string) {
  const outcome = context.outcome<{ answers: unknown; readings: Reading[] }>({
    kind: "sheet",
    options: { text, scenario: context.view },
  });
  if (!outcome.ok) {
    return { ok: false as const, message: `${outcome.error.message}.` };
  }
  const read = read_document(outcome.reply.answers);
  return read.ok ? { ...read, readings: outcome.reply.readings } : read;
}

function take(context: Context, student: string, answers: Values[]): string {
  const modes = new Set(context.catalog.failure_modes.map((mode) => mode.id));
  const known = new Set(context.catalog.scenarios.map((one) => one.id));
  const taken: string[] = [];
  for (const answer of answers) {
    const id = String(answer["scenario"] ?? context.view);
    if (!known.has(id)) continue;
    const form = from_answer(answer, modes);
    context.dispatch({ type: "answers", view: id, form });
    taken.push(id);
  }
  if (student !== "") context.dispatch({ type: "student", student });
  return taken.length === 0
    ? "The sheet answers none of these scenarios."
    : `Loaded the answers to ${taken.join(", ")}.`;
}

// Reads a text into the form; `name` is what it is called when it cannot be.
function read_in(context: Context, name: string, text: string): void {
  const refuse = (why: string) =>
    say(context, `${name} was not read: ${why} Nothing was changed.`);
  if (text.length > kLargestSheet) {
    refuse("it is larger than 1 MB.");
    return;
  }
  const read = read_text(context, text);
  if (!read.ok) {
    refuse(read.message);
    return;
  }
  context.shell.read = { text, readings: read.readings };
  say(context, take(context, read.student, read.answers));
}

async function load(context: Context, file: File): Promise<void> {
  // Four bytes a character at most.
  const text = file.size > 4 * kLargestSheet ? "" : await file.text();
  if (text === "" && file.size > 0) {
    say(context, `${file.name} was not read: it is larger than 1 MB.`);
    return;
  }
  read_in(context, file.name, text);
}

// The text that was read last, with the field beside each piece of it.
function how_it_was_read(context: Context): Part {
  const { read } = context.shell;
  if (read === undefined || read.readings.length === 0) return "";
  return html`<details class="readings" open>
    <summary>How your text was read</summary>
    <p class="hint">
      What is marked stands in the form above, where you can change it.
    </p>
    <p class="read-text">${pieces(read.text, read.readings).map((piece) =>
      piece.field === undefined
        ? piece.text
        : html`<mark>${piece.text}<small> [${piece.field}]</small></mark>`,
    )}</p>
  </details>`;
}

function paste_box(context: Context): TemplateResult {
  const submit = (event: Event) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const box = form.elements.namedItem("prose") as HTMLTextAreaElement;
    if (box.value.trim() === "") {
      say(context, "Paste your answer into the box first.");
      return;
    }
    read_in(context, "Your text", box.value);
  };
  return html`<form class="paste" @submit=${submit}>
    <label for="prose">Or paste a whole answer in your own words</label>
    <textarea id="prose" name="prose" rows="5"></textarea>
    <button type="submit">Read it into the form</button>
  </form>`;
}

function first_file(list: FileList | null | undefined): File | undefined {
  return list?.[0];
}

export function file_tools(context: Context): TemplateResult {
  if (context.view === kOwn) return html``;
  const pick = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const file = first_file(input.files);
    if (file !== undefined) void load(context, file);
    input.value = "";
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const file = first_file(event.dataTransfer?.files);
    if (file !== undefined) void load(context, file);
  };
  return html`<section
    class="files"
    aria-labelledby="files-title"
    @dragover=${(event: DragEvent) => event.preventDefault()}
    @drop=${drop}
  >
    <h3 id="files-title">Answer sheet</h3>
    <div class="fields">
      <div class="field">
        <label for="student">Your name, for the sheet</label>
        <input
          id="student"
          type="text"
          autocomplete="name"
          .value=${context.state.student}
          @input=${(event: Event) =>
            context.dispatch({
              type: "student",
              student: (event.target as HTMLInputElement).value,
            })}
        />
      </div>
      <div class="field">
        <label for="sheet">Load an answer (Markdown, text or JSON)</label>
        <input
          id="sheet"
          type="file"
          accept=".md,.json,.txt,text/markdown,application/json"
          @change=${pick}
        />
      </div>
    </div>
    <p class="choices">
      <button type="button" @click=${() => download(context, "markdown")}>
        Download as Markdown
      </button>
      <button type="button" @click=${() => download(context, "json")}>
        Download as JSON
      </button>
    </p>
    ${paste_box(context)} ${how_it_was_read(context)}
  </section>`;
}
