// Holds the include graph to the floors of docs/architecture.md.

import fs from "node:fs";
import path from "node:path";
import { files_below, root } from "../../web/scripts/lib.mjs";

const kTable = "tests/checks/floors.json";
const kTop = 8; // core/cli and wasm: the doors

// A source split by part keeps its header's floor: grade_q1 is on grade's.
export function floor_of(stem, floors) {
  for (let name = stem; name !== ""; ) {
    if (name in floors) return floors[name];
    const cut = name.lastIndexOf("_");
    name = cut > 0 ? name.slice(0, cut) : "";
  }
  return undefined;
}

// The project's own headers that a text includes, as stems.
function included_stems(text) {
  const pattern = /^\s*#\s*include\s+"(?:[\w./-]*\/)?([\w-]+)\.h"/gm;
  return [...text.matchAll(pattern)].map((match) => match[1]);
}

// What is wrong with one file's includes. Headers: strictly lower floors, but
// a private header may use its own floor's public ones. Sources: own or lower.
export function problems_of({ file, text }, floors) {
  const stem = path.basename(file).replace(/\.\w+$/, "");
  const is_door = /^(core\/cli|wasm)\//.test(file);
  const is_public = file.startsWith("core/include/");
  const floor = is_door ? kTop : floor_of(stem, floors);
  if (floor === undefined) return [`${file}: ${kTable} gives it no floor`];
  const problems = [];
  for (const included of included_stems(text)) {
    const other = floor_of(included, floors);
    // The command's own headers are on its floor.
    if (other === undefined && is_door) continue;
    if (other === undefined) {
      problems.push(`${file}: includes ${included}.h, which has no floor`);
    } else if (is_public ? other >= floor : other > floor) {
      problems.push(
        `${file} (floor ${floor}) includes ${included}.h (floor ${other})`,
      );
    }
  }
  return problems;
}

export function read_floors() {
  return JSON.parse(fs.readFileSync(path.join(root, kTable), "utf8"));
}

export function source_files() {
  return ["core/include", "core/src", "core/cli", "wasm"]
    .flatMap((folder) => files_below(folder, (name) => /\.(h|cpp)$/.test(name)))
    .map((file) => ({
      file,
      text: fs.readFileSync(path.join(root, file), "utf8"),
    }));
}
