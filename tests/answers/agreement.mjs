// How far the grader agrees with answers that were marked by hand:
// `node tests/answers/agreement.mjs` prints the tables, with `--write` they
// replace those of docs/grading.md.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { bin, root } from "../cli/run.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const kDocument = path.join(root, "docs/grading.md");
const kBegin = "<!-- agreement: written by tests/answers/agreement.mjs -->";
const kEnd = "<!-- end of agreement -->";
// Marks that differ by less than this are the same mark.
const kSameMark = 0.26;

function grade(file, scenario) {
  const args = ["grade", "--json", file];
  if (scenario) args.push("--scenario", scenario);
  const { stdout } = spawnSync(path.join(bin, "meshwise"), args, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return JSON.parse(stdout);
}

function criteria_of(result) {
  const list = result?.questions.flatMap((question) => question.criteria) ?? [];
  return new Map(list.map((one) => [one.id, one]));
}

// One scenario's answer beside its label. A scenario that is not in the file
// earns nothing.
function compare(name, label, result) {
  const got = criteria_of(result);
  const allowed = new Set(label.review_acceptable ?? []);
  const rows = Object.entries(label.criteria).map(([id, marked]) => {
    const one = got.get(id);
    const review = one?.verdict === "review";
    const score = one?.score ?? 0;
    const agrees = review
      ? allowed.has(id)
      : Math.abs(score - marked.marks) < kSameMark;
    return {
      name,
      id,
      marked: marked.marks,
      score,
      verdict: one?.verdict ?? "absent",
      agrees,
      why: marked.why,
      says: one?.says ?? "",
    };
  });
  const score = result?.score ?? 0;
  return { name, label, result, rows, total: label.total, score };
}

// Every answer that was marked: [{name, label, result, rows, total, score}].
export function compare_all() {
  const out = [];
  for (const folder of ["honest", "adversarial", "whole"]) {
    const labels = JSON.parse(
      fs.readFileSync(path.join(here, folder, "labels.json"), "utf8"),
    );
    for (const [file, label] of Object.entries(labels)) {
      const where = path.join(here, folder, file);
      const name = `${folder}/${file}`;
      const parts = label.scenarios ?? { [label.scenario]: label };
      const reply = grade(where, label.scenarios ? "" : label.scenario);
      for (const [id, part] of Object.entries(parts)) {
        const result = reply.results.find((one) => one.scenario === id);
        out.push(compare(`${name} ${id}`, part, result));
      }
    }
  }
  return out;
}

// Per criterion: how often it agrees, and which verdict met which mark.
export function by_criterion(all) {
  const out = new Map();
  for (const row of all.flatMap((each) => each.rows)) {
    if (!out.has(row.id)) {
      out.set(row.id, {
        count: 0,
        agree: 0,
        more: 0,
        less: 0,
        review: 0,
      });
    }
    const line = out.get(row.id);
    line.count += 1;
    if (row.agrees) line.agree += 1;
    else if (row.verdict === "review") line.review += 1;
    else if (row.score > row.marked) line.more += 1;
    else line.less += 1;
  }
  return new Map([...out].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function mean_difference(all) {
  const sum = all.reduce((d, one) => d + Math.abs(one.total - one.score), 0);
  return sum / all.length;
}

function tables(all) {
  const lines = [
    "| criterion | answers | agree | % | too many marks | too few | review |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
  ];
  let count = 0;
  let agree = 0;
  for (const [id, one] of by_criterion(all)) {
    count += one.count;
    agree += one.agree;
    const share = ((100 * one.agree) / one.count).toFixed(1);
    lines.push(
      `| ${id} | ${one.count} | ${one.agree} | ${share} | ${one.more} | ${one.less} | ${one.review} |`,
    );
  }
  const share = ((100 * agree) / count).toFixed(1);
  const mean = mean_difference(all).toFixed(2);
  lines.push(
    "",
    `${agree} of ${count} criteria (${share} %) agree; a scenario's total of 25 differs by ${mean} on average.`,
    "",
    "Where they differ:",
    "",
    "| answer | criterion | by hand | graded | the hand's reason |",
    "| --- | --- | ---: | ---: | --- |",
  );
  for (const row of all.flatMap((each) => each.rows)) {
    if (row.agrees) continue;
    const got = row.verdict === "review" ? "review" : row.score.toFixed(2);
    const why = row.why.replaceAll("|", "\\|");
    lines.push(`| ${row.name} | ${row.id} | ${row.marked} | ${got} | ${why} |`);
  }
  return lines.join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = tables(compare_all());
  if (process.argv.includes("--write")) {
    const document = fs.readFileSync(kDocument, "utf8");
    const begin = document.indexOf(kBegin) + kBegin.length;
    const end = document.indexOf(kEnd);
    fs.writeFileSync(
      kDocument,
      `${document.slice(0, begin)}\n\n${text}\n\n${document.slice(end)}`,
    );
  } else {
    console.log(text);
  }
}
