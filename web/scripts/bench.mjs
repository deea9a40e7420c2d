// Measures the core natively and as WebAssembly, and the site's sizes, and
// prints one table: `node web/scripts/bench.mjs [filter]`.

import fs from "node:fs";
import path from "node:path";
import { build, build_preset } from "./build.mjs";
import { build_folder, main, root, run, say } from "./lib.mjs";
import { setup } from "./setup.mjs";
import { measure_site } from "./sizes.mjs";

const kUnits = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1 };

function time_text(seconds) {
  const [unit, size] =
    Object.entries(kUnits).findLast(([, size]) => seconds >= size) ??
    Object.entries(kUnits)[0];
  return `${(seconds / size).toPrecision(4)} ${unit}`;
}

function rate_text(rate) {
  if (rate === undefined) return "";
  if (rate >= 1e6) return `${(rate / 1e6).toFixed(2)} M/s`;
  return `${rate.toPrecision(4)} /s`;
}

// Google Benchmark's report as rows; of repeated runs the median.
async function native_rows(filter) {
  await build_preset("bench", "bench", "Building the benchmarks");
  const report = path.join(build_folder, "bench/report.json");
  await run(path.join(build_folder, "bench/bin/meshwise_bench"), [
    "--benchmark_repetitions=5",
    "--benchmark_report_aggregates_only=true",
    `--benchmark_filter=${filter}`,
    `--benchmark_out=${report}`,
    "--benchmark_out_format=json",
  ]);
  const { benchmarks } = JSON.parse(fs.readFileSync(report, "utf8"));
  return benchmarks
    .filter((one) => one.aggregate_name === "median")
    .map((one) => [
      "native",
      one.run_name,
      time_text(one.real_time * kUnits[one.time_unit]),
      rate_text(one.items_per_second),
    ]);
}

// tests/bench/wasm_bench.mjs prints JSON: [{name, seconds, items_per_second}].
async function wasm_rows() {
  const script = path.join(root, "tests/bench/wasm_bench.mjs");
  if (!fs.existsSync(script)) return [];
  const { output } = await run("node", [script]);
  return JSON.parse(output).map(({ name, seconds, items_per_second }) => [
    "wasm",
    name,
    time_text(seconds),
    rate_text(items_per_second),
  ]);
}

function size_rows() {
  return measure_site().map(({ name, bytes, budget }) => [
    "gzip",
    name,
    `${(bytes / 1000).toFixed(1)} KB`,
    `of ${budget / 1000} KB${bytes > budget ? ", over" : ""}`,
  ]);
}

function print_table(rows) {
  const widths = rows[0].map((_, column) =>
    Math.max(...rows.map((row) => row[column].length)),
  );
  for (const [where, name, value, rest] of rows) {
    say(
      [
        where.padEnd(widths[0]),
        name.padEnd(widths[1]),
        value.padStart(widths[2]),
        rest.padStart(widths[3]),
      ].join("  "),
    );
  }
}

main(import.meta, async ([filter = "."]) => {
  await setup("bench");
  await build("site");
  const rows = [
    ...(await native_rows(filter)),
    ...(await wasm_rows()),
    ...size_rows(),
  ];
  say("");
  print_table(rows);
  if (rows.some((row) => row[3].endsWith("over"))) {
    say("\nA part of the site is over its budget.");
  }
});
