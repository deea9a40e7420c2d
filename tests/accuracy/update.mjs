// Writes docs/accuracy.md anew: read the difference before you keep it.

import fs from "node:fs";
import path from "node:path";
import { root } from "./ask.mjs";
import { report } from "./report.mjs";

fs.writeFileSync(path.join(root, "docs/accuracy.md"), report());
