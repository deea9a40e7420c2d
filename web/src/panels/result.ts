// The graded answer: what was read, the marks, the number behind each, a hint
// first and the worked number on request.

import { html, type TemplateResult } from "lit";
import type { Part } from "../components/parts.js";
import type { Context } from "../context.js";
import { marks, with_unit } from "../format.js";
import type { Criterion, Question } from "../types.js";

const kVerdicts: Record<Criterion["verdict"], { sign: string; word: string }> =
  {
    pass: { sign: "✓", word: "right" },
    partial: { sign: "◐", word: "in part" },
    fail: { sign: "✗", word: "not yet" },
    review: { sign: "?", word: "for a person to read" },
  };

function is_stale(context: Context): boolean {
  const { graded, form } = context.desk;
  return (
    graded !== undefined && JSON.stringify(graded.form) !== JSON.stringify(form)
  );
}

export function score_card(context: Context): Part {
  const { graded } = context.desk;
  if (graded === undefined) return "";
  const { result } = graded;
  return html`<div class="score-card" id="score" tabindex="-1" role="group"
    aria-label="Score ${marks(result.score)} of ${marks(result.max)}">
    <p class="score">
      <strong>${marks(result.score)}</strong> of ${marks(result.max)}
    </p>
    <ol class="score-parts">
      ${result.questions.map(
        (question) =>
          html`<li>
            <a href="#${question.id}-title"
              >${question.id.toUpperCase()}
              <span>${marks(question.score)}/${marks(question.max)}</span></a
            >
            <meter
              min="0"
              max=${question.max}
              .value=${question.score}
              aria-label="Question ${question.id.slice(1)}"
            ></meter>
          </li>`,
      )}
    </ol>
    ${
      is_stale(context)
        ? html`<p class="stale">
          You have changed the answer since: grade it again for its marks.
        </p>`
        : ""
    }
    ${graded.across.map((says) => html`<p class="across">${says}</p>`)}
  </div>`;
}

function read_line(criterion: Criterion): Part {
  const { evidence } = criterion;
  if (evidence?.text === undefined || evidence.text === "") return "";
  const as = evidence.read_as;
  return html`<p class="evidence">
    Read: <q>${evidence.text}</q>${
      as === undefined || as === "" ? "" : html` as ${as}`
    }
  </p>`;
}

function number_line(criterion: Criterion): Part {
  if (criterion.number === undefined) return "";
  const { label, value, unit } = criterion.number;
  return html`<p class="evidence">
    ${label}: <strong>${with_unit(value, unit)}</strong>
  </p>`;
}

function help(criterion: Criterion): Part {
  const { hint, worked } = criterion;
  if (hint === undefined && worked === undefined) return "";
  const numbers =
    worked === undefined
      ? ""
      : html`<details>
          <summary>Show the worked number</summary>
          <p class="worked">${worked}</p>
        </details>`;
  if (hint === undefined) return numbers;
  return html`<details>
    <summary>Hint</summary>
    <p>${hint}</p>
    ${numbers}
  </details>`;
}

function criterion_row(criterion: Criterion, text: string): TemplateResult {
  const { sign, word } = kVerdicts[criterion.verdict];
  return html`<li class="criterion is-${criterion.verdict}">
    <p class="criterion-head">
      <span class="sign" aria-hidden="true">${sign}</span>
      <span class="criterion-text">${text}</span>
      <span class="criterion-marks"
        ><span class="visually-hidden">${word},</span>
        ${marks(criterion.score)} of ${marks(criterion.max)}</span
      >
    </p>
    <p>${criterion.says}</p>
    ${read_line(criterion)} ${number_line(criterion)} ${help(criterion)}
  </li>`;
}

export function question_result(context: Context, asked: Question): Part {
  const found = context.desk.graded?.result.questions.find(
    (question) => question.id === asked.id,
  );
  if (found === undefined) return "";
  const text = (id: string) =>
    asked.criteria.find((one) => one.id === id)?.text ?? id;
  return html`<div class="marks">
    <h4>
      Marks: ${marks(found.score)} of ${marks(found.max)}
    </h4>
    <ul>
      ${found.criteria.map((one) => criterion_row(one, text(one.id)))}
    </ul>
  </div>`;
}
