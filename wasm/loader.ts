// Loads the module: in a page or a worker from beside this file, in Node from
// bytes that the caller has read (`wasmBinary`).

export interface Meshwise {
  /** A request as JSON text in, a reply as JSON text out (docs/api.md). */
  call(request: string): string;
  /** Every plan of a plan request's space, rows of `searchColumns()` back to back. */
  search(request: string): Float64Array;
  /** JSON: `[{"name", "unit"}]`. */
  searchColumns(): string;
}

export interface LoadOptions {
  /** The glue's address; default `meshwise.mjs` beside this file. */
  glue?: string;
  /** The module's bytes, for Node. */
  wasmBinary?: ArrayBuffer | Uint8Array;
}

type Factory = (options: Record<string, unknown>) => Promise<Meshwise>;

export async function createMeshwise(
  options: LoadOptions = {},
): Promise<Meshwise> {
  const glue = options.glue ?? new URL("./meshwise.mjs", import.meta.url).href;
  const imported = (await import(glue)) as { default: Factory };
  const given: Record<string, unknown> = {};
  if (options.wasmBinary !== undefined) {
    given["wasmBinary"] = options.wasmBinary;
  }
  return imported.default(given);
}
