// Builds everything and runs every test:
// `node web/scripts/test.mjs [native|wasm|node]`. The last line sums them up.

import fs from "node:fs";
import path from "node:path";
import { build, build_preset } from "./build.mjs";
import { build_folder, Failure, files_below, main, run, say } from "./lib.mjs";
import { find_browser, setup } from "./setup.mjs";

const kSanitizers = {
  ASAN_OPTIONS: "detect_stack_use_after_return=1",
  UBSAN_OPTIONS: "print_stacktrace=1",
};

function number_in(text, pattern) {
  return Number(text.match(pattern)?.[1] ?? 0);
}

// What the other runners test. It counts as a test only when it fails.
async function run_build() {
  await build("all");
  return { code: 0, output: "", passed: 1, failed: 0 };
}

// The core's tests natively, under the sanitizers: each test a process.
async function run_native() {
  await build_preset("debug", "debug", "Building the tests with sanitizers");
  const { code, output } = await run(
    "ctest",
    ["--preset", "debug", "--parallel", "2", "--progress"],
    { may_fail: true, env: kSanitizers },
  );
  const total = number_in(output, /tests failed out of (\d+)/);
  const failed = number_in(output, /(\d+) tests failed out of/);
  const skipped = output.match(/\*{3}Skipped/g)?.length ?? 0;
  return { code, output, passed: total - failed - skipped, failed, skipped };
}

// The same tests of the core as WebAssembly, under Node.
async function run_wasm() {
  await build_preset("wasm-tests", "wasm", "Building the tests in WebAssembly");
  const program = path.join(build_folder, "wasm/bin/meshwise_tests.cjs");
  const { code, output } = await run("node", [program, "--gtest_brief=1"], {
    may_fail: true,
  });
  const total = number_in(output, /\[=+\] (\d+) tests? from .* ran/);
  const passed = number_in(output, /\[ {2}PASSED {2}\] (\d+) tests?/);
  const skipped = number_in(output, /\[ {2}SKIPPED \] (\d+) tests?/);
  return { code, output, passed, failed: total - passed - skipped, skipped };
}

// Everything that Node's own runner runs: the module, the command, the page's
// parts, the page in a browser, and the checks of the tree itself.
async function run_node() {
  const files = files_below("tests", (file) => file.endsWith(".test.mjs"));
  const report = path.join(build_folder, "tests/node.tap");
  fs.mkdirSync(path.dirname(report), { recursive: true });
  const { code, output } = await run(
    "node",
    [
      "--test",
      "--test-timeout=300000",
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
      "--test-reporter=tap",
      `--test-reporter-destination=${report}`,
      ...files,
    ],
    { may_fail: true, env: { CHROMIUM: find_browser() } },
  );
  const tap = fs.readFileSync(report, "utf8");
  const passed = number_in(tap, /^# pass (\d+)$/m);
  const skipped = number_in(tap, /^# (?:skipped|todo) (\d+)$/m);
  const total = number_in(tap, /^# tests (\d+)$/m);
  return { code, output, passed, failed: total - passed - skipped, skipped };
}

const kRunners = {
  native: { title: "core, native with sanitizers", run: run_native },
  wasm: { title: "core, as WebAssembly", run: run_wasm },
  node: { title: "module, command, page, checks", run: run_node },
};

// One runner's result. A build that fails, a runner that fails without saying
// which test, and a runner that finds no test are failures too.
async function result_of({ title, run: work }) {
  say(`\n== ${title}`);
  const started = Date.now();
  let result;
  try {
    result = await work();
  } catch (error) {
    const text = error instanceof Failure ? error.message : error.stack;
    result = { code: 1, output: text, passed: 0, failed: 1 };
  }
  if (result.passed + result.failed === 0) {
    result.output += "\nno test ran";
    result.failed = 1;
  } else if (result.code !== 0 && result.failed === 0) {
    result.failed = 1;
  }
  if (result.failed > 0) say(result.output);
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  return { skipped: 0, ...result, title, seconds };
}

function print_summary(results) {
  say("\n== summary");
  for (const { title, passed, failed, skipped, seconds } of results) {
    const rest = skipped > 0 ? `, ${skipped} skipped` : "";
    say(
      `${title.padEnd(32)} ${String(passed).padStart(6)} passed ` +
        `${String(failed).padStart(4)} failed${rest}  ${seconds} s`,
    );
  }
  const sum = (key) => results.reduce((total, one) => total + one[key], 0);
  say(`\n${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed");
}

main(import.meta, async (names) => {
  const chosen = names.length > 0 ? names : Object.keys(kRunners);
  const unknown = chosen.find((name) => !(name in kRunners));
  if (unknown !== undefined) {
    throw new Failure(
      `test: "${unknown}" is not one of ${Object.keys(kRunners).join(", ")}`,
    );
  }
  await setup("test");
  const results = [];
  if (chosen.includes("node")) {
    const outcome = await result_of({ title: "build", run: run_build });
    if (outcome.failed > 0) results.push(outcome);
  }
  for (const name of chosen) results.push(await result_of(kRunners[name]));
  if (print_summary(results) > 0) process.exitCode = 1;
});
