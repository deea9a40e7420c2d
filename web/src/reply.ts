// A reply's text as an outcome.

import type { Outcome, Problem } from "./types.js";

function is_error(reply: unknown): reply is { error: Problem } {
  return typeof reply === "object" && reply !== null && "error" in reply;
}

// What `text` answers, told apart by the contract: a failed request has
// `error` and nothing else.
export function outcome_of<T>(text: string): Outcome<T> {
  const reply: unknown = JSON.parse(text);
  if (is_error(reply)) return { ok: false, error: reply.error };
  return { ok: true, reply: reply as T };
}
