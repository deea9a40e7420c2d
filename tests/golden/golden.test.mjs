// The command's replies to the golden requests.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import {
  ask_command,
  first_difference,
  here,
  kRegenerate,
  requests,
} from "./cases.mjs";

test("each request has a reply, and each reply a request", () => {
  const replies = fs.readdirSync(path.join(here, "replies")).sort();
  assert.ok(replies.length >= 25);
  assert.deepEqual(
    requests().map(({ name }) => name),
    replies,
  );
});

for (const { name, request, reply_file } of requests()) {
  test(`the command answers ${name} as written`, () => {
    const text = ask_command(request);
    const expected = fs.readFileSync(reply_file, "utf8");
    const [reply, known] = [text, expected].map((each) => JSON.parse(each));
    const found = first_difference(reply, known);
    assert.equal(found, undefined, `${found}; ${kRegenerate}`);
    assert.equal(text, expected, kRegenerate);
  });
}

test("a difference between two replies is named by its place", () => {
  const cases = [
    [{ a: [1, 2] }, { a: [1, 2] }, undefined],
    [{ a: [1, 2] }, { a: [1, 3] }, "/a/1 is 2, expected 3"],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, "/ has a,b, expected b,a"],
    [{ a: null }, { a: {} }, "/a is null, expected {}"],
  ];
  for (const [actual, expected, says] of cases) {
    assert.equal(first_difference(actual, expected), says);
  }
});
