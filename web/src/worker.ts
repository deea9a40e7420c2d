// The module on its own thread, for searches that take longer than a frame.
// One request at a time, in order; a request that the page has given up is
// dropped before it starts.

import { createMeshwise } from "../../wasm/loader.js";

export type ToWorker =
  | { type: "ask"; id: number; request: string }
  | { type: "drop"; id: number };
export type FromWorker =
  | { type: "reply"; id: number; reply: string }
  | { type: "failed"; id: number; message: string };

interface Port {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker): void;
}
const port = globalThis as unknown as Port;

const ready = createMeshwise();
const dropped = new Set<number>();
let queue: Promise<void> = Promise.resolve();

// Lets messages that wait, such as `drop`, in between two requests.
function breathe(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function answer(id: number, request: string): Promise<void> {
  await breathe();
  if (dropped.delete(id)) return;
  try {
    const meshwise = await ready;
    port.postMessage({ type: "reply", id, reply: meshwise.call(request) });
  } catch (error) {
    port.postMessage({ type: "failed", id, message: String(error) });
  }
}

port.onmessage = ({ data }) => {
  if (data.type === "drop") {
    dropped.add(data.id);
    return;
  }
  const { id, request } = data;
  queue = queue.then(() => answer(id, request));
};
