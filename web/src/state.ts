// Everything the page remembers, as one plain value, and the actions that
// change it. reduce() is pure: the tests replay actions through it.

import type { GradeResult } from "./types.js";

export type Theme = "auto" | "light" | "dark";

// What the user typed in a field, and the last value in it that was valid:
// results keep standing on that value while the text is being corrected.
export interface Edit {
  text: string;
  value?: number | string | boolean;
}

// The answer form, flat: "q2.dp", "q3.tp.because", each as typed.
export type AnswerForm = Readonly<Record<string, string>>;

export interface Graded {
  result: GradeResult;
  form: AnswerForm; // the answers it was given for
  across: readonly string[];
}

// One scenario's desk: changed parameters ("training.seq_tokens"), the plan
// under study ("plan.tp"), the collective looked at and the answers.
export interface Desk {
  edits: Readonly<Record<string, Edit>>;
  form: AnswerForm;
  graded?: Graded;
  revealed: boolean; // graded once: the ranking stays open
}

export interface State {
  view: string; // a scenario's id, or kOwn
  theme: Theme;
  student: string;
  desks: Readonly<Record<string, Desk>>;
}

export const kOwn = "own";
const kEmptyDesk: Desk = { edits: {}, form: {}, revealed: false };

export function initial_state(): State {
  return { view: "A", theme: "auto", student: "", desks: {} };
}

export function desk_of(state: State, view = state.view): Desk {
  return state.desks[view] ?? kEmptyDesk;
}

export type Action =
  | { type: "view"; view: string }
  | { type: "theme"; theme: Theme }
  | { type: "student"; student: string }
  | { type: "edit"; key: string; text: string; value?: Edit["value"] }
  | { type: "edits"; edits: Readonly<Record<string, Edit>> }
  | { type: "reset"; keys: readonly string[] }
  | { type: "answer"; key: string; text: string }
  | { type: "answers"; view: string; form: AnswerForm }
  | { type: "graded"; view: string; graded: Graded };

function with_desk(state: State, view: string, change: Partial<Desk>): State {
  const desk = { ...desk_of(state, view), ...change };
  return { ...state, desks: { ...state.desks, [view]: desk } };
}

function with_edit(
  desk: Desk,
  key: string,
  edit: { text: string; value?: Edit["value"] | undefined },
): Desk["edits"] {
  const kept = edit.value ?? desk.edits[key]?.value;
  const next: Edit = { text: edit.text };
  if (kept !== undefined) next.value = kept;
  return { ...desk.edits, [key]: next };
}

function without<T>(
  record: Readonly<Record<string, T>>,
  keys: readonly string[],
): Record<string, T> {
  const gone = new Set(keys);
  return Object.fromEntries(
    Object.entries(record).filter(([key]) => !gone.has(key)),
  );
}

export function reduce(state: State, action: Action): State {
  const desk = desk_of(state);
  switch (action.type) {
    case "view":
      return { ...state, view: action.view };
    case "theme":
      return { ...state, theme: action.theme };
    case "student":
      return { ...state, student: action.student };
    case "edit":
      return with_desk(state, state.view, {
        edits: with_edit(desk, action.key, action),
      });
    case "edits":
      return with_desk(state, state.view, {
        edits: { ...desk.edits, ...action.edits },
      });
    case "reset":
      return with_desk(state, state.view, {
        edits: without(desk.edits, action.keys),
      });
    case "answer":
      return with_desk(state, state.view, {
        form: { ...desk.form, [action.key]: action.text },
      });
    case "answers":
      return with_desk(state, action.view, { form: action.form });
    case "graded":
      return with_desk(state, action.view, {
        graded: action.graded,
        revealed: true,
      });
  }
}

export interface Store {
  get(): State;
  dispatch(action: Action): void;
  subscribe(listener: (state: State) => void): void;
}

export function create_store(start: State): Store {
  let state = start;
  const listeners: ((state: State) => void)[] = [];
  return {
    get: () => state,
    dispatch(action) {
      state = reduce(state, action);
      for (const listener of listeners) listener(state);
    },
    subscribe(listener) {
      listeners.push(listener);
    },
  };
}
