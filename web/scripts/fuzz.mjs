// Fuzzes the core for a while: `node web/scripts/fuzz.mjs [seconds]`, 60 for
// each target by default. New inputs stay in build/fuzz; a crash is an error.

import fs from "node:fs";
import path from "node:path";
import { build_preset } from "./build.mjs";
import { build_folder, Failure, main, root, run, say } from "./lib.mjs";
import { setup } from "./setup.mjs";

async function fuzz(name, seconds) {
  const found = path.join(build_folder, "fuzz/found", name);
  const corpus = path.join(root, "tests/fuzz/corpus", name);
  fs.mkdirSync(found, { recursive: true });
  const { output } = await run(path.join(build_folder, "fuzz/bin", name), [
    `-max_total_time=${seconds}`,
    `-artifact_prefix=${found}-`,
    "-print_final_stats=1",
    found,
    ...(fs.existsSync(corpus) ? [corpus] : []),
  ]);
  const runs = output.match(/number_of_executed_units: (\d+)/)?.[1];
  say(`${name}: ${runs} inputs in ${seconds} s, no crash`);
}

main(import.meta, async ([seconds = "60"]) => {
  if (!/^[1-9]\d*$/.test(seconds)) {
    throw new Failure(`fuzz: seconds, a whole number, not "${seconds}"`);
  }
  await setup("fuzz");
  await build_preset("fuzz", "fuzz", "Building the fuzz targets");
  const targets = fs.readdirSync(path.join(build_folder, "fuzz/bin"));
  if (targets.length === 0) throw new Failure("there is no fuzz target");
  for (const name of targets) await fuzz(name, seconds);
});
