// Builds the command (build/bin), the WebAssembly module (build/wasm) and the
// site (build/site): `node web/scripts/build.mjs [native|wasm|site]`.

import fs from "node:fs";
import path from "node:path";
import { build_folder, digest, Failure, main, root, run, say } from "./lib.mjs";
import { setup } from "./setup.mjs";

// Configures a preset once; Ninja itself sees edits of the CMake files. A tree
// that was moved, or whose presets changed, starts from an empty cache.
async function configure(preset, folder) {
  const stamp = path.join(folder, `.configured-${preset}`);
  const inputs = digest(["CMakePresets.json"], root);
  if (fs.existsSync(path.join(folder, "build.ninja"))) {
    const seen = fs.existsSync(stamp) ? fs.readFileSync(stamp, "utf8") : inputs;
    if (seen !== inputs) fs.rmSync(path.join(folder, "CMakeCache.txt"));
    else if (fs.existsSync(stamp)) return;
  }
  await run("cmake", ["--preset", preset]);
  fs.writeFileSync(stamp, inputs);
}

// Configures and builds a preset; `title` tells the user what takes the time.
export async function build_preset(preset, folder, title) {
  say(`${title} ...`);
  const started = Date.now();
  await configure(preset, path.join(build_folder, folder));
  await run("cmake", ["--build", "--preset", preset], { progress: true });
  const seconds = (Date.now() - started) / 1000;
  if (seconds > 2) say(`  done in ${seconds.toFixed(0)} s`);
}

export async function build_native() {
  await build_preset("release", "native", "Building the command");
  await run("cmake", [
    "--install",
    "build/native",
    "--component",
    "command",
    "--prefix",
    build_folder,
  ]);
}

export async function build_wasm() {
  await build_preset("wasm", "wasm", "Building the WebAssembly module");
}

export async function build_site() {
  // Loaded late: it needs the npm packages, which setup may just have brought.
  const { bundle_site } = await import("./site.mjs");
  await bundle_site();
}

const kParts = {
  native: { task: "build", work: [build_native] },
  wasm: { task: "site", work: [build_wasm] },
  site: { task: "site", work: [build_wasm, build_site] },
  all: { task: "build", work: [build_native, build_wasm, build_site] },
};

export async function build(part = "all") {
  if (!(part in kParts)) {
    throw new Failure(
      `build: "${part}" is not one of ${Object.keys(kParts).join(", ")}`,
    );
  }
  await setup(kParts[part].task);
  for (const work of kParts[part].work) await work();
}

main(import.meta, async ([part]) => {
  await build(part);
  say("Built: the command is build/bin/meshwise, the site is build/site");
});
