// The drill as a student goes through it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { root } from "../../web/scripts/lib.mjs";
import { fill_answer, grade, kGoodA, read_marks, use_site } from "./site.mjs";

const site = use_site();
const kCommand = path.join(root, "build/bin/meshwise");

function graded_by_command(text, name) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "meshwise-"));
  const file = path.join(folder, name);
  try {
    fs.writeFileSync(file, text);
    const output = execFileSync(kCommand, ["grade", file, "--format", "json"], {
      encoding: "utf8",
    });
    return JSON.parse(output);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

// Marks as the page rounds them.
function shown_as(score) {
  return Math.round(score * 100) / 100;
}

async function downloaded(page, button) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).click(),
  ]);
  const name = download.suggestedFilename();
  return { name, text: fs.readFileSync(await download.path(), "utf8") };
}

test("scenario A answered well gets 25 of 25", async () => {
  const { page, close } = await site.open("A");
  await fill_answer(page, kGoodA);
  await grade(page);
  const { total } = await read_marks(page);
  const said = await page.locator(".marks").allInnerTexts();
  assert.equal(total, 25, said.join("\n"));
  const focused = await page.evaluate(() => document.activeElement.id);
  assert.equal(focused, "score");
  await close();
});

test("the same answer with dp = 32 loses the product and says so", async () => {
  const { page, close } = await site.open("A");
  await fill_answer(page, { ...kGoodA, "q2.dp": "32" });
  const line = page.locator("#answer .product");
  assert.match(await line.innerText(), /= 32 of 64/);
  await grade(page);
  const row = page.locator("#answer .question").nth(1).locator(".criterion");
  assert.match(await row.first().innerText(), /0 of 1/);
  assert.match(await row.first().innerText(), /32/);
  assert.ok((await read_marks(page)).total < 25);
  await close();
});

test("C answered with A's plan is told of the s-squared term", async () => {
  const { page, close } = await site.open("C");
  await fill_answer(page, { ...kGoodA, "q5.direction": /above/ });
  await grade(page);
  const said = await page.locator("#answer").innerText();
  assert.match(said, /s\^2|s²|s-squared|square/i);
  assert.ok((await read_marks(page)).total < 15);
  await close();
});

test("the ranking and the thresholds open with the first grading", async () => {
  const { page, close } = await site.open("A");
  assert.match(await page.locator("#plans").innerText(), /opens here/);
  assert.equal(await page.locator("#plans table").count(), 0);
  await fill_answer(page, { "q1.constraint": /throughput/i });
  await grade(page);
  await page.locator("#plans table").first().waitFor();
  assert.match(await page.locator("#plans").innerText(), /throughput/i);
  await page.getByRole("button", { name: "Find thresholds" }).click();
  await page.locator("#thresholds table").waitFor({ timeout: 60_000 });
  await close();
});

test("the sheet graded by the command gets the marks of the page", async () => {
  const { page, close } = await site.open("A");
  await fill_answer(page, {
    ...kGoodA,
    "q2.dp": "32",
    "q5.threshold": "40000",
  });
  await grade(page);
  const shown = await read_marks(page);
  for (const button of ["Download as Markdown", "Download as JSON"]) {
    const { name, text } = await downloaded(page, button);
    const { results } = graded_by_command(text, name);
    const marks = results[0].questions.flatMap(({ criteria }) =>
      criteria.map(({ score }) => shown_as(score)),
    );
    assert.equal(results[0].review, 0, `${name} has something to review`);
    assert.equal(shown_as(results[0].score), shown.total, name);
    assert.deepEqual(marks, shown.marks, name);
  }
  await close();
});

test("a sheet that was downloaded loads again, in either form", async () => {
  const { page, close } = await site.open("A");
  await fill_answer(page, kGoodA);
  await page.getByLabel("Your name, for the sheet").fill("Zoë <b>");
  const sheets = [
    await downloaded(page, "Download as JSON"),
    await downloaded(page, "Download as Markdown"),
  ];
  await close();
  for (const { name, text } of sheets) {
    const fresh = await site.open("B");
    await fresh.page.getByLabel(/Load an answer/).setInputFiles({
      name,
      mimeType: "text/plain",
      buffer: Buffer.from(text),
    });
    await fresh.page.getByText("Loaded the answers to A").waitFor();
    await fresh.page.goto(`${site.server.url}#A`);
    const dp = fresh.page.locator("#a-q2-dp");
    assert.equal(await dp.inputValue(), "64", name);
    await grade(fresh.page);
    assert.equal((await read_marks(fresh.page)).total, 25, name);
    await fresh.close();
  }
});

test("a pasted answer is read into the form, marked, editable and graded", async () => {
  const { page, close } = await site.open("A");
  const text = fs.readFileSync(
    path.join(root, "tests/answers/adversarial/A-08.md"),
    "utf8",
  );
  await page.getByLabel(/Or paste a whole answer/).fill(text);
  await page.getByRole("button", { name: "Read it into the form" }).click();
  await page.getByText("Loaded the answers to A").waitFor();
  const marked = page.locator(".read-text mark");
  assert.ok((await marked.count()) > 8);
  assert.match((await marked.allInnerTexts()).join("\n"), /\[q2 dp\]/);
  const dp = page.locator("#a-q2-dp");
  assert.notEqual(await dp.inputValue(), "");
  await grade(page);
  assert.ok((await read_marks(page)).total >= 22);
  await dp.fill("32");
  await grade(page);
  assert.ok((await read_marks(page)).total < 25);
  await close();
});

test("pasted markup is shown as text and never run", async () => {
  const { page, complaints, close } = await site.open("A");
  const text =
    '1. throughput <img src=x onerror="document.title=1">\n2. dp=64\n';
  await page.getByLabel(/Or paste a whole answer/).fill(text);
  await page.getByRole("button", { name: "Read it into the form" }).click();
  await page.locator(".read-text").waitFor();
  assert.equal(await page.locator(".read-text img").count(), 0);
  assert.notEqual(await page.title(), "1");
  assert.deepEqual(complaints, []);
  await close();
});

test("a hint comes first, and the worked number on request", async () => {
  const { page, close } = await site.open("A");
  await fill_answer(page, { ...kGoodA, "q1.constraint": /latency/i });
  await grade(page);
  const row = page.locator("#answer .question").first().locator(".criterion");
  const hint = row.first().locator("summary", { hasText: "Hint" });
  const worked = row.first().locator(".worked");
  assert.equal(await worked.isVisible(), false);
  await hint.click();
  assert.equal(await worked.isVisible(), false);
  await row.first().locator("summary", { hasText: "worked" }).click();
  assert.equal(await worked.isVisible(), true);
  await close();
});
