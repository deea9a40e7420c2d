// The sizes of the built site as a visitor pays for them, and their budgets.

import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { build_folder } from "./lib.mjs";

const kKilobyte = 1000;

function gzip_bytes(file) {
  return zlib.gzipSync(fs.readFileSync(file), { level: 9 }).length;
}

// Each part: what it is, the files it counts, its budget in KB. The module has
// outgrown its budget: the ceiling is what a test holds until it is back.
const kBudgets = [
  { name: "module", files: /^meshwise\.wasm$/, budget: 130, ceiling: 250 },
  { name: "glue", files: /^meshwise\.mjs$/, budget: 6 },
  { name: "page script", files: /^(main|worker)-.*\.js$/, budget: 60 },
  { name: "styles", files: /^main-.*\.css$/, budget: 10 },
  { name: "first load", files: /./, budget: 220, ceiling: 306 },
];

export function measure_site(folder = path.join(build_folder, "site")) {
  const sizes = fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, bytes: gzip_bytes(path.join(folder, name)) }));
  return kBudgets.map(({ name, files, budget, ceiling }) => {
    const counted = sizes.filter((file) => files.test(file.name));
    return {
      name,
      files: counted.length,
      bytes: counted.reduce((sum, file) => sum + file.bytes, 0),
      budget: budget * kKilobyte,
      limit: (ceiling ?? budget) * kKilobyte,
    };
  });
}
