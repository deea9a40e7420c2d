// Bundles the page into build/site: scripts and styles with a hash of their
// content in the name, addresses relative, so that it can be hosted under any
// path. It also leaves every TypeScript module as a JavaScript one under
// build/js, for the tests under Node.

import fs from "node:fs";
import path from "node:path";
import {
  build_folder,
  digest,
  Failure,
  files_below,
  once,
  root,
  say,
} from "./lib.mjs";

const kSite = path.join(build_folder, "site");
const kGlue = "build/wasm/meshwise.mjs";
const kModule = "build/wasm/meshwise.wasm";

// The module's two files are wanted as soon as the page's script runs.
const kPreload = `  <link rel="modulepreload" href="meshwise.mjs">
  <link rel="preload" href="meshwise.wasm" as="fetch" type="application/wasm" crossorigin>
</head>`;

function in_root(file) {
  return path.join(root, file);
}

// One entry, bundled; returns the name of the file that was written.
async function bundle(esbuild, entry, plugins = []) {
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry],
    entryNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    outdir: "build/site",
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    // The glue stays a file of its own, beside the page.
    external: ["*/meshwise.mjs", "*/meshwise.wasm"],
    loader: { ".svg": "file", ".woff2": "file" },
    metafile: true,
    logLevel: "error",
    plugins,
  });
  const written = Object.entries(metafile.outputs);
  const [name] = written.find(([, output]) => output.entryPoint === entry);
  return path.basename(name);
}

// The page names the worker by its source; the bundle must name the file that
// was written for it.
function worker_name(name) {
  return {
    name: "worker-name",
    setup(build) {
      build.onLoad({ filter: /web\/src\/.*\.ts$/ }, async ({ path: file }) => {
        const text = await fs.promises.readFile(file, "utf8");
        const contents = text.replaceAll(
          /new URL\("[./]*worker\.js"/g,
          `new URL("./${name}"`,
        );
        return { contents, loader: "ts" };
      });
    },
  };
}

async function write_scripts(esbuild) {
  const worker = await bundle(esbuild, "web/src/worker.ts");
  const main = await bundle(esbuild, "web/src/main.ts", [worker_name(worker)]);
  const styles = await bundle(esbuild, "web/styles/main.css");
  return { main, styles };
}

// The page names main.js and main.css; the built ones have a hash in the name.
function write_html({ main, styles }) {
  let html = fs.readFileSync(in_root("web/index.html"), "utf8");
  for (const [name, built] of [
    ['"main.js"', `"${main}"`],
    ['"main.css"', `"${styles}"`],
    ["</head>", kPreload],
  ]) {
    if (!html.includes(name)) {
      throw new Failure(`web/index.html must hold ${name}`);
    }
    html = html.replace(name, built);
  }
  fs.writeFileSync(path.join(kSite, "index.html"), html);
}

async function write_module() {
  const terser = await import("terser");
  const { code } = await terser.minify(
    fs.readFileSync(in_root(kGlue), "utf8"),
    { module: true, compress: { passes: 3, ecma: 2020 }, mangle: true },
  );
  fs.writeFileSync(path.join(kSite, "meshwise.mjs"), code);
  fs.copyFileSync(in_root(kModule), path.join(kSite, "meshwise.wasm"));
}

// The files that go out as they are.
function copy_static() {
  const folder = in_root("web/static");
  if (fs.existsSync(folder)) fs.cpSync(folder, kSite, { recursive: true });
}

async function write_modules_for_tests(esbuild) {
  const sources = [...files_below("web/src"), ...files_below("wasm")];
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: sources.filter((file) => file.endsWith(".ts")),
    outbase: ".",
    outdir: "build/js",
    format: "esm",
    target: "es2022",
    logLevel: "error",
  });
}

export async function bundle_site() {
  const sources = [
    ...files_below("web"),
    ...files_below("wasm"),
    "package-lock.json",
    kGlue,
    kModule,
  ];
  await once("stamps/site", digest(sources, root), async () => {
    say("Bundling the page ...");
    const esbuild = await import("esbuild");
    fs.rmSync(kSite, { recursive: true, force: true });
    fs.mkdirSync(kSite, { recursive: true });
    await write_modules_for_tests(esbuild);
    await write_module();
    write_html(await write_scripts(esbuild));
    copy_static();
  });
}
