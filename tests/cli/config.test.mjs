// config.json files of published models: the shapes that they give, and what
// bad ones are told. Counts are the published ones (the sum over a checkpoint's
// tensors), of Gemma 3 4B without the vision tower's 419,816,304.

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { root, run, run_json } from "./run.mjs";

const configs = path.join(root, "tests/reference/configs");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "meshwise-config-"));
test.after(() => fs.rmSync(folder, { recursive: true }));

const kCounts = {
  "bloom-176b": 176247271424,
  "deepseek-v2": 235741434880,
  "deepseek-v2-lite": 15706484224,
  "deepseek-v3": 671026419200,
  "falcon-40b": 41835970560,
  "falcon-7b": 7217189760,
  "gemma-2-27b": 27227128320,
  "gemma-2-2b": 2614341888,
  "gemma-3-1b": 999885952,
  "gemma-3-4b": 4300079472 - 419816304,
  "gpt-neox-20b": 20554567680,
  gpt2: 124439808,
  "gpt2-xl": 1557611200,
  "llama-2-7b": 6738415616,
  "llama-3.1-405b": 405853388800,
  "llama-3.1-8b": 8030261248,
  "mistral-7b-v0.1": 7241732096,
  "mistral-7b-v0.3": 7248023552,
  "mixtral-8x7b": 46702792704,
  "opt-6.7b": 6658473984,
  "opt-66b": 65719701504,
  "phi-2": 2779683840,
  "phi-3-mini-4k": 3821079552,
  "qwen1.5-moe-a2.7b": 14315784192,
  "qwen2.5-0.5b": 494032768,
  "qwen2.5-7b": 7615616512,
  "qwen3-0.6b": 596049920,
  "qwen3-30b-a3b": 30532122624,
  "qwen3-8b": 8190735360,
};

test("every config.json that is here has a count to meet", () => {
  const names = fs.readdirSync(configs).map((name) => path.parse(name).name);
  assert.deepEqual(names.sort(), Object.keys(kCounts).sort());
});

for (const [name, count] of Object.entries(kCounts)) {
  test(`the config.json of ${name} has ${count} parameters`, () => {
    const file = path.join(configs, `${name}.json`);
    const flags = "meshwise memory --gpus 1";
    assert.equal(
      run_json(flags, { args: ["--config", file] }).parameters,
      count,
    );
  });
}

// A preset and the file it was taken from are one model.
const kPresets = {
  "bloom-176b": "bloom-176b",
  "deepseek-v2": "deepseek-v2",
  "deepseek-v3": "deepseek-v3",
  "falcon-40b": "falcon-40b",
  "falcon-7b": "falcon-7b",
  "gemma-2-27b": "gemma2-27b",
  "gpt-neox-20b": "gpt-neox-20b",
  "llama-3.1-8b": "llama3-8b",
  "mistral-7b-v0.1": "mistral-7b",
  "mixtral-8x7b": "mixtral-8x7b",
  "opt-66b": "opt-66b",
  "qwen2.5-7b": "qwen2.5-7b",
  "qwen3-30b-a3b": "qwen3-30b-a3b",
};

for (const [name, preset] of Object.entries(kPresets)) {
  test(`the config.json of ${name} and the preset ${preset} plan alike`, () => {
    const numbers = (model) => {
      const asked = (kind) =>
        JSON.parse(
          run("meshwise call", {
            input: JSON.stringify({
              kind,
              model,
              phase: kind === "decode" ? "serving" : "training",
              cluster: { gpus: 8 },
              serving: { context_tokens: 100000, batch: 4, batch_max: 4 },
              plan: { tp: 1, dp: 8 },
            }),
          }).out,
        );
      const { per_gpu, active_parameters } = asked("memory");
      const { tpot_s, ttft_s, kv_s, max_tokens } = asked("decode");
      return { per_gpu, active_parameters, tpot_s, ttft_s, kv_s, max_tokens };
    };
    const config = JSON.parse(
      fs.readFileSync(path.join(configs, `${name}.json`), "utf8"),
    );
    const imported = numbers({ config });
    assert.ok(imported.tpot_s > 0 && imported.active_parameters > 0);
    assert.deepEqual(imported, numbers({ preset }));
  });
}

function told(text) {
  const file = path.join(folder, "config.json");
  fs.writeFileSync(file, text);
  const { code, out, err } = run("meshwise memory", {
    args: ["--config", file],
  });
  assert.equal(code, 2, out);
  assert.equal(out, "");
  assert.equal(err.trim().split("\n").length, 1, err);
  return err;
}

const llama = JSON.parse(
  fs.readFileSync(path.join(configs, "llama-3.1-8b.json"), "utf8"),
);

test("a mistake in a config.json is told with its line, key and range", () => {
  const text = JSON.stringify({ ...llama, hidden_size: -4096 }, null, 1);
  const line = text.split("\n").findIndex((each) => /"hidden_size"/.test(each));
  assert.match(
    told(text),
    new RegExp(
      `config.json:${line + 1}:\\d+: /hidden_size.*-4096.*1 to 1000000`,
    ),
  );
});

test("a missing file, and one that is no JSON, are told apart", () => {
  const { code, err } = run("meshwise memory --config no-such.json");
  assert.equal(code, 2);
  assert.match(err, /--config no-such\.json: .*accepted: a file/);
  assert.match(told("{,}"), /config\.json:1:\d+: .*accepted: a config\.json/);
});

test("an unknown model_type is told what is read and what it lacks", () => {
  const err = told('{"model_type": "mamba", "hidden_size": 768}');
  assert.match(err, /mamba is not read; it lacks num_hidden_layers/);
  assert.match(err, /accepted: bloom, deepseek_v2, .*qwen3_moe/);
  assert.doesNotMatch(err, /lacks[^;]*hidden_size/);
});

test("a value over a config.json's is taken, and a preset beside it is not", () => {
  const file = path.join(configs, "llama-3.1-8b.json");
  const flags = "meshwise memory --gpus 1 --layers 16";
  const half = run_json(flags, { args: ["--config", file] });
  assert.equal(half.parameters, 8030261248 - 16 * 218112000);
  const both = run("meshwise memory --preset llama3-8b", {
    args: ["--config", file],
  });
  assert.equal(both.code, 2);
  assert.match(both.err, /preset and a config\.json at once/);
});
