// The module gives the bytes that the command gives.
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import {
  ask_command,
  first_difference,
  kRegenerate,
  load_module,
  requests,
} from "../golden/cases.mjs";

const meshwise = await load_module();

for (const { name, request, reply_file } of requests()) {
  test(`the module answers ${name} as the command does`, () => {
    const text = `${meshwise.call(request)}\n`;
    const expected = fs.readFileSync(reply_file, "utf8");
    const [reply, known] = [text, expected].map((each) => JSON.parse(each));
    const found = first_difference(reply, known);
    assert.equal(found, undefined, `${found}; ${kRegenerate}`);
    assert.equal(text, expected, kRegenerate);
  });
}

// Degrees, sizes and links that the golden requests leave out: what one build
// rounds differently from the other shows in one of these.
function many_requests() {
  const requests = [];
  for (const preset of ["llama3-8b", "gpt3-175b", "mixtral-8x22b"]) {
    for (const gpus of [1, 8, 24, 64, 512]) {
      requests.push({
        kind: "plan",
        model: { preset },
        cluster: { gpu: "h100", gpus },
        training: { seq_tokens: 8192, global_batch: 3 * gpus },
        options: { top: 3, max_micro_batch: 4 },
      });
    }
  }
  for (const op of ["all_reduce", "all_gather", "all_to_all", "broadcast"]) {
    for (const bytes of [1, 777, 1e6, 3.3e9]) {
      for (const gpus of [2, 7, 64, 1000]) {
        requests.push({ kind: "collective", collective: { op, bytes, gpus } });
      }
    }
  }
  for (const batch of [1, 3, 8]) {
    for (const context_tokens of [100, 2048, 131072]) {
      requests.push({
        kind: "decode",
        scenario: "D",
        serving: { batch, context_tokens },
      });
    }
  }
  return requests.map((request) => JSON.stringify(request));
}

test("the two builds agree on requests that nobody wrote down", () => {
  for (const request of many_requests()) {
    const text = `${meshwise.call(request)}\n`;
    assert.equal(text, ask_command(request), request);
  }
});
