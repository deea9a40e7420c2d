// What the scripts share. Node's own modules only: these run before the first
// `npm ci`.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const build_folder = path.join(root, "build");

// A failure that is told in one line, without a stack.
export class Failure extends Error {}

export function say(text) {
  process.stdout.write(`${text}\n`);
}

// Runs a script's main function when the file is the one that Node started.
export function main(meta, body) {
  if (process.argv[1] !== fileURLToPath(meta.url)) return;
  body(process.argv.slice(2)).catch((error) => {
    const text = error instanceof Failure ? error.message : error.stack;
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
  });
}

// The program's path, or undefined.
export function which(...names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
      const file = path.join(folder, name);
      try {
        fs.accessSync(file, fs.constants.X_OK);
        if (fs.statSync(file).isFile()) return file;
      } catch {
        // not in this folder
      }
    }
  }
  return undefined;
}

// Ninja's "[12/40]" as a line that replaces itself on a terminal, and now and
// then elsewhere, so that a long build is seen to move.
function progress_meter() {
  let last = Date.now();
  return {
    see(text) {
      const found = text.match(/\[(\d+)\/(\d+)\]/g)?.at(-1);
      if (!found) return;
      if (process.stdout.isTTY) {
        process.stdout.write(`\r  ${found}\u001b[K`);
      } else if (Date.now() - last > 10_000) {
        last = Date.now();
        say(`  ${found}`);
      }
    },
    end() {
      if (process.stdout.isTTY) process.stdout.write("\r\u001b[K");
    },
  };
}

// Runs a program. `show` passes its output on; otherwise it is kept, returned,
// and printed only if the program fails and `quiet` is not asked for.
export function run(program, args, options = {}) {
  const { show = false, quiet = false, env = {}, cwd = root } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", show ? "inherit" : "pipe", show ? "inherit" : "pipe"],
    });
    let output = "";
    const meter = progress_meter();
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text;
        if (options.progress) meter.see(text);
      });
    }
    child.on("error", (error) =>
      reject(new Failure(`${program}: ${error.message}`)),
    );
    child.on("close", (code, signal) => {
      if (options.progress) meter.end();
      if (code === 0 || options.may_fail) {
        resolve({ code: code ?? 1, output });
        return;
      }
      if (!quiet) process.stderr.write(output);
      const why = signal ? `ended by ${signal}` : `exit code ${code}`;
      const name = path.basename(program);
      reject(new Failure(`${name} ${args[0] ?? ""} failed (${why})`));
    });
  });
}

// Every file below a folder, sorted, as paths relative to the root.
export function files_below(folder, matches = () => true) {
  const found = [];
  const visit = (relative) => {
    const absolute = path.join(root, relative);
    if (!fs.existsSync(absolute)) return;
    for (const entry of fs.readdirSync(absolute, { withFileTypes: true })) {
      const child = path.posix.join(relative, entry.name);
      if (entry.isDirectory()) visit(child);
      else if (matches(child)) found.push(child);
    }
  };
  visit(folder);
  return found.sort();
}

// A digest of the contents of files, given relative to the root.
export function digest(files, extra = "") {
  const hash = createHash("sha256").update(extra);
  for (const file of files) {
    hash.update(`\0${file}\0`).update(fs.readFileSync(path.join(root, file)));
  }
  return hash.digest("hex");
}

// Does the work unless its stamp says that these inputs were done already.
// Work that returns false is done again the next time.
export async function once(stamp, inputs, work) {
  const file = path.join(build_folder, stamp);
  if (fs.existsSync(file) && fs.readFileSync(file, "utf8") === inputs) return;
  if ((await work()) === false) return;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, inputs);
}
