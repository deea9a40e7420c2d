// What each action does to the page's state.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  create_store,
  desk_of,
  initial_state,
  reduce,
} from "../../build/js/web/src/state.js";

function after(...actions) {
  return actions.reduce(reduce, initial_state());
}

test("an edit is kept with the value it was read as", () => {
  const state = after({
    type: "edit",
    key: "training.seq_tokens",
    text: "8k",
    value: 8000,
  });
  assert.deepEqual(desk_of(state).edits["training.seq_tokens"], {
    text: "8k",
    value: 8000,
  });
});

test("text that cannot be read keeps the last good value beside it", () => {
  const key = "cluster.hbm_gib";
  const state = after(
    { type: "edit", key, text: "80", value: 80 },
    { type: "edit", key, text: "80x" },
  );
  assert.deepEqual(desk_of(state).edits[key], { text: "80x", value: 80 });
});

test("a reset takes away the named edits and no other", () => {
  const state = after(
    { type: "edit", key: "plan.tp", text: "8", value: 8 },
    { type: "edit", key: "plan.dp", text: "4", value: 4 },
    { type: "reset", keys: ["plan.tp"] },
  );
  assert.deepEqual(Object.keys(desk_of(state).edits), ["plan.dp"]);
});

test("each scenario has a desk of its own", () => {
  const state = after(
    { type: "answer", key: "q2.dp", text: "64" },
    { type: "view", view: "C" },
    { type: "answer", key: "q2.dp", text: "8" },
  );
  assert.equal(desk_of(state, "A").form["q2.dp"], "64");
  assert.equal(desk_of(state, "C").form["q2.dp"], "8");
  assert.deepEqual(desk_of(state, "B").form, {});
});

test("the ranking opens with the first grading and stays open", () => {
  const graded = { result: { questions: [] }, form: {}, across: [] };
  const before = after({ type: "answer", key: "q1.because", text: "x" });
  assert.equal(desk_of(before).revealed, false);
  const state = [
    { type: "graded", view: "A", graded },
    { type: "answer", key: "q1.because", text: "y" },
  ].reduce(reduce, before);
  assert.equal(desk_of(state).revealed, true);
  assert.equal(desk_of(state, "B").revealed, false);
});

test("an action changes a copy: the state before it stays as it was", () => {
  const before = initial_state();
  const copy = structuredClone(before);
  reduce(before, { type: "answer", key: "q1.because", text: "x" });
  assert.deepEqual(before, copy);
});

test("a store tells each listener of each action, in order", () => {
  const store = create_store(initial_state());
  const seen = [];
  store.subscribe((state) => seen.push(`one ${state.view}`));
  store.subscribe((state) => seen.push(`two ${state.view}`));
  store.dispatch({ type: "view", view: "D" });
  assert.deepEqual(seen, ["one D", "two D"]);
  assert.equal(store.get().view, "D");
});
