// Serves build/site as a static host would, with the headers that a careful
// one sends. The tests of the page use it too.

import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { build_folder } from "./lib.mjs";

export const kPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const kTypes = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

const kHeaders = {
  "Content-Security-Policy": kPolicy,
  "Cache-Control": "no-cache",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

// The file that a request asks for, or undefined: nothing outside the folder,
// whether by "..", by an encoded slash or by a link.
function find_file(folder, address) {
  let name;
  try {
    name = decodeURIComponent(new URL(address, "http://localhost").pathname);
  } catch {
    return undefined;
  }
  if (name.includes("\0")) return undefined;
  if (name.endsWith("/")) name += "index.html";
  try {
    const file = fs.realpathSync(path.join(folder, name));
    const inside = file.startsWith(folder + path.sep);
    return inside && fs.statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

function answer(folder, request, response) {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { ...kHeaders, Allow: "GET, HEAD" }).end();
    return;
  }
  const file = find_file(folder, request.url ?? "/");
  if (file === undefined) {
    response
      .writeHead(404, { ...kHeaders, "Content-Type": kTypes[".txt"] })
      .end("Not found\n");
    return;
  }
  const type = kTypes[path.extname(file)] ?? "application/octet-stream";
  response.writeHead(200, {
    ...kHeaders,
    "Content-Type": type,
    "Content-Length": fs.statSync(file).size,
  });
  if (request.method === "HEAD") response.end();
  else fs.createReadStream(file).pipe(response);
}

function listen(server, host, port) {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve(server.address().port);
    });
  });
}

// Listens on the first free port of `ports`; port 0 lets the system choose.
export async function serve({
  folder = path.join(build_folder, "site"),
  host = "127.0.0.1",
  ports = [0],
} = {}) {
  const real = fs.realpathSync(folder);
  const server = http.createServer((request, response) =>
    answer(real, request, response),
  );
  for (const [index, port] of ports.entries()) {
    try {
      const chosen = await listen(server, host, port);
      return {
        url: `http://localhost:${chosen}/`,
        close: () => {
          server.closeAllConnections();
          return new Promise((resolve) => server.close(resolve));
        },
      };
    } catch (error) {
      const taken = error.code === "EADDRINUSE" || error.code === "EACCES";
      if (!taken || index === ports.length - 1) throw error;
    }
  }
  throw new Error("no port to listen on");
}
