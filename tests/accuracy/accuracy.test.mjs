// Printed tables are met to their rounding; what is said of measured runs is
// what the command says now.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { errors_of, last_digit, root } from "./ask.mjs";
import { judged, report, tables } from "./report.mjs";

const all = tables();

for (const [name, least] of [
  ["zero", 54],
  ["figure1", 12],
  ["figure7", 16],
]) {
  test(`every row of ${all[name].title} is within its rounding`, () => {
    const { rows } = all[name];
    assert.ok(rows.length >= least, `${rows.length} rows`);
    const off = rows.filter(
      ({ predicted, measured, rounding }) =>
        !(Math.abs(predicted - measured) <= rounding + 1e-12),
    );
    assert.deepEqual(off, []);
  });
}

test("allocated memory with its overheads is within 3 % of every stage", () => {
  const { mean, worst, count } = errors_of(judged(all.memory));
  assert.ok(count >= 20, `${count} rows`);
  assert.ok(mean < 1, `mean ${mean} %`);
  assert.ok(worst < 3, `worst ${worst} %`);
});

test("overheads add to every stage and never take away", () => {
  all.memory.rows.forEach(({ predicted, name }, i) => {
    assert.ok(predicted > all.memory_bare.rows[i].predicted, name);
  });
});

test("one row of each kind of hardware sets its speed, and it is not judged", () => {
  const steps = [
    "korthikanti",
    "narayanan",
    "table2",
    "single_node",
    "weak_scaling",
    "v100",
  ];
  const calibrated = steps.flatMap((name) =>
    all[name].rows.filter((row) => row.calibrated),
  );
  assert.equal(calibrated.length, Object.keys(all.calibration).length);
  for (const { predicted, measured } of calibrated) {
    assert.ok(Math.abs(predicted / measured - 1) < 1e-6);
  }
  const { rows } = all.korthikanti;
  assert.equal(judged(all.korthikanti).length, rows.length - 1);
});

test("docs/accuracy.md is what is measured now", () => {
  const written = fs.readFileSync(path.join(root, "docs/accuracy.md"), "utf8");
  assert.equal(written, report(all), "node tests/accuracy/update.mjs");
});

test("errors are of the size of the difference, and the last digit is found", () => {
  const rows = [
    { predicted: 110, measured: 100 },
    { predicted: 80, measured: 100 },
    { predicted: 100, measured: 100 },
  ];
  assert.deepEqual(errors_of(rows), {
    count: 3,
    mean: 10,
    median: 10,
    worst: 20,
    bias: -10 / 3,
  });
  assert.equal(errors_of(rows.slice(0, 2)).median, 15);
  assert.equal(last_digit(52.5), 0.1);
  assert.equal(last_digit(120), 1);
});
