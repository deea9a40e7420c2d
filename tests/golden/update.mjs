// Writes the stored replies anew from the command: look at the difference
// before you keep it.

import fs from "node:fs";
import path from "node:path";
import { ask_command, here, requests } from "./cases.mjs";

fs.mkdirSync(path.join(here, "replies"), { recursive: true });
for (const { request, reply_file } of requests()) {
  fs.writeFileSync(reply_file, ask_command(request));
}
