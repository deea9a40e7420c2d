// What may be typed in a field.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  read_field,
  read_number,
  to_text,
} from "../../build/js/web/src/fields.js";

const kNumbers = [
  ["4096", 4096],
  [" 4096 ", 4096],
  ["1,024", 1024],
  ["1_000_000", 1e6],
  ["1 024", 1024],
  ["1e6", 1e6],
  ["2.5", 2.5],
  [".5", 0.5],
  ["-3", -3],
  ["64k", 64000],
  ["128Ki", 131072],
  ["8B", 8e9],
];

for (const [text, value] of kNumbers) {
  test(`"${text}" is the number ${value}`, () => {
    assert.equal(read_number(text), value);
  });
}

for (const text of ["", "x", "4096x", "1,02", "0x10", "1e", "--1", "NaN"]) {
  test(`"${text}" is no number`, () => {
    assert.ok(Number.isNaN(read_number(text)));
  });
}

const kGpus = {
  label: "GPUs",
  unit: "",
  lower: 1,
  upper: 65536,
  integral: true,
};
const kHbm = { label: "HBM", unit: "GiB", lower: 1, upper: 100000 };

test("a value inside its range is read", () => {
  assert.deepEqual(read_field("64", kGpus), { ok: true, value: 64 });
});

const kRefused = [
  ["0", kGpus, /from 1 to 65,536/],
  ["2.5", kGpus, /whole number/],
  ["many", kHbm, /Not a number.*from 1 to 100,000 GiB/],
  ["1e9", kHbm, /from 1 to 100,000 GiB/],
  ["1e999", kHbm, /Not a number/],
];

for (const [text, info, message] of kRefused) {
  test(`"${text}" is refused with what would be accepted`, () => {
    const read = read_field(text, info);
    assert.equal(read.ok, false);
    assert.match(read.message, message);
  });
}

test("yes-no fields and choices are read as such", () => {
  const yes_no = { label: "Fused", type: "boolean" };
  assert.deepEqual(read_field("true", yes_no), { ok: true, value: true });
  assert.deepEqual(read_field("false", yes_no), { ok: true, value: false });
  const choice = { label: "Recompute", type: "choice", choices: ["full"] };
  assert.deepEqual(read_field("full", choice), { ok: true, value: "full" });
});

test("a value is written as it would be typed, and read back", () => {
  for (const value of [8030261248, 0.7, 1e18, 64]) {
    assert.equal(read_number(to_text(value)), value);
  }
  assert.equal(to_text(undefined), "");
});
