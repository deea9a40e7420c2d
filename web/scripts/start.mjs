// Builds what is missing and serves the page. PORT chooses the port.

import { build } from "./build.mjs";
import { Failure, main, say } from "./lib.mjs";
import { serve } from "./serve.mjs";

function wanted_ports() {
  const text = process.env.PORT;
  if (text === undefined || text === "") {
    return [8080, 8081, 8082, 8083, 8084, 0];
  }
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Failure(`PORT must be a number from 0 to 65535, not "${text}"`);
  }
  return [port];
}

main(import.meta, async () => {
  const ports = wanted_ports();
  await build("site");
  try {
    const { url } = await serve({ ports });
    say(`Meshwise is at ${url} (Ctrl+C ends it)`);
  } catch (error) {
    if (error.code !== "EADDRINUSE" && error.code !== "EACCES") throw error;
    throw new Failure(`Port ${ports[0]} is not free: set PORT to another one.`);
  }
});
