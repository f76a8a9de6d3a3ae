/** The line plots of a report: calibration, ROC, training and cost curves. */
import * as Plot from "@observablehq/plot";
import { color, diagonal, draw, frame, inUnit, legendOf, stroke, thin, unit } from "../../report/draw.ts";
import type { Drawing } from "../../report/html.ts";
import { mean, rocAuc, rocCurve } from "../../statistics/index.ts";

export interface Curve {
  readonly name: string;
  readonly values: readonly number[];
}

/** Sorts scores into tenths. Equal scores are in the same tenth. Empty tenths are left out. */
export function tenths(scores: readonly number[]): { of: number[]; members: number[][] } {
  const sorted = Float64Array.from(scores).sort();
  const cuts = [...new Set(Array.from({ length: 9 }, (_, k) => sorted[Math.floor(((k + 1) * sorted.length) / 10)]!))];
  const raw = scores.map((score) => cuts.filter((cut) => score >= cut).length);
  const used = [...new Set(raw)].sort((a, b) => a - b);
  const place = new Map(used.map((bin, i) => [bin, i]));
  const of = raw.map((bin) => place.get(bin)!);
  const members: number[][] = used.map(() => []);
  of.forEach((bin, i) => void members[bin]!.push(i));
  return { of, members };
}

/** A reliability diagram: mean truth against mean score, one point per tenth of the programs. Curves with values outside [0, 1] have no points. */
export function calibrationPlot(curves: readonly Curve[], truth: readonly number[], truthName: string): Drawing {
  const shown = curves.map(({ name, values }) => ({
    name,
    points: (inUnit(values) ? tenths(values).members : []).map((members) => ({
      x: mean(members.map((i) => values[i]!)),
      y: mean(members.map((i) => truth[i]!)),
    })),
  }));
  const first = shown[0]!;
  const read = first.points.map(({ x, y }) => `${x.toFixed(2)} is ${y.toFixed(2)}`).join(", ");
  return draw(
    `Reliability diagram. Mean score and mean ${truthName} of ${first.name} in tenths: ${read}.`,
    {
      x: { label: "mean score", ...unit },
      y: { label: `mean ${truthName}`, ...unit },
      marks: [
        ...frame,
        diagonal,
        ...shown.flatMap(({ points }, series) => [
          Plot.line(points, { x: "x", y: "y", ...stroke(series) }),
          Plot.dot(points, { x: "x", y: "y", r: series === 0 ? 3.5 : 2, fill: color(series) }),
        ]),
      ],
    },
    shown.length > 1 ? legendOf(shown.map(({ name }) => name)) : [],
  );
}

/** ROC curves for recognising `positive` rows, one per curve, with the AUC in the legend. */
export function rocPlot(what: string, curves: readonly Curve[], positive: readonly boolean[]): Drawing {
  const names = curves.map(({ name, values }) => {
    const auc = rocAuc(values, positive);
    return Number.isNaN(auc) ? name : `${name} ${auc.toFixed(3)}`;
  });
  return draw(
    `ROC curves: ${what}. Areas under the curves: ${names.join(", ")}.`,
    {
      x: { label: "false positive rate", ...unit },
      y: { label: "true positive rate", ...unit },
      marks: [
        ...frame,
        diagonal,
        ...curves.map(({ values }, series) =>
          Plot.line(thin(rocCurve(values, positive)), {
            x: "falsePositiveRate",
            y: "truePositiveRate",
            ...stroke(series),
          }),
        ),
      ],
    },
    legendOf(names),
  );
}

export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** Lines over a common x axis, for example the loss by step. */
export function linesPlot(label: string, xLabel: string, yLabel: string, lines: readonly Line[]): Drawing {
  const ends = lines.flatMap(({ name, points }) => {
    const [from, to] = [points[0], points.at(-1)];
    return from && to ? [`${name} from ${from[1].toPrecision(3)} to ${to[1].toPrecision(3)}`] : [];
  });
  return draw(
    `${label}: ${yLabel} by ${xLabel}. ${ends.join(", ")}.`,
    {
      x: { label: xLabel },
      y: { label: yLabel, nice: true },
      marks: [
        ...frame,
        ...lines.map(({ points }, series) =>
          Plot.line(thin(points), {
            x: (point: readonly [number, number]) => point[0],
            y: (point: readonly [number, number]) => point[1],
            ...stroke(series),
          }),
        ),
      ],
    },
    lines.length > 1 ? legendOf(lines.map(({ name }) => name)) : [],
  );
}
