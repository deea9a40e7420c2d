// Installs what a task lacks: the distribution's packages, and the npm packages
// of the lock file. `node web/scripts/setup.mjs [site|build|test|...]`.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Failure, main, root, run, say, which } from "./lib.mjs";

const kIncludeFolders = [
  "/usr/include",
  "/usr/local/include",
  "/opt/homebrew/include",
  ...(process.env.CPATH ?? "").split(path.delimiter).filter(Boolean),
];

function header(name) {
  return () =>
    kIncludeFolders.some((folder) => fs.existsSync(path.join(folder, name)));
}

function program(...names) {
  return () => which(...names) !== undefined;
}

// A browser that playwright-core downloaded.
function downloaded_browser() {
  const cache = path.join(os.homedir(), ".cache/ms-playwright");
  return entries(cache)
    .flatMap((name) =>
      entries(path.join(cache, name)).map((sub) =>
        path.join(cache, name, sub, "chrome"),
      ),
    )
    .find((file) => fs.existsSync(file));
}

// The browser that the tests drive; CHROMIUM names another.
export function find_browser() {
  return (
    process.env.CHROMIUM ||
    which("chromium", "google-chrome", "google-chrome-stable") ||
    downloaded_browser()
  );
}

// Ubuntu's package only asks snap for the browser, which a container lacks.
const kBrowserIsPackaged = !(
  fs.existsSync("/etc/os-release") &&
  /^ID=ubuntu$/m.test(fs.readFileSync("/etc/os-release", "utf8"))
);

async function download_browser() {
  say("Downloading Chromium for the tests of the page");
  const cli = path.join(root, "node_modules/playwright-core/cli.js");
  await run("node", [cli, "install", "--with-deps", "chromium"]);
}

function has_gtest_sources() {
  return fs.existsSync("/usr/src/googletest/CMakeLists.txt");
}

function entries(folder) {
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
}

function has_fuzzer() {
  return entries("/usr/lib/clang").some((version) =>
    entries(`/usr/lib/clang/${version}/lib/linux`).some((name) =>
      name.includes("fuzzer"),
    ),
  );
}

// What each task needs beyond Node: how to see it, the package that has it and
// why it is wanted.
const kNeeds = {
  site: [
    [program("cmake"), "cmake", "configures the build"],
    [program("ninja"), "ninja-build", "runs the build"],
    [program("emcc"), "emscripten", "compiles the core to WebAssembly"],
    [header("nlohmann/json.hpp"), "nlohmann-json3-dev", "reads JSON"],
  ],
  build: [
    [program("c++", "g++", "clang++"), "g++", "compiles the command"],
    [header("CLI/CLI.hpp"), "libcli11-dev", "reads the command's flags"],
    [header("zip.h"), "libzip-dev", "reads and writes zip archives"],
  ],
  test: [
    [header("gtest/gtest.h"), "libgtest-dev", "runs the core's tests"],
    [header("gmock/gmock.h"), "libgmock-dev", "matches in the core's tests"],
    [has_gtest_sources, "googletest", "runs the tests in WebAssembly"],
    [header("rapidcheck.h"), "librapidcheck-dev", "tests properties"],
    ...(kBrowserIsPackaged
      ? [[find_browser, "chromium", "tests the page"]]
      : []),
  ],
  bench: [
    [header("benchmark/benchmark.h"), "libbenchmark-dev", "measures the core"],
  ],
  check: [
    [program("clang-format"), "clang-format", "checks the format"],
    [program("clang-tidy"), "clang-tidy", "checks the C++"],
    [program("clang++"), "clang", "compiles with other warnings"],
  ],
  fuzz: [
    [program("clang++"), "clang", "compiles the fuzz targets"],
    [has_fuzzer, "libclang-rt-dev", "holds libFuzzer"],
  ],
};

const kIncludes = {
  site: ["site"],
  build: ["site", "build"],
  test: ["site", "build", "test"],
  bench: ["site", "build", "bench"],
  check: ["site", "build", "test", "bench", "check"],
  fuzz: ["site", "build", "fuzz"],
};

function missing(task) {
  const needs = kIncludes[task].flatMap((group) => kNeeds[group]);
  return needs.filter(([found]) => !found());
}

// The words that put a command into root's hands, or undefined.
async function as_root() {
  if (process.getuid?.() === 0) return [];
  if (!which("sudo")) return undefined;
  if (process.stdin.isTTY) return ["sudo"];
  const { code } = await run("sudo", ["-n", "true"], { may_fail: true });
  return code === 0 ? ["sudo", "-n"] : undefined;
}

async function apt_get(prefix, args) {
  const words = [
    ...prefix,
    "env",
    "DEBIAN_FRONTEND=noninteractive",
    "apt-get",
    "-qq",
    "-o",
    "DPkg::Lock::Timeout=600",
    ...args,
  ];
  await run(words[0], words.slice(1));
}

async function install_packages(task) {
  const wanted = missing(task);
  if (wanted.length === 0) return;
  const names = [...new Set(wanted.map(([, name]) => name))];
  const advice = `Meshwise needs ${names.join(" ")}`;
  if (!which("apt-get")) {
    throw new Failure(
      `${advice} (the names of Debian's packages): install them, and run this again.`,
    );
  }
  const prefix = await as_root();
  if (prefix === undefined) {
    throw new Failure(
      `${advice}: run "apt-get install ${names.join(" ")}" as root, and run this again.`,
    );
  }
  const reasons = wanted.map(([, name, why]) => `${name} (${why})`);
  say(
    `Installing with apt-get, which takes some minutes: ${reasons.join(", ")}`,
  );
  try {
    await apt_get(prefix, ["update"]);
    await apt_get(prefix, [
      "install",
      "-y",
      "--no-install-recommends",
      ...names,
    ]);
  } catch {
    throw new Failure(
      `${advice}; "apt-get install ${names.join(" ")}" failed, see above.`,
    );
  }
  const left = missing(task).map(([, name]) => name);
  if (left.length > 0) {
    throw new Failure(
      `After apt-get these still cannot be found: ${left.join(" ")}`,
    );
  }
}

function read_packages(file) {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  return Object.entries(JSON.parse(text).packages);
}

// Whether node_modules holds what the lock file says. Packages for other
// platforms are optional and may be absent.
function modules_are_current() {
  if (!fs.existsSync(path.join(root, "node_modules/.package-lock.json"))) {
    return false;
  }
  const installed = new Map(read_packages("node_modules/.package-lock.json"));
  return read_packages("package-lock.json").every(([name, wanted]) => {
    if (name === "") return true;
    const found = installed.get(name);
    return found ? found.version === wanted.version : wanted.optional === true;
  });
}

async function install_modules() {
  if (modules_are_current()) return;
  say("Installing the npm packages of package-lock.json");
  // No package needs its install script here.
  await run("npm", ["ci", "--ignore-scripts", "--loglevel=error"]);
}

// Makes sure that all that `task` needs is there.
export async function setup(task) {
  const [major] = process.versions.node.split(".").map(Number);
  if (major < 20) {
    throw new Failure(
      `Meshwise needs Node 20 or newer; this is Node ${process.versions.node}.`,
    );
  }
  await install_packages(task);
  await install_modules();
  if (kIncludes[task].includes("test") && !find_browser()) {
    await download_browser();
  }
}

main(import.meta, async ([task = "test"]) => {
  if (!(task in kIncludes)) {
    throw new Failure(
      `setup: "${task}" is not one of ${Object.keys(kIncludes).join(", ")}`,
    );
  }
  await setup(task);
});
