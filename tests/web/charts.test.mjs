// The bars: where they lie, and what they say.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  lay_out,
  stacked_bar,
} from "../../build/js/web/src/charts/stacked_bar.js";
import { text_of } from "./text_of.mjs";

const kChart = {
  title: "Memory per GPU by part",
  description: "137 of 192 GiB.",
  unit: "GiB",
  width: 800,
  bars: [
    {
      label: "GPU",
      segments: [
        { id: "weights", label: "Weights", value: 15 },
        { id: "gathered", label: "Gathered layers", value: 0 },
        { id: "optimizer", label: "Optimizer", value: 90 },
      ],
    },
  ],
  limit: { value: 192, label: "HBM 192 GiB" },
  text: (value) => value.toFixed(1),
};

test("segments follow each other without a gap, empty ones left out", () => {
  const { boxes } = lay_out(kChart);
  assert.deepEqual(
    boxes.map((box) => box.id),
    ["weights", "optimizer"],
  );
  assert.ok(Math.abs(boxes[0].x + boxes[0].width - boxes[1].x) < 1e-9);
});

test("a segment's width is to its value as the limit's place to its own", () => {
  const { boxes, limit_x, left } = lay_out(kChart);
  const per_gib = (limit_x - left) / 192;
  assert.ok(Math.abs(boxes[1].width - 90 * per_gib) < 1e-9);
});

test("a limit below the bar and one above it are both inside the chart", () => {
  for (const value of [10, 192, 5000]) {
    const layout = lay_out({ ...kChart, limit: { value, label: "HBM" } });
    assert.ok(layout.limit_x >= layout.left && layout.limit_x <= 800);
    for (const box of layout.boxes) assert.ok(box.x + box.width <= 800);
  }
});

test("many bars are thinner, and each has its own row", () => {
  const bars = Array.from({ length: 16 }, (_, stage) => ({
    ...kChart.bars[0],
    label: `stage ${stage}`,
  }));
  const layout = lay_out({ ...kChart, bars });
  const tops = new Set(layout.boxes.map((box) => box.y));
  assert.equal(tops.size, 16);
  assert.ok(layout.boxes[0].height < lay_out(kChart).boxes[0].height);
});

test("a chart of nothing has an axis and no boxes", () => {
  const { limit: _, ...rest } = kChart;
  const layout = lay_out({ ...rest, bars: [{ label: "GPU", segments: [] }] });
  assert.deepEqual(layout.boxes, []);
  assert.ok(Number.isFinite(layout.scale(0.5)));
});

test("the drawing says its title, its limit and each part's figure", () => {
  const text = text_of(stacked_bar(kChart));
  assert.match(text, /aria-label="Memory per GPU by part\. 137 of 192 GiB\."/);
  assert.match(text, /HBM 192 GiB/);
  assert.match(text, /<title>Optimizer: 90\.0 GiB<\/title>/);
  assert.match(text, /class="fill-weights"/);
});
