// The module on the main thread: small questions are answered between a
// keystroke and the next frame. Replies are remembered by their request, so
// that drawing the page again asks nothing twice.

import { createMeshwise } from "../../wasm/loader.js";
import { outcome_of } from "./reply.js";
import type { Outcome, Request } from "./types.js";

export interface Engine {
  ask<T>(request: Request): Outcome<T>;
}

const kRemembered = 200;

export function remember(call: (request: string) => string): Engine {
  const replies = new Map<string, Outcome<unknown>>();
  return {
    ask<T>(request: Request): Outcome<T> {
      const text = JSON.stringify(request);
      const known = replies.get(text);
      if (known !== undefined) return known as Outcome<T>;
      const outcome = outcome_of<T>(call(text));
      const oldest = replies.keys().next().value;
      if (replies.size >= kRemembered && oldest !== undefined) {
        replies.delete(oldest);
      }
      replies.set(text, outcome);
      return outcome;
    },
  };
}

export async function load_engine(): Promise<Engine> {
  const meshwise = await createMeshwise();
  return remember((request) => meshwise.call(request));
}
