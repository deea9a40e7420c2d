// Asks the built command what it predicts, one request a line.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.join(here, "../..");
const command =
  process.env.MESHWISE_BIN ?? path.join(root, "build/bin/meshwise");

export function ask(request) {
  const reply = execFileSync(command, ["call"], {
    input: JSON.stringify(request),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return JSON.parse(reply);
}

export function reference(name) {
  const file = path.join(root, "tests/reference", `${name}.json`);
  return JSON.parse(fs.readFileSync(file, "utf8"));
}

// The last digit of a number as it is printed: 0.1 of 52.5.
export function last_digit(printed) {
  const [, fraction = ""] = String(printed).split(".");
  return 10 ** -fraction.length;
}

// Signed errors in percent, and what they come to.
export function errors_of(rows) {
  const errors = rows.map(
    ({ predicted, measured }) => (100 * (predicted - measured)) / measured,
  );
  const sizes = errors.map(Math.abs).sort((a, b) => a - b);
  const middle = sizes.length / 2;
  return {
    count: sizes.length,
    mean: sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
    median: (sizes[Math.ceil(middle) - 1] + sizes[Math.floor(middle)]) / 2,
    worst: sizes.at(-1),
    bias: errors.reduce((sum, error) => sum + error, 0) / errors.length,
  };
}
