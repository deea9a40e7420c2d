import assert from "node:assert/strict";
import test from "node:test";
import { measure_site } from "../../web/scripts/sizes.mjs";

for (const { name, files, bytes, limit } of measure_site()) {
  test(`the ${name} weighs at most ${limit} bytes with gzip`, () => {
    assert.ok(files > 0, "the file is there");
    assert.ok(bytes <= limit, `${bytes} bytes`);
  });
}
