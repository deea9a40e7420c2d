// Horizontal bars of parts against a limit: memory against HBM, a step's time
// by cause, a token's time against its SLO. The table beside it says the same.

import { scaleLinear } from "d3-scale";
import { stack } from "d3-shape";
import {
  html,
  nothing,
  type SVGTemplateResult,
  svg,
  type TemplateResult,
} from "lit";
import { value_axis } from "./axis.js";

export interface Segment {
  id: string; // names its colour
  label: string;
  value: number;
}

export interface Bar {
  label: string;
  segments: readonly Segment[];
}

export interface BarChart {
  title: string;
  description: string;
  unit: string;
  width: number;
  bars: readonly Bar[];
  limit?: { value: number; label: string };
  text: (value: number) => string;
}

export interface Box {
  id: string;
  label: string;
  value: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Layout {
  boxes: Box[];
  rows: { label: string; y: number }[];
  height: number;
  top: number;
  bottom: number;
  left: number;
  limit_x?: number;
  scale: ReturnType<typeof scaleLinear<number, number>>;
}

const kAxisHeight = 38;
const kLimitHeight = 20;
const kCharacter = 7;

function left_margin(bars: readonly Bar[]): number {
  if (bars.length < 2) return 1;
  const longest = Math.max(...bars.map((bar) => bar.label.length));
  return longest * kCharacter + 12;
}

function total(bar: Bar): number {
  return bar.segments.reduce((sum, segment) => sum + segment.value, 0);
}

// Where everything goes, in pixels; apart from drawing so that it can be read.
export function lay_out(chart: BarChart): Layout {
  const thickness =
    chart.bars.length > 8 ? 16 : chart.bars.length > 1 ? 24 : 36;
  const gap = chart.bars.length > 8 ? 3 : 6;
  const left = left_margin(chart.bars);
  const top = chart.limit === undefined ? 4 : kLimitHeight;
  const largest = Math.max(
    ...chart.bars.map(total),
    (chart.limit?.value ?? 0) * 1.04,
  );
  const scale = scaleLinear<number, number>()
    .domain([0, largest > 0 ? largest : 1])
    .range([left, chart.width - 14]);
  const boxes: Box[] = [];
  const rows = chart.bars.map((bar, index) => {
    const y = top + index * (thickness + gap);
    boxes.push(...bar_boxes(bar, y, thickness, scale));
    return { label: bar.label, y: y + thickness / 2 };
  });
  const bottom = top + chart.bars.length * (thickness + gap);
  const layout: Layout = {
    boxes,
    rows,
    top,
    bottom,
    left,
    scale,
    height: bottom + kAxisHeight,
  };
  if (chart.limit !== undefined) layout.limit_x = scale(chart.limit.value);
  return layout;
}

function bar_boxes(
  bar: Bar,
  y: number,
  height: number,
  scale: Layout["scale"],
): Box[] {
  const values = Object.fromEntries(bar.segments.map((s) => [s.id, s.value]));
  const series = stack().keys(bar.segments.map((s) => s.id))([values]);
  const boxes: Box[] = [];
  bar.segments.forEach((segment, index) => {
    const [from = 0, to = 0] = series[index]?.[0] ?? [];
    if (to <= from) return;
    const x = scale(from);
    boxes.push({ ...segment, x, y, height, width: scale(to) - x });
  });
  return boxes;
}

function box_label(box: Box, text: string): SVGTemplateResult | typeof nothing {
  const full = `${box.label} ${text}`;
  const fits = (label: string) => label.length * kCharacter + 8 < box.width;
  const label = fits(full) ? full : fits(box.label) ? box.label : "";
  if (label === "" || box.height < 20) return nothing;
  return svg`<text class="on-fill" x=${box.x + 6}
    y=${box.y + box.height / 2} dominant-baseline="central">${label}</text>`;
}

function limit_line(chart: BarChart, layout: Layout) {
  if (chart.limit === undefined || layout.limit_x === undefined) return nothing;
  const x = layout.limit_x;
  const late = x > chart.width / 2;
  return svg`<g class="limit">
    <line x1=${x} x2=${x} y1="2" y2=${layout.bottom}></line>
    <text x=${late ? x - 6 : x + 6} y="13"
      text-anchor=${late ? "end" : "start"}>${chart.limit.label}</text>
  </g>`;
}

export function stacked_bar(chart: BarChart): TemplateResult {
  const layout = lay_out(chart);
  return html`<svg
    class="chart"
    role="img"
    aria-label="${chart.title}. ${chart.description}"
    width=${chart.width}
    height=${layout.height}
    viewBox="0 0 ${chart.width} ${layout.height}"
  >
    ${value_axis(layout.scale, layout.top, layout.bottom, chart.unit)}
    ${layout.boxes.map(
      (box) => svg`<g><title>${box.label}: ${chart.text(box.value)} ${
        chart.unit
      }</title><rect class="fill-${box.id}" x=${box.x} y=${box.y}
        width=${box.width} height=${box.height}></rect>${box_label(
          box,
          chart.text(box.value),
        )}</g>`,
    )}
    ${
      chart.bars.length < 2
        ? nothing
        : layout.rows.map(
            (row) => svg`<text class="row-label" x=${layout.left - 8}
            y=${row.y} text-anchor="end"
            dominant-baseline="central">${row.label}</text>`,
          )
    }
    ${limit_line(chart, layout)}
  </svg>`;
}
