// Keeps the state over a reload. Storage may be forbidden, full, or hold
// another version's text; none of these may cost the user anything but the
// keeping itself, and each is said once.

import { type Desk, initial_state, type State } from "./state.js";

const kKey = "meshwise";
const kVersion = 1;

export interface Drawer {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

export interface Loaded {
  state: State;
  problem?: string;
}

// The browser's storage, or nothing where even asking for it is refused.
export function browser_drawer(): Drawer | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

function is_record(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function strings(value: unknown): Record<string, string> {
  if (!is_record(value)) return {};
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => {
      return typeof entry[1] === "string";
    }),
  );
}

function read_edits(value: unknown): Desk["edits"] {
  if (!is_record(value)) return {};
  const edits: Record<string, Desk["edits"][string]> = {};
  for (const [key, edit] of Object.entries(value)) {
    if (!is_record(edit) || typeof edit["text"] !== "string") continue;
    const kept = edit["value"];
    edits[key] = { text: edit["text"] };
    if (["number", "string", "boolean"].includes(typeof kept)) {
      edits[key] = { text: edit["text"], value: kept as number };
    }
  }
  return edits;
}

function is_graded(value: unknown): value is NonNullable<Desk["graded"]> {
  return (
    is_record(value) &&
    is_record(value["result"]) &&
    Array.isArray(value["result"]["questions"]) &&
    is_record(value["form"]) &&
    Array.isArray(value["across"])
  );
}

function read_desk(value: unknown): Desk {
  const from = is_record(value) ? value : {};
  const desk: Desk = {
    edits: read_edits(from["edits"]),
    form: strings(from["form"]),
    revealed: from["revealed"] === true,
  };
  return is_graded(from["graded"]) ? { ...desk, graded: from["graded"] } : desk;
}

function read_state(text: string): State | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!is_record(value) || value["v"] !== kVersion) return undefined;
  const desks = is_record(value["desks"]) ? value["desks"] : {};
  const start = initial_state();
  const theme = value["theme"];
  return {
    view: typeof value["view"] === "string" ? value["view"] : start.view,
    theme: theme === "light" || theme === "dark" ? theme : "auto",
    student: typeof value["student"] === "string" ? value["student"] : "",
    desks: Object.fromEntries(
      Object.entries(desks).map(([id, desk]) => [id, read_desk(desk)]),
    ),
  };
}

export function load(drawer: Drawer | undefined): Loaded {
  const off =
    "This browser does not let the page keep your answers: " +
    "download the sheet before you leave.";
  if (drawer === undefined) return { state: initial_state(), problem: off };
  let text: string | null;
  try {
    text = drawer.getItem(kKey);
  } catch {
    return { state: initial_state(), problem: off };
  }
  if (text === null) return { state: initial_state() };
  const state = read_state(text);
  if (state !== undefined) return { state };
  return {
    state: initial_state(),
    problem: "What was kept from an earlier visit could not be read.",
  };
}

// Returns what went wrong, in words for the user, or nothing.
export function save(
  drawer: Drawer | undefined,
  state: State,
): string | undefined {
  if (drawer === undefined) return undefined;
  try {
    drawer.setItem(kKey, JSON.stringify({ v: kVersion, ...state }));
    return undefined;
  } catch {
    return (
      "Your answers could not be kept in this browser: " +
      "download the sheet before you leave."
    );
  }
}
