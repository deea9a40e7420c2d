// Checks form and finds bugs without running anything:
// `node web/scripts/check.mjs [--fix]`. With --fix it writes what a formatter
// can.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  build_folder,
  digest,
  Failure,
  files_below,
  main,
  once,
  root,
  run,
  say,
} from "./lib.mjs";
import { setup } from "./setup.mjs";

const kFolders = ["core", "wasm", "tests"];
const kTidyFolder = path.join(build_folder, "tidy");

function files_of(pattern) {
  return kFolders.flatMap((folder) =>
    files_below(folder, (file) => pattern.test(file)),
  );
}

// Runs `work` over the items, as many at once as there are processors.
async function each(items, work) {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.shift(); item; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: os.cpus().length }, worker));
}

async function check_cpp_format(fix) {
  const how = fix ? ["-i"] : ["--dry-run", "-Werror"];
  await run("clang-format", [...how, ...files_of(/\.(h|cpp)$/)]);
}

// The compile commands of clang's build. What CMake generates is left out: it
// may not be built yet, and nobody writes it.
async function clang_commands() {
  await run("cmake", ["--preset", "tidy"]);
  const file = path.join(kTidyFolder, "compile_commands.json");
  return JSON.parse(fs.readFileSync(file, "utf8")).filter(
    ({ file }) => !file.startsWith(build_folder),
  );
}

// Runs a program on every source of the build, but not again on one that was
// good until it, a header or `configuration` changes.
async function check_sources(name, configuration, words_of) {
  const common = digest([...configuration, ...files_of(/\.h$/)]);
  const failed = [];
  await each(await clang_commands(), async (source) => {
    const state = digest([path.relative(root, source.file)], common);
    const stamp = `tidy/${name}/${path.relative(root, source.file)}`;
    await once(stamp, state, async () => {
      const [program, ...words] = words_of(source);
      const { code, output } = await run(program, words, {
        cwd: source.directory,
        may_fail: true,
      });
      if (code !== 0) failed.push(output);
      return code === 0;
    });
  });
  if (failed.length > 0) {
    const noise =
      /^(\d+ warnings? generated|Suppressed |Use -header-filter).*\n/gm;
    throw new Failure(`objections\n${failed.join("").replace(noise, "")}`);
  }
}

// The warnings of a second compiler.
async function check_clang() {
  await check_sources("clang", ["CMakePresets.json"], ({ command }) => [
    "sh",
    "-c",
    command.replace(/ -o \S+ -c /, " -fsyntax-only "),
  ]);
}

async function check_tidy() {
  await check_sources("clang-tidy", [".clang-tidy"], ({ file }) => [
    "clang-tidy",
    "-p",
    kTidyFolder,
    "--quiet",
    file,
  ]);
}

async function check_biome(fix) {
  const how = fix ? ["--write"] : [];
  await run("npx", ["--no-install", "biome", "check", ...how]);
}

async function check_types() {
  await run("npx", ["--no-install", "tsc", "-p", "web/tsconfig.json"]);
}

async function check_html() {
  await run("npx", ["--no-install", "html-validate", "web/index.html"]);
}

const kChecks = [
  { name: "clang-format", work: check_cpp_format },
  { name: "clang, warnings", work: check_clang },
  { name: "clang-tidy", work: check_tidy },
  { name: "biome", work: check_biome },
  { name: "tsc", work: check_types },
  { name: "html-validate", work: check_html },
];

const kFixers = [check_cpp_format, check_biome];

main(import.meta, async (words) => {
  const fix = words.includes("--fix");
  await setup("check");
  let failed = 0;
  for (const { name, work } of kChecks) {
    if (fix && !kFixers.includes(work)) continue;
    try {
      await work(fix);
      say(`${name}: good`);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failed += 1;
      say(`${name}: ${error.message}`);
    }
  }
  if (failed > 0) throw new Failure(`${failed} of the checks failed`);
});
