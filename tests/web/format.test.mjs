// Numbers as people read them.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as format from "../../build/js/web/src/format.js";

const GiB = 2 ** 30;

const kRows = [
  [format.number, [138624], "138,624"],
  [format.number, [79], "79"],
  [format.number, [700.04], "700"],
  [format.number, [61.3], "61.3"],
  [format.number, [0], "0"],
  [format.number, [100], "100"],
  [format.number, [Number.NaN], "–"],
  [format.fixed, [79], "79.00"],
  [format.fixed, [0.25], "0.250"],
  [format.count, [8030261248], "8,030,261,248"],
  [format.count, [0.7], "0.7"],
  [format.memory, [119.66 * GiB], "119.7 GiB"],
  [format.memory, [4718592], "4.5 MiB"],
  [format.memory, [0], "0 GiB"],
  [format.gib, [17 * GiB], "17.0"],
  [format.gib, [1], "<0.01"],
  [format.volume, [24576], "24.58 kB"],
  [format.volume, [16060522496], "16.06 GB"],
  [format.time, [0.55314], "553.1 ms"],
  [format.time, [70.19e-6], "70.19 µs"],
  [format.time, [67.3], "67.3 s"],
  [format.time, [0], "0 s"],
  [format.percent, [0.79], "79.0 %"],
  [format.percent, [0.0001], "<0.1 %"],
  [format.marks, [17.5], "17.5"],
  [format.marks, [25], "25"],
  [format.with_unit, [0.0247, "s"], "24.7 ms"],
  [format.with_unit, [192, "GiB"], "192 GiB"],
  [format.with_unit, [64, ""], "64"],
  [format.words, ["all_reduce"], "all-reduce"],
  [format.words, ["memory-state"], "Memory: model state"],
  [format.sentence, ["selective"], "Selective"],
  [format.plan_text, [{ dp: 8, tp: 8, pp: 1, cp: 1, ep: 1 }], "dp=8 tp=8"],
  [format.plan_text, [{ dp: 1, tp: 1, pp: 1, cp: 1, ep: 1 }], "one GPU"],
];

for (const [write, input, text] of kRows) {
  test(`${write.name}(${JSON.stringify(input).slice(1, -1)}) is ${text}`, () => {
    assert.equal(write(...input), text);
  });
}

test("one table has one unit of time, chosen by its largest entry", () => {
  const unit = format.time_unit(0.553);
  assert.equal(unit.unit, "ms");
  assert.equal(format.in_unit(0.553, unit), "553.0");
  assert.equal(format.in_unit(2e-6, unit), "<0.01");
  assert.equal(format.in_unit(0, unit), "0");
});
