// Long questions, asked of the worker. Each has a topic; the newest question
// of a topic wins, and what an older one still waits for is dropped.

import { outcome_of } from "./reply.js";
import type { Outcome, Request } from "./types.js";
import type { FromWorker, ToWorker } from "./worker.js";

export interface WorkerLike {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(message: ToWorker): void;
}

// A topic's state: what was asked, the replies so far, and how far it is.
export interface Search<T> {
  key: string; // the requests as text
  outcomes: Outcome<T>[];
  total: number;
  failed?: string;
}

export function is_done(search: Search<unknown>): boolean {
  return search.failed !== undefined || search.outcomes.length === search.total;
}

interface Waiting {
  topic: string;
  search: Search<unknown>;
}

export class SearchClient {
  private next_id = 1;
  private readonly waiting = new Map<number, Waiting>();
  private readonly topics = new Map<string, Search<unknown>>();

  constructor(
    private readonly worker: WorkerLike,
    private readonly changed: () => void,
  ) {
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = (event) => this.fail(event.message);
  }

  // The topic's search, if any, whatever was asked.
  current<T>(topic: string): Search<T> | undefined {
    return this.topics.get(topic) as Search<T> | undefined;
  }

  // Starts the requests of a topic, unless just these are asked already.
  ask<T>(topic: string, requests: readonly Request[]): Search<T> {
    const key = JSON.stringify(requests);
    const known = this.topics.get(topic);
    if (known?.key === key) return known as Search<T>;
    this.drop(topic);
    const search: Search<T> = { key, outcomes: [], total: requests.length };
    this.topics.set(topic, search);
    for (const request of requests) {
      const id = this.next_id++;
      this.waiting.set(id, { topic, search });
      this.worker.postMessage({
        type: "ask",
        id,
        request: JSON.stringify(request),
      });
    }
    return search;
  }

  forget(topic: string): void {
    this.drop(topic);
    this.topics.delete(topic);
  }

  private drop(topic: string): void {
    for (const [id, waiting] of this.waiting) {
      if (waiting.topic !== topic) continue;
      this.waiting.delete(id);
      this.worker.postMessage({ type: "drop", id });
    }
  }

  private receive(message: FromWorker): void {
    const waiting = this.waiting.get(message.id);
    if (waiting === undefined) return;
    this.waiting.delete(message.id);
    if (message.type === "failed") {
      waiting.search.failed = message.message;
    } else {
      waiting.search.outcomes.push(outcome_of(message.reply));
    }
    this.changed();
  }

  private fail(message: string): void {
    for (const { search } of this.waiting.values()) search.failed = message;
    this.waiting.clear();
    this.changed();
  }
}
