// The built site (or the one in the folder MESHWISE_SITE) in a real browser: a
// server, a page, and what went wrong in it. Tests use the page as a user
// would: by its labels, buttons and keys.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "../../web/scripts/serve.mjs";
import { find_browser } from "../../web/scripts/setup.mjs";

const kArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

// Call at the top of a test file: `const site = use_site();`
export function use_site() {
  const site = {};
  before(async () => {
    site.server = await serve(
      process.env.MESHWISE_SITE ? { folder: process.env.MESHWISE_SITE } : {},
    );
    site.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH || find_browser(),
      args: kArguments,
    });
  });
  after(async () => {
    await site.browser?.close();
    await site.server?.close();
  });
  site.open = (view, options) => open(site, view, options);
  return site;
}

// A page on a view, ready to use. `complaints` collects every console error,
// uncaught exception and policy violation.
async function open(site, view = "A", options = {}) {
  const { wait = true, prepare, ...rest } = options;
  const context = await site.browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    ...rest,
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await prepare?.(page, context);
  await page.goto(`${site.server.url}#${view}`);
  if (wait) await page.waitForSelector("html[data-ready]");
  return {
    page,
    complaints,
    close: async () => {
      assert.deepEqual(complaints, []);
      await context.close();
    },
  };
}

// Fills the answer form: keys are field names, "q2.dp"; a choice is picked by
// what it reads, a pattern.
export async function fill_answer(page, answer) {
  for (const [key, value] of Object.entries(answer)) {
    const control = page.locator(`#a-${key.replaceAll(".", "-")}`);
    if (value instanceof RegExp) await choose(control, value);
    else await control.fill(value);
  }
}

async function choose(control, pattern) {
  const options = await control.locator("option").allTextContents();
  const found = options.map((text) => text.trim());
  const index = found.findIndex((text) => pattern.test(text));
  assert.notEqual(index, -1, `${pattern} is none of ${found.join(" | ")}`);
  await control.selectOption({ index });
}

export async function grade(page) {
  await page.getByRole("button", { name: "Grade my answer" }).click();
  await page.locator("#score").waitFor();
}

// The marks as the page shows them: {total, criteria: {text: marks}}.
export async function read_marks(page) {
  return page.evaluate(() => {
    const number = (text) => Number.parseFloat(text);
    const total = number(document.querySelector(".score strong").textContent);
    const rows = [...document.querySelectorAll(".criterion")];
    const marks = rows.map((row) => {
      const shown = row.querySelector(".criterion-marks").textContent;
      return number(shown.replace(/^\D*/, ""));
    });
    return { total, marks };
  });
}

export const kGoodA = {
  "q1.constraint": /throughput/i,
  "q1.because":
    "119.7 GiB of state and 17 GiB of activations with selective " +
    "recomputation fit in 192 GiB; only the 700 ms a step are too long.",
  "q2.dp": "64",
  "q2.zero": /1/,
  "q2.recompute": /selective/i,
  "q2.micro_batch": "1",
  "q2.global_batch": "64",
  "q2.unused.axis": /TP/,
  "q2.unused.because":
    "The model fits on one GPU already, so TP would only put four " +
    "all-reduces a layer on the critical path.",
  "q3.dp.tier": /inter/i,
  "q3.dp.minimum": "9.4",
  "q3.dp.unit": /GB/,
  "q3.dp.because":
    "The gradients are 16.06 GB; 3.51 GB of them cross between nodes and " +
    "hide under 467 ms of backward.",
  "q4.mode": /gradient/i,
  "q4.symptom":
    "The step time rises above 700 ms while NCCL kernels run after the last " +
    "backward kernel.",
  "q5.parameter": /sequence/i,
  "q5.threshold": "16000",
  "q5.direction": /above/,
  "q5.because": "From there the activations no longer fit beside the state.",
};
