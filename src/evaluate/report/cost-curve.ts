/** The section of the report with the curve of cost and accuracy: one point per stage, from the text alone to the tests. */
import * as Plot from "@observablehq/plot";
import { color, draw, frame, stroke } from "../../report/draw.ts";
import { cardHtml, type Drawing, inlineHtml } from "../../report/html.ts";
import type { Estimated } from "../../report/tables.ts";
import { type CostCurve, type CostStage, stageFigure } from "../measure/cost-curve.ts";

interface Point extends Estimated {
  readonly name: string;
  readonly value: number;
  /** Seconds per 1,000 programs. */
  readonly cost: number;
}

export function costCurveHtml(curve: CostCurve): string {
  const cards = (["spearman", "withinAuc"] as const).map((measure) => {
    const label = measure === "spearman" ? "Spearman r_s" : "within-task AUC";
    const title = measure === "spearman" ? "Correlation by cost" : "Within-task AUC by cost";
    return cardHtml(title, costPlot(curve.stages, measure, label), "");
  });
  const note =
    "One point per stage: scores of the text alone, of running on the description's examples, of running on that many generated inputs, and of tests. Bars: 95% intervals over tasks.";
  return `<section><h2>Cost and benefit of running more</h2><p class="muted">${inlineHtml(note)}</p><div class="plots">${cards.join("\n")}</div></section>`;
}

function costPlot(stages: readonly CostStage[], measure: "spearman" | "withinAuc", label: string): Drawing {
  const points = stages.flatMap((stage): Point[] => {
    const figure = stageFigure(stage, measure);
    return figure.value === null
      ? []
      : [{ ...figure, value: figure.value, name: shortName(stage.name), cost: stage.secondsPerThousand }];
  });
  const read = points.map(({ name, value, cost }) => `${name} ${value.toFixed(3)} at ${cost.toPrecision(3)} s`);
  const bounded = points.filter(({ low, high }) => low !== null && high !== null);
  return draw(`${label} by wall-clock seconds per 1,000 programs, on a logarithmic scale: ${read.join(", ")}.`, {
    x: { label: "seconds per 1,000 programs", type: "log", ticks: 5, tickFormat: "~g", nice: true },
    y: { label, nice: true, insetTop: 16 },
    marks: [
      ...frame,
      Plot.line(points, { x: "cost", y: "value", ...stroke(0), strokeOpacity: 0.3 }),
      Plot.ruleX(bounded, {
        x: "cost",
        y1: "low",
        y2: "high",
        stroke: color(0),
        strokeOpacity: 0.45,
        strokeWidth: 1.5,
      }),
      Plot.dot(points, { x: "cost", y: "value", r: 4, fill: color(0) }),
      // Neighbouring points may cost the same, so their names alternate between above and below.
      ...points.map((point, i) =>
        Plot.text([point], {
          x: "cost",
          y: "value",
          text: "name",
          dy: i % 2 === 0 ? -13 : 14,
          fill: "currentColor",
          stroke: "var(--card)",
          strokeWidth: 4,
        }),
      ),
    ],
  });
}

/** Shortens `40 inputs` to `40`, because there is little room beside a point. */
const shortName = (name: string): string => name.replace(/ inputs?$/, "");
