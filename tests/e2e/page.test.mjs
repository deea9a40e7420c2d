// The page under a reader's hands: parameters, tables, reloads and mishaps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fill_answer, kGoodA, use_site } from "./site.mjs";

const site = use_site();

function total_memory(page) {
  return page.locator("#memory .stat-value").first().innerText();
}

test("a reload keeps the answers, the parameters and the marks", async () => {
  const { page, close } = await site.open("A");
  await fill_answer(page, { "q1.because": "119.7 GiB", "q2.dp": "64" });
  await page.locator("#f-cluster-hbm_gib").fill("141");
  await page.locator("#f-plan-tp").fill("8");
  await page.getByRole("button", { name: "Grade my answer" }).click();
  const score = await page.locator(".score").innerText();
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await page.locator("#a-q1-because").inputValue(), "119.7 GiB");
  assert.equal(await page.locator("#f-cluster-hbm_gib").inputValue(), "141");
  assert.equal(await page.locator("#f-plan-tp").inputValue(), "8");
  assert.equal(await page.locator(".score").innerText(), score);
  await close();
});

test("bad input is named beside its field and nothing is lost", async () => {
  const { page, close } = await site.open("A");
  await fill_answer(page, { "q1.because": "still here" });
  const before = await total_memory(page);
  const gpus = page.locator("#f-cluster-gpus");
  await gpus.fill("0");
  const error = page.locator("#f-cluster-gpus-error");
  assert.match(await error.innerText(), /1 to/);
  assert.equal(await gpus.getAttribute("aria-invalid"), "true");
  assert.equal(
    await gpus.getAttribute("aria-describedby"),
    "f-cluster-gpus-error",
  );
  assert.equal(await total_memory(page), before);
  assert.equal(await page.locator("#a-q1-because").inputValue(), "still here");
  await gpus.fill("64");
  assert.equal(await error.count(), 0);
  await close();
});

test("a degree that divides nothing is a reason, not an error", async () => {
  const { page, close } = await site.open("A");
  await page.locator("#f-plan-tp").fill("7");
  assert.match(await page.locator("#step").innerText(), /heads/);
  await close();
});

test("a changed parameter is marked and goes back to its value", async () => {
  const { page, close } = await site.open("A");
  const before = await total_memory(page);
  const sequence = page.locator("#f-training-seq_tokens");
  await sequence.fill("131072");
  assert.notEqual(await total_memory(page), before);
  const field = page.locator(".field", { has: sequence });
  assert.match(await field.innerText(), /was 4096/);
  await field.getByRole("button", { name: /Reset/ }).click();
  assert.equal(await sequence.inputValue(), "4096");
  assert.equal(await total_memory(page), before);
  await close();
});

for (const [what, text] of [
  ["JSON that is cut off", '{"schema":"meshwise.answers/1","answers":[{'],
  ["JSON of another kind", '{"schema":"meshwise.scenario/1"}'],
  ["bytes that are no text", "\u0000\u0001\ufffd\u0002"],
]) {
  test(`loading ${what} is refused in a line and loses nothing`, async () => {
    const { page, close } = await site.open("A");
    await fill_answer(page, { "q1.because": "still here" });
    await page.getByLabel(/Load an answer/).setInputFiles({
      name: "sheet.json",
      mimeType: "application/json",
      buffer: Buffer.from(text),
    });
    const notice = page.locator(".notice");
    await notice.waitFor();
    assert.match(await notice.innerText(), /sheet\.json was not read/);
    const kept = await page.locator("#a-q1-because").inputValue();
    assert.equal(kept, "still here");
    await close();
  });
}

test("a module that does not arrive is said, with what to do", async () => {
  const { page, complaints } = await site.open("A", {
    wait: false,
    prepare: (page) =>
      page.route(/meshwise\.wasm/, (route) => route.abort("failed")),
  });
  const alert = page.getByRole("alert");
  await alert.waitFor();
  assert.match(await alert.innerText(), /could not be loaded/);
  assert.match(await alert.innerText(), /load the page again/);
  assert.match(await page.locator("main").innerText(), /binding constraint/);
  assert.ok(complaints.every((text) => !/Content Security Policy/.test(text)));
  await page.context().close();
});

test("a script that never starts leaves a line that explains it", async () => {
  const { page } = await site.open("A", {
    wait: false,
    prepare: (page) => page.route(/main[^/]*\.js$/, (route) => route.abort()),
  });
  const line = page.locator(".late");
  await line.waitFor({ state: "visible" });
  assert.match(await line.innerText(), /blocked or not found/);
  await page.context().close();
});

test("storage that is forbidden costs the keeping and one line", async () => {
  const { page, close } = await site.open("A", {
    prepare: (page) =>
      page.addInitScript(() => {
        Object.defineProperty(globalThis, "localStorage", {
          get() {
            throw new DOMException("denied", "SecurityError");
          },
        });
      }),
  });
  assert.match(await page.locator(".notice").innerText(), /download the sheet/);
  await fill_answer(page, { "q2.dp": "64" });
  assert.match(await page.locator("#answer .product").innerText(), /64 of 64/);
  await close();
});

test("hostile answers are shown as text", async () => {
  const { page, close } = await site.open("A");
  const hostile = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
  await fill_answer(page, { ...kGoodA, "q1.because": hostile });
  await page.getByRole("button", { name: "Grade my answer" }).click();
  await page.locator("#score").waitFor();
  assert.equal(await page.locator("main img, main script").count(), 0);
  await close();
});

test("your own model: presets fill the fields and the ranking opens", async () => {
  const { page, close } = await site.open("own");
  await page.locator("#f-model-preset").selectOption("llama3-70b");
  assert.equal(await page.locator("#f-model-layers").inputValue(), "80");
  await page.locator("#plans table").first().waitFor();
  const study = page.locator("#plans").getByRole("button", { name: /Study/ });
  await study.first().click();
  assert.doesNotMatch(await page.locator("#step").innerText(), /cannot run/);
  await page.locator("#f-own-phase").selectOption("serving");
  assert.match(await page.locator("#step").innerText(), /first token/i);
  await close();
});

test("the newest change wins while thresholds are sought", async () => {
  const { page, close } = await site.open("own");
  const find = page.getByRole("button", { name: /Find/ });
  await find.click();
  await page.locator("#f-cluster-hbm_gib").fill("141");
  await page.locator("#thresholds .stale").waitFor();
  await find.click();
  await page.locator("#thresholds .busy").waitFor({
    state: "detached",
    timeout: 120_000,
  });
  assert.equal(await page.locator("#thresholds .problem").count(), 0);
  await close();
});
