import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { root } from "../../web/scripts/lib.mjs";
import { floor_of, problems_of, read_floors, source_files } from "./floors.mjs";

const floors = read_floors();

test("every file includes only what its floor may use", () => {
  const files = source_files();
  assert.ok(files.length > 20, "the sources were found");
  assert.deepEqual(
    files.flatMap((file) => problems_of(file, floors)),
    [],
  );
});

test("a public header may not include its own floor, a source may", () => {
  const text = '#include "meshwise/memory.h"\n';
  const header = { file: "core/include/meshwise/compute.h", text };
  const source = { file: "core/src/compute.cpp", text };
  assert.equal(problems_of(header, floors).length, 1);
  assert.deepEqual(problems_of(source, floors), []);
});

test("nothing includes a higher floor, by whatever path it is written", () => {
  for (const name of ["meshwise/grade.h", "grade.h", "../src/grade_parts.h"]) {
    const file = { file: "core/src/memory.cpp", text: `#include "${name}"\n` };
    assert.equal(problems_of(file, floors).length, 1, name);
  }
});

test("a file that has no floor is reported", () => {
  const file = { file: "core/src/stray.cpp", text: "" };
  assert.equal(problems_of(file, floors).length, 1);
});

test("a part of a split source stands on the floor of the whole", () => {
  assert.equal(floor_of("grade_q1", floors), floors["grade"]);
  assert.equal(floor_of("stray_q1", floors), undefined);
});

test("docs/architecture.md names every floor as the table has it", () => {
  const file = path.join(root, "docs/architecture.md");
  const rows = new Map(
    [...fs.readFileSync(file, "utf8").matchAll(/^\| (\d) \| (.*) \|$/gm)].map(
      ([, floor, names]) => [Number(floor), names],
    ),
  );
  const public_stems = source_files()
    .filter(({ file }) => file.startsWith("core/include/"))
    .map(({ file }) => path.basename(file, ".h"));
  for (const stem of public_stems) {
    const floor = floor_of(stem, floors);
    assert.match(rows.get(floor) ?? "", new RegExp(`\\b${stem}\\b`), stem);
  }
});
