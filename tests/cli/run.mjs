// Runs the built command as a user would.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.join(here, "../..");
export const bin = process.env.MESHWISE_BIN
  ? path.dirname(process.env.MESHWISE_BIN)
  : path.join(root, "build/bin");

// `line` is split at blanks; an argument with blanks goes into `args`.
export function run(line, { args = [], input = "", env = {}, cwd } = {}) {
  const [name, ...rest] = line.split(/\s+/);
  const { status, stdout, stderr } = spawnSync(
    path.join(bin, name),
    [...rest, ...args],
    {
      input,
      encoding: "utf8",
      cwd,
      maxBuffer: 1 << 28,
      env: { ...process.env, ...env },
    },
  );
  return { code: status, out: stdout, err: stderr };
}

export function run_json(line, options) {
  return JSON.parse(run(`${line} --json`, options).out);
}
