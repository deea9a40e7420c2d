// Answers that the tests of grading hand in, and where they are written.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { run } from "./run.mjs";

// Scenario A well answered: 25 of 25, nothing left to a person.
export const kAnswers = {
  schema: "meshwise.answers/1",
  answers: [
    {
      scenario: "A",
      q1: {
        constraint: "throughput",
        because: "119.7 GiB of state and 17 GiB of activations fit in 192 GiB",
      },
      q2: {
        dp: 64,
        tp: 1,
        pp: 1,
        zero: 1,
        recompute: "selective",
        micro_batch: 1,
        unused: [
          { axis: "tp", because: "4 all-reduces a layer on the critical path" },
        ],
      },
      q3: {
        dp: {
          tier: "inter-node",
          minimum_gbps: 9.4,
          because: "3.5 GB between nodes under 467 ms of backward",
        },
      },
      q4: {
        mode: "gradient all-reduce no longer hidden",
        symptom: "step time rises above 700 ms",
      },
      q5: {
        parameter: "sequence length",
        threshold: 16000,
        unit: "tokens",
        direction: "above",
      },
    },
  ],
};

export function answers(student, changes = {}) {
  const out = structuredClone(kAnswers);
  if (student !== undefined) out.student = student;
  Object.assign(out.answers[0], changes);
  return JSON.stringify(out);
}

// The same with reasons that only a person can judge, and a threshold that is
// plainly wrong.
export function for_person(student) {
  const [{ q2, q5 }] = kAnswers.answers;
  return answers(student, {
    q2: { ...q2, unused: [{ axis: "tp", because: "the moon was full" }] },
    q4: { mode: "an oracle frowned at it", symptom: "we would see it somehow" },
    q5: { ...q5, threshold: 100 },
  });
}

// A folder of this test file's own, and a function that writes into it.
export function workspace(name) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `meshwise-${name}-`));
  test.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  const write = (file, text) => {
    const whole = path.join(folder, file);
    fs.mkdirSync(path.dirname(whole), { recursive: true });
    fs.writeFileSync(whole, text);
    return whole;
  };
  return { folder, write };
}

export function grade(args, options) {
  return run("meshwise grade", { args, ...options });
}

export function grade_json(args, options) {
  return JSON.parse(grade([...args, "--json"], options).out);
}

// A CSV text as rows of cells, quotes and line ends in cells read as RFC 4180
// has them.
export function read_csv(text, delimiter = ",") {
  const rows = [[""]];
  let quoted = false;
  for (let i = 0; i < text.length; ++i) {
    const row = rows.at(-1);
    const c = text[i];
    if (quoted && c === '"' && text[i + 1] === '"') {
      row[row.length - 1] += '"';
      ++i;
    } else if (c === '"') {
      quoted = !quoted;
    } else if (!quoted && c === delimiter) {
      row.push("");
    } else if (!quoted && c === "\n") {
      rows.push([""]);
    } else {
      row[row.length - 1] += c;
    }
  }
  if (rows.at(-1).length === 1 && rows.at(-1)[0] === "") rows.pop();
  return rows;
}
