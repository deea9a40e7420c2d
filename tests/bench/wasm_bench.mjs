// The module under Node: seconds for one run of each, as JSON.

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const site = path.join(here, "../../build/site");
const glue = await import(path.join(site, "meshwise.mjs"));
const wasmBinary = fs.readFileSync(path.join(site, "meshwise.wasm"));
const meshwise = await glue.default({ wasmBinary });

// The median of as many runs as half a second holds, five at least.
function seconds_of(work) {
  const times = [];
  const until = performance.now() + 500;
  while (times.length < 5 || performance.now() < until) {
    const start = performance.now();
    work();
    times.push((performance.now() - start) / 1000);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)];
}

function measure(name, request, items) {
  const text = JSON.stringify(request);
  const seconds = seconds_of(() => meshwise.call(text));
  const row = { name, seconds };
  if (items !== undefined) row.items_per_second = items / seconds;
  return row;
}

const columns = JSON.parse(meshwise.searchColumns()).length;
const search = JSON.stringify({ kind: "plan", scenario: "B" });
const plans = meshwise.search(search).length / columns;
const large = {
  kind: "plan",
  model: { preset: "llama-65b", layers: 64, parameters: 65e9 },
  cluster: { gpus: 4096 },
  training: { seq_tokens: 32768, global_batch: 4096 },
  options: { top: 10 },
};
const searched = JSON.parse(meshwise.call(JSON.stringify(large))).searched;

const rows = [
  measure("call memory", { kind: "memory", scenario: "A", plan: { dp: 64 } }),
  measure("call decode", { kind: "decode", scenario: "D", plan: { tp: 8 } }),
  measure(`plan B, ${plans} plans`, { kind: "plan", scenario: "B" }, plans),
  measure(`search of ${searched} plans, ranked`, large, searched),
];
const seconds = seconds_of(() => meshwise.search(search));
rows.push({
  name: `search rows of ${plans} plans`,
  seconds,
  items_per_second: plans / seconds,
});

// A class of a thousand, marked in one request.
const { answers } = JSON.parse(
  fs.readFileSync(
    path.join(here, "../golden/requests/grade-a-well.json"),
    "utf8",
  ),
).submissions[0];
const submissions = Array.from({ length: 1000 }, (_, at) => ({
  source: `${at}.json`,
  answers,
}));
rows.push(measure("grade 1000 answers", { kind: "grade", submissions }, 1000));
process.stdout.write(JSON.stringify(rows));
