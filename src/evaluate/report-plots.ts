/**
 * The plots of a report: Observable Plot drawing into linkedom's document, without a browser. Colours are CSS variables
 * of the page (`report-style.ts`), so one drawing serves the light and the dark theme.
 */
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { mean, rocAuc, rocCurve, taskSpearmans } from "../metrics/index.ts";
import { Random } from "../util/random.ts";
import type { Drawing, LegendEntry } from "./report-html.ts";
import type { Usable, UsableColumn } from "./usable.ts";

const { document } = parseHTML("<!doctype html><html><body></body></html>");

/** The page defines as many series colours. */
const SERIES = 6;
const color = (series: number): string => `var(--series-${(series % SERIES) + 1})`;

/** Points drawn in a scatter plot at most; more would hide each other and swell the file. */
const MOST_POINTS = 2500;

const unit = { domain: [0, 1] };

function draw(label: string, options: Plot.PlotOptions, legend: readonly LegendEntry[] = []): Drawing {
  const drawn = Plot.plot({
    width: 440,
    height: 300,
    marginLeft: 44,
    marginBottom: 38,
    style: { fontSize: "12.5px" },
    ...options,
    document: document as unknown as NonNullable<Plot.PlotOptions["document"]>,
  }) as unknown as { outerHTML: string };
  return { svg: drawn.outerHTML, label, legend };
}

const frame = [
  Plot.gridX({ stroke: "currentColor", strokeOpacity: 0.1 }),
  Plot.gridY({ stroke: "currentColor", strokeOpacity: 0.1 }),
];
const diagonal = Plot.line(
  [
    [0, 0],
    [1, 1],
  ],
  { stroke: "currentColor", strokeOpacity: 0.45, strokeDasharray: "4 4" },
);

/** Every program by its score and its PassRatio; programs at one place are spread a little. */
export function scatterPlot({ scores, name }: UsableColumn, { passRatios, rows }: Usable): Drawing {
  const random = new Random(1);
  const chosen = random.shuffle([...rows.keys()]).slice(0, MOST_POINTS);
  const points = chosen.map((i) => ({
    score: scores[i]!,
    passRatio: passRatios[i]! + 0.024 * (random.float() - 0.5),
    title: `${rows[i]!.sample_id}\nscore ${scores[i]!.toFixed(3)}, PassRatio ${passRatios[i]!.toFixed(3)}`,
  }));
  return draw(`PassRatio against ${name}`, {
    x: { label: `score (${name})`, ...scoreDomain(scores) },
    y: { label: "PassRatio", domain: [-0.02, 1.02], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] },
    marks: [
      ...frame,
      Plot.dot(points, { x: "score", y: "passRatio", r: 2.2, fill: color(0), fillOpacity: 0.35, title: "title" }),
    ],
  });
}

/** Scores that leave [0, 1] keep their own scale. */
function scoreDomain(scores: readonly number[]): { domain?: number[] } {
  return scores.every((score) => score >= 0 && score <= 1) ? unit : {};
}

/** How PassRatio is spread among programs of like score. */
export function boxPlot({ scores, name }: UsableColumn, { passRatios }: Usable): Drawing {
  const bins = tenths(scores);
  const points = scores.map((_, i) => ({ bin: bins.of[i]!, passRatio: passRatios[i]! }));
  return draw(`PassRatio by ${name}`, {
    x: {
      label: `tenth of the programs by score (${name})`,
      tickFormat: (bin: number) => bins.labels[bin] ?? "",
      type: "band",
    },
    y: { label: "PassRatio", ...unit },
    marks: [
      frame[1]!,
      Plot.boxY(points, {
        x: "bin",
        y: "passRatio",
        fill: color(0),
        fillOpacity: 0.35,
        stroke: "currentColor",
        r: 1.5,
        strokeOpacity: 0.8,
      }),
    ],
  });
}

/** The tenth each score falls in, equal scores in one; empty tenths are left out. */
function tenths(scores: readonly number[]): { of: number[]; labels: string[] } {
  const sorted = Float64Array.from(scores).sort();
  const cuts = [...new Set(Array.from({ length: 9 }, (_, k) => sorted[Math.floor(((k + 1) * sorted.length) / 10)]!))];
  const raw = scores.map((score) => cuts.filter((cut) => score >= cut).length);
  const used = [...new Set(raw)].sort((a, b) => a - b);
  const of = raw.map((bin) => used.indexOf(bin));
  const labels = used.map((_, bin) => {
    const members = scores.filter((_, i) => of[i] === bin);
    return mean(members).toFixed(2);
  });
  return { of, labels };
}

/** Mean PassRatio against mean score, a tenth of the programs a point. */
export function calibrationPlot(columns: readonly UsableColumn[], { passRatios }: Usable): Drawing {
  const curves = columns.map(({ name, scores }, series) => {
    const { of, labels } = tenths(scores);
    const points = labels.map((_, bin) => {
      const members = [...scores.keys()].filter((i) => of[i] === bin);
      return { x: mean(members.map((i) => scores[i]!)), y: mean(members.map((i) => passRatios[i]!)) };
    });
    return { name, points, stroke: color(series) };
  });
  return draw(
    "Calibration",
    {
      x: { label: "mean score", ...unit },
      y: { label: "mean PassRatio", ...unit },
      marks: [
        ...frame,
        diagonal,
        ...curves.flatMap(({ points, stroke }, series) => [
          Plot.line(points, { x: "x", y: "y", stroke, strokeWidth: series === 0 ? 2.5 : 1.5 }),
          Plot.dot(points, { x: "x", y: "y", r: series === 0 ? 3.5 : 2, fill: stroke }),
        ]),
      ],
    },
    curves.map(({ name, stroke }) => ({ name, color: stroke })),
  );
}

/** ROC curves of telling `positive` rows apart, one a set of values, with the AUC in the legend. */
export function rocPlot(
  label: string,
  curves: readonly { readonly name: string; readonly values: readonly number[] }[],
  positive: readonly boolean[],
): Drawing {
  const marks = curves.map(({ values }, series) =>
    Plot.line(thin(rocCurve(values, positive)), {
      x: "falsePositiveRate",
      y: "truePositiveRate",
      stroke: color(series),
      strokeWidth: series === 0 ? 2.5 : 1.5,
    }),
  );
  return draw(
    label,
    {
      x: { label: "false positive rate", ...unit },
      y: { label: "true positive rate", ...unit },
      marks: [...frame, diagonal, ...marks],
    },
    curves.map(({ name, values }, series) => {
      const auc = rocAuc(values, positive);
      return { name: Number.isNaN(auc) ? name : `${name} ${auc.toFixed(3)}`, color: color(series) };
    }),
  );
}

/** About 300 of the points, first and last among them: no eye sees more. */
function thin<T>(points: readonly T[]): T[] {
  const step = Math.max(1, Math.ceil(points.length / 300));
  return points.filter((_, i) => i % step === 0 || i === points.length - 1);
}

export function histogram(label: string, values: readonly number[], series: number): Drawing {
  const inUnit = values.every((value) => value >= 0 && value <= 1);
  return draw(label, {
    x: { label, ...(inUnit ? unit : {}) },
    y: { label: "programs", grid: true },
    marks: [
      Plot.rectY(
        values,
        Plot.binX<Plot.RectYOptions>(
          { y: "count" },
          { x: (value: number) => value, thresholds: 20, fill: color(series), inset: 0.5 },
        ),
      ),
      Plot.ruleY([0], { stroke: "currentColor" }),
    ],
  });
}

/** Every task by the mean score and the mean PassRatio of its programs. */
export function taskPlot({ scores, name }: UsableColumn, { tasks, passRatios, rows }: Usable): Drawing {
  const points = tasks.slice(0, MOST_POINTS).map((task) => ({
    x: mean(task.map((i) => scores[i]!)),
    y: mean(task.map((i) => passRatios[i]!)),
    n: task.length,
    title: `${rows[task[0]!]!.task_id}: ${task.length} programs`,
  }));
  return draw(`Tasks by ${name}`, {
    x: { label: `mean score (${name})`, ...scoreDomain(scores) },
    y: { label: "mean PassRatio", ...unit },
    r: { range: [0, 7] },
    marks: [
      ...frame,
      diagonal,
      Plot.dot(points, { x: "x", y: "y", r: "n", fill: color(2), fillOpacity: 0.55, stroke: color(2), title: "title" }),
    ],
  });
}

/** How the rank correlation within a task is spread over the tasks. */
export function withinPlot({ scores, name }: UsableColumn, { tasks, passRatios }: Usable): Drawing {
  const values = taskSpearmans(tasks, scores, passRatios).filter((value) => !Number.isNaN(value));
  return draw(`r_s within tasks of ${name}`, {
    x: { label: "r_s within the task", domain: [-1, 1] },
    y: { label: "tasks", grid: true },
    marks: [
      Plot.rectY(
        values,
        Plot.binX<Plot.RectYOptions>(
          { y: "count" },
          { x: (value: number) => value, thresholds: 20, fill: color(2), inset: 0.5 },
        ),
      ),
      Plot.ruleX([mean(values)], { stroke: "currentColor", strokeWidth: 2, strokeDasharray: "5 3" }),
      Plot.ruleY([0], { stroke: "currentColor" }),
    ],
  });
}

export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** Lines over one x, e.g. a loss by step. */
export function linesPlot(label: string, xLabel: string, yLabel: string, lines: readonly Line[]): Drawing {
  const marks = lines.map(({ points }, series) =>
    Plot.line(thin(points), {
      x: (point: readonly [number, number]) => point[0],
      y: (point: readonly [number, number]) => point[1],
      stroke: color(series),
      strokeWidth: 2,
    }),
  );
  return draw(
    label,
    { x: { label: xLabel }, y: { label: yLabel, nice: true }, marks: [...frame, ...marks] },
    lines.map(({ name }, series) => ({ name, color: color(series) })),
  );
}
