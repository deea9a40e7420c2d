// Everyone can use the page: by key alone, by ear, in either theme, on a
// phone and on paper.
import assert from "node:assert/strict";
import { test } from "node:test";
import axe from "axe-core";
import { fill_answer, grade, kGoodA, use_site } from "./site.mjs";

const site = use_site();
const kViews = ["A", "B", "C", "D", "own"];
const kTags = [
  "wcag2a",
  "wcag2aa",
  "wcag21a",
  "wcag21aa",
  "wcag22aa",
  "best-practice",
];

async function violations(page) {
  await page.evaluate(axe.source);
  return page.evaluate(async (tags) => {
    const { violations } = await globalThis.axe.run(document, {
      runOnly: { type: "tag", values: tags },
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(" ")}`),
    );
  }, kTags);
}

for (const colorScheme of ["light", "dark"]) {
  for (const view of kViews) {
    test(`axe finds nothing in ${view}, ${colorScheme}`, async () => {
      const { page, close } = await site.open(view, { colorScheme });
      if (view === "own") await page.locator("#plans table").first().waitFor();
      assert.deepEqual(await violations(page), []);
      await close();
    });
  }

  test(`axe finds nothing in a graded answer, ${colorScheme}`, async () => {
    const { page, close } = await site.open("A", { colorScheme });
    await fill_answer(page, { ...kGoodA, "q2.dp": "32", "q2.tp": "x" });
    await page.locator("#f-cluster-gpus").fill("0");
    await grade(page);
    await page.locator("#plans table").first().waitFor();
    await page.evaluate(() => {
      for (const part of document.querySelectorAll("details")) part.open = true;
    });
    assert.deepEqual(await violations(page), []);
    await close();
  });
}

test("the theme can be chosen and is kept", async () => {
  const { page, close } = await site.open("A", { colorScheme: "light" });
  const ground = () =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByLabel("Theme").selectOption("dark");
  const dark = await ground();
  assert.notEqual(dark, light);
  await page.waitForTimeout(300);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await ground(), dark);
  await close();
});

for (const width of [360, 768, 1920]) {
  test(`nothing scrolls sideways at ${width} px`, async () => {
    const { page, close } = await site.open("A", {
      viewport: { width, height: 800 },
    });
    for (const view of kViews) {
      await page.goto(`${site.server.url}#${view}`);
      await page.locator("#scenario-title").waitFor();
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - innerWidth,
      );
      assert.ok(wide <= 0, `${view} is ${wide} px too wide`);
    }
    await close();
  });
}

// Tabs on until the focused element is the one wanted; each stop on the way
// must show its focus.
async function tab_to(page, selector) {
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press("Tab");
    const [here, shown] = await page.evaluate((wanted) => {
      const focused = document.activeElement;
      const { outlineStyle } = getComputedStyle(focused);
      return [focused.matches(wanted), outlineStyle !== "none"];
    }, selector);
    assert.ok(shown, `no visible focus on the way to ${selector}`);
    if (here) return;
  }
  assert.fail(`${selector} cannot be reached by key`);
}

test("the answer can be given and graded by key alone", async () => {
  const { page, close } = await site.open("A");
  await tab_to(page, 'a[href="#answer-title"]');
  await page.keyboard.press("Enter");
  await tab_to(page, "#a-q1-constraint");
  await page.keyboard.type("Thr");
  await tab_to(page, "#a-q1-because");
  await page.keyboard.type("17 GiB of activations and 119.7 of state fit");
  await tab_to(page, "#a-q2-dp");
  await page.keyboard.type("64");
  await tab_to(page, "#a-q3-dp-minimum");
  await page.keyboard.type("9.4");
  await tab_to(page, "#a-q4-symptom");
  await page.keyboard.type("the step time rises");
  await tab_to(page, "#a-q5-threshold");
  await page.keyboard.type("16000");
  await tab_to(page, 'button[type="submit"]');
  await page.keyboard.press("Enter");
  await page.locator("#score").waitFor();
  const focused = await page.evaluate(() => document.activeElement.id);
  assert.equal(focused, "score");
  assert.equal(
    await page.locator("#a-q1-constraint").inputValue(),
    "throughput",
  );
  await close();
});

test("a formula opens by key and closes by Escape", async () => {
  const { page, close } = await site.open("A");
  const summary = page.locator("#memory .formula > summary").first();
  await summary.focus();
  await page.keyboard.press("Enter");
  const card = page.locator("#memory .formula-card").first();
  assert.equal(await card.isVisible(), true);
  await page.keyboard.press("Escape");
  assert.equal(await card.isVisible(), false);
  await close();
});

test("every target is at least 24 px either way", async () => {
  const { page, close } = await site.open("A");
  const small = await page.evaluate(() => {
    const targets = document.querySelectorAll("button, select, input, summary");
    return [...targets]
      .filter((target) => target.checkVisibility())
      .map((target) => [
        target.outerHTML.slice(0, 60),
        target.getBoundingClientRect(),
      ])
      .filter(([, box]) => box.height < 24 || box.width < 24)
      .map(([text]) => text);
  });
  assert.deepEqual(small, []);
  await close();
});

test("headings go down one level at a time", async () => {
  const { page, close } = await site.open("A");
  await grade(page);
  const levels = await page.evaluate(() =>
    [...document.querySelectorAll("h1,h2,h3,h4")].map((heading) =>
      Number(heading.tagName.slice(1)),
    ),
  );
  assert.equal(levels[0], 1);
  for (let i = 1; i < levels.length; i += 1) {
    assert.ok(levels[i] <= levels[i - 1] + 1, levels.join(" "));
  }
  await close();
});

test("nothing that was drawn moves while the page loads", async () => {
  const { page, close } = await site.open("A", {
    prepare: (page) =>
      page.addInitScript(() => {
        globalThis.shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            globalThis.shift += entry.value;
          }
        }).observe({ type: "layout-shift", buffered: true });
      }),
  });
  await page.waitForTimeout(500);
  const shift = await page.evaluate(() => globalThis.shift);
  assert.ok(shift <= 0.02, `layout shift ${shift}`);
  await close();
});
