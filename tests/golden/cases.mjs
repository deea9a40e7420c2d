// The golden requests, and the two doors that must answer them alike.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.join(here, "../..");
export const command =
  process.env.MESHWISE_BIN ?? path.join(root, "build/bin/meshwise");

export function requests() {
  return fs
    .readdirSync(path.join(here, "requests"))
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => ({
      name,
      request: fs.readFileSync(path.join(here, "requests", name), "utf8"),
      reply_file: path.join(here, "replies", name),
    }));
}

export const kRegenerate =
  "if the change is meant: node tests/golden/update.mjs, then read the diff";

// What the command answers; an error reply ends it with code 2.
export function ask_command(request) {
  try {
    return execFileSync(command, ["call"], {
      input: request,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
  } catch (error) {
    if (error.status === 2) return error.stdout;
    throw error;
  }
}

export async function load_module() {
  const site = path.join(root, "build/site");
  const glue = await import(path.join(site, "meshwise.mjs"));
  const wasmBinary = fs.readFileSync(path.join(site, "meshwise.wasm"));
  return glue.default({ wasmBinary });
}

// The first place where two values differ, as a line to read; undefined where
// they are equal, keys in their order included.
export function first_difference(actual, expected, at = "") {
  const plain = (value) => value === null || typeof value !== "object";
  if (plain(actual) || plain(expected)) {
    if (Object.is(actual, expected)) return undefined;
    const [is, was] = [actual, expected].map((value) => JSON.stringify(value));
    return `${at || "/"} is ${is}, expected ${was}`;
  }
  const [keys, known] = [Object.keys(actual), Object.keys(expected)];
  if (keys.join() !== known.join()) {
    return `${at || "/"} has ${keys}, expected ${known}`;
  }
  for (const key of keys) {
    const found = first_difference(actual[key], expected[key], `${at}/${key}`);
    if (found) return found;
  }
  return undefined;
}
