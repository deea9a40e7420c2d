// A value axis under a chart: ticks, their labels and faint lines upward.

import type { ScaleLinear } from "d3-scale";
import { type SVGTemplateResult, svg } from "lit";

export function value_axis(
  scale: ScaleLinear<number, number>,
  top: number,
  bottom: number,
  unit: string,
): SVGTemplateResult {
  const [from = 0, to = 0] = scale.range();
  const wanted = Math.max(2, Math.floor((to - from) / 90));
  const text = scale.tickFormat(wanted);
  const ticks = scale.ticks(wanted);
  return svg`<g class="axis">
    ${ticks.map(
      (tick) => svg`<line x1=${scale(tick)} x2=${scale(tick)} y1=${top}
        y2=${bottom}></line>
      <text x=${scale(tick)} y=${bottom + 16} text-anchor="middle">${text(
        tick,
      )}</text>`,
    )}
    <text x=${to} y=${bottom + 32} text-anchor="end">${unit}</text>
  </g>`;
}
