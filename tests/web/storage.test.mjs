// What is kept over a reload, and what happens where nothing can be.
import assert from "node:assert/strict";
import { test } from "node:test";
import { initial_state, reduce } from "../../build/js/web/src/state.js";
import { load, save } from "../../build/js/web/src/storage.js";

function drawer(text = null) {
  const box = { text };
  return {
    box,
    getItem: () => box.text,
    setItem: (_key, value) => {
      box.text = value;
    },
  };
}

function worked_state() {
  const result = { scenario: "A", score: 5, max: 25, questions: [] };
  return [
    { type: "edit", key: "plan.tp", text: "8", value: 8 },
    { type: "edit", key: "cluster.hbm_gib", text: "eighty" },
    { type: "answer", key: "q1.because", text: "119.66 GiB < 192 GiB" },
    {
      type: "graded",
      view: "A",
      graded: { result, form: { "q2.dp": "64" }, across: ["a note"] },
    },
    { type: "student", student: "Zoë" },
    { type: "theme", theme: "dark" },
    { type: "view", view: "own" },
  ].reduce(reduce, initial_state());
}

test("a state comes back as it was saved", () => {
  const place = drawer();
  assert.equal(save(place, worked_state()), undefined);
  const loaded = load(place);
  assert.deepEqual(loaded.state, worked_state());
  assert.equal(loaded.problem, undefined);
});

test("a first visit starts empty and says nothing", () => {
  assert.deepEqual(load(drawer()), { state: initial_state() });
});

test("storage that may not be read is said in one line", () => {
  const refusing = {
    getItem() {
      throw new Error("denied");
    },
    setItem() {},
  };
  for (const place of [refusing, undefined]) {
    const loaded = load(place);
    assert.deepEqual(loaded.state, initial_state());
    assert.match(loaded.problem, /download the sheet/);
  }
});

test("full storage is said in one line", () => {
  const full = {
    getItem: () => null,
    setItem() {
      throw new Error("QuotaExceededError");
    },
  };
  assert.match(save(full, initial_state()), /could not be kept/);
});

for (const text of ["{", "[]", "null", '"x"', '{"v":99}', "{}"]) {
  test(`text that is not ours starts afresh and says so: ${text}`, () => {
    const loaded = load(drawer(text));
    assert.deepEqual(loaded.state, initial_state());
    assert.match(loaded.problem, /could not be read/);
  });
}

test("entries of a wrong kind are left out, the rest is kept", () => {
  const text = JSON.stringify({
    v: 1,
    view: 7,
    theme: "pink",
    student: null,
    desks: {
      A: {
        edits: { "plan.tp": { text: "8", value: 8 }, "plan.dp": 3 },
        form: { "q2.dp": "64", "q2.tp": 1 },
        graded: { result: 5 },
        revealed: "yes",
      },
      B: null,
    },
  });
  const { state } = load(drawer(text));
  assert.equal(state.view, "A");
  assert.equal(state.theme, "auto");
  assert.deepEqual(state.desks.A, {
    edits: { "plan.tp": { text: "8", value: 8 } },
    form: { "q2.dp": "64" },
    revealed: false,
  });
  assert.deepEqual(state.desks.B, { edits: {}, form: {}, revealed: false });
});
