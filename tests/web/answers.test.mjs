// The form and the answers document, one into the other.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  axes_used,
  from_answer,
  product,
  read_document,
  to_answer,
  to_document,
} from "../../build/js/web/src/answers.js";

const kForm = {
  "q1.constraint": "throughput",
  "q1.because": "119.66 GiB of state and 17.0 of activations fit in 192 GiB",
  "q2.dp": "16",
  "q2.tp": "4",
  "q2.zero": "1",
  "q2.recompute": "selective",
  "q2.micro_batch": "1",
  "q2.global_batch": "64",
  "q2.unused.axis": "pp",
  "q2.unused.because": "the model fits; a pipeline only adds a bubble",
  "q3.dp.tier": "inter-node",
  "q3.dp.minimum": "48",
  "q3.dp.unit": "gbps",
  "q3.dp.because": "7.5 GB in 158 ms",
  "q3.tp.tier": "intra-node",
  "q3.tp.minimum": "5.2",
  "q3.tp.unit": "us",
  "q4.mode": "exposed-gradient",
  "q4.symptom": "step time grows, MFU falls",
  "q5.parameter": "seq_tokens",
  "q5.threshold": "9800",
  "q5.unit": "tokens",
  "q5.direction": "above",
  "q5.because": "then the activations no longer fit",
};
const kModes = new Set(["exposed-gradient"]);

test("a form goes into a document and comes back the same", () => {
  const answer = to_answer("A", kForm);
  assert.equal(answer.scenario, "A");
  assert.deepEqual(from_answer(answer, kModes), kForm);
});

test("degrees are numbers in the document, and words stay words", () => {
  const answer = to_answer("A", { ...kForm, "q2.pp": "a few" });
  assert.equal(answer.q2.dp, 16);
  assert.equal(answer.q2.pp, "a few");
});

test("what was left empty is left out", () => {
  assert.deepEqual(to_answer("B", { "q1.because": "  " }), { scenario: "B" });
});

test("only the axes in use have a tier and a minimum", () => {
  const answer = to_answer("A", { ...kForm, "q2.tp": "1" });
  assert.deepEqual(Object.keys(answer.q3), ["dp"]);
});

test("the product takes an empty degree as one", () => {
  assert.equal(product({}), 1);
  assert.equal(product({ "q2.dp": "8", "q2.tp": "8" }), 64);
  assert.ok(Number.isNaN(product({ "q2.dp": "eight" })));
  assert.deepEqual(axes_used(kForm), ["dp", "tp"]);
});

test("a failure mode in one's own words comes back as such", () => {
  const form = { "q4.mode": "own", "q4.own": "the switch melts" };
  const answer = to_answer("A", form);
  assert.deepEqual(answer.q4, { mode: "the switch melts" });
  assert.deepEqual(from_answer(answer, kModes), form);
});

test("a document carries the student's name where there is one", () => {
  assert.equal(to_document(" Zoë ", []).student, "Zoë");
  assert.equal("student" in to_document("", []), false);
});

test("a sheet's answers are read with the name on it", () => {
  const sheet = to_document("Zoë", [to_answer("A", kForm)]);
  const read = read_document(JSON.parse(JSON.stringify(sheet)));
  assert.equal(read.ok, true);
  assert.equal(read.student, "Zoë");
  assert.deepEqual(read.answers, sheet.answers);
});

for (const document of [
  null,
  [],
  7,
  { schema: "meshwise.scenario/1" },
  { schema: "meshwise.answers/1" },
  { schema: "meshwise.answers/1", answers: ["A"] },
]) {
  test(`${JSON.stringify(document)} is refused in one line`, () => {
    const read = read_document(document);
    assert.equal(read.ok, false);
    assert.match(read.message, /^[^\n]+\.$/);
  });
}

test("hostile values in a sheet become text or nothing", () => {
  const form = from_answer(
    {
      scenario: "A",
      q1: { constraint: { a: 1 }, because: "<script>alert(1)</script>" },
      q2: { unused: "pp", dp: [8] },
      q3: { dp: "fast" },
      q4: null,
      q5: [],
    },
    kModes,
  );
  assert.deepEqual(form, { "q1.because": "<script>alert(1)</script>" });
});
