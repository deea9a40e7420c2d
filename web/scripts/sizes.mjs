// The sizes of the built site as a visitor pays for them, and their budgets.

import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { build_folder } from "./lib.mjs";

const kKilobyte = 1000;

function gzip_bytes(file) {
  return zlib.gzipSync(fs.readFileSync(file), { level: 9 }).length;
}

// Each part: what it is, the files it counts, the most it may weigh in KB.
const kBudgets = [
  { name: "module", files: /^meshwise\.wasm$/, limit: 130 },
  { name: "glue", files: /^meshwise\.mjs$/, limit: 6 },
  { name: "page script", files: /^(main|worker)-.*\.js$/, limit: 60 },
  { name: "styles", files: /^main-.*\.css$/, limit: 10 },
  { name: "first load", files: /./, limit: 220 },
];

export function measure_site(folder = path.join(build_folder, "site")) {
  const sizes = fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, bytes: gzip_bytes(path.join(folder, name)) }));
  return kBudgets.map(({ name, files, limit }) => {
    const counted = sizes.filter((file) => files.test(file.name));
    return {
      name,
      files: counted.length,
      bytes: counted.reduce((sum, file) => sum + file.bytes, 0),
      limit: limit * kKilobyte,
    };
  });
}
