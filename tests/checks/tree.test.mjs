// What holds for the tree as a whole.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { root } from "../../web/scripts/lib.mjs";

function read(file) {
  return fs.readFileSync(path.join(root, file), "utf8");
}

// Tracked files, and those that would be: what Git does not ignore.
const files = execFileSync(
  "git",
  ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
  { cwd: root, encoding: "utf8" },
)
  .split("\0")
  .filter((file) => file !== "" && fs.existsSync(path.join(root, file)));

const texts = files
  .filter((file) => !/\.(png|jpg|ico|woff2)$/.test(file))
  .map((file) => ({ file, text: read(file) }));

function files_with(pattern, chosen = texts) {
  return chosen
    .filter(({ text }) => pattern.test(text))
    .map(({ file }) => file);
}

test("the top level holds only what it should", () => {
  const allowed = new Set([
    "CMakeLists.txt",
    "CMakePresets.json",
    "LICENSE",
    "README.md",
    "core",
    "docs",
    "package-lock.json",
    "package.json",
    "tests",
    "wasm",
    "web",
  ]);
  const entries = new Set(files.map((file) => file.split("/")[0]));
  const strays = [...entries].filter(
    (entry) => !entry.startsWith(".") && !allowed.has(entry),
  );
  assert.deepEqual(strays, []);
});

test("no file names a path of the machine it was written on", () => {
  const pattern = new RegExp(
    ["/work/", "/farm", "/tmp/bash_" + "jobs", "/root/", "/home/\\w"]
      .map((text) => text.replace(/^\//, "(?<![\\w.~])/"))
      .join("|"),
  );
  const others = texts.filter(({ file }) => !file.endsWith("tree.test.mjs"));
  assert.deepEqual(files_with(pattern, others), []);
});

test("no file names a package registry", () => {
  const pattern = new RegExp(
    ["registry" + "\\.npmjs", "npm" + "mirror", "deb" + "\\.debian\\.org"].join(
      "|",
    ),
  );
  assert.deepEqual(files_with(pattern), []);
});

test("the lock file names no address to fetch from", () => {
  const { packages } = JSON.parse(read("package-lock.json"));
  const resolved = Object.entries(packages)
    .filter(([, entry]) => /^https?:/.test(entry.resolved ?? ""))
    .map(([name]) => name);
  assert.deepEqual(resolved, []);
});

test("package.json and the C++ project agree on the version", () => {
  const [, version] = read("CMakeLists.txt").match(/VERSION (\d+\.\d+\.\d+)/);
  assert.equal(JSON.parse(read("package.json")).version, version);
});

test("the bindings stay a door: under 80 lines", () => {
  const lines = read("wasm/bindings.cpp").split("\n").length;
  assert.ok(lines < 80, `${lines} lines`);
});

test("C++ files are at most 80 columns wide and free of tabs", () => {
  const sources = texts.filter(({ file }) => /\.(h|cpp)$/.test(file));
  const wide = sources.filter(({ text }) =>
    text.split("\n").some((line) => [...line].length > 80 || /\t/.test(line)),
  );
  assert.deepEqual(
    wide.map(({ file }) => file),
    [],
  );
});

test("the core has no I/O, clock, locale or randomness", () => {
  const core = texts.filter(({ file }) => /^core\/(include|src)\//.test(file));
  const headers =
    /#include <(iostream|fstream|sstream|regex|locale|random|chrono|ctime|filesystem|thread|mutex|future)>/;
  assert.ok(core.length > 20, "the sources were found");
  assert.deepEqual(files_with(headers, core), []);
});

test("no test asserts on a clock", () => {
  const tests = texts.filter(
    ({ file }) =>
      /^tests\//.test(file) && !/^tests\/(bench|checks)\//.test(file),
  );
  const clock =
    /performance\.now\(\)|Date\.now\(\)|steady_clock|system_clock|<chrono>/;
  assert.deepEqual(files_with(clock, tests), []);
});

test("every source is in the list of its CMake file", () => {
  const lists = {
    "core/src": "core/CMakeLists.txt",
    "core/cli": "core/cli/CMakeLists.txt",
    "tests/core": "tests/CMakeLists.txt",
    "tests/property": "tests/CMakeLists.txt",
    "tests/compile_fail": "tests/CMakeLists.txt",
    "tests/bench": "tests/bench/CMakeLists.txt",
  };
  const missing = files.filter((file) => {
    const list = lists[path.dirname(file)];
    if (list === undefined || !file.endsWith(".cpp")) return false;
    const words = read(list).split(/[\s()]+/);
    const name = path.basename(file);
    return !words.includes(name) && !words.includes(`src/${name}`);
  });
  assert.deepEqual(missing, []);
});
