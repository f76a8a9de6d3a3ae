/** The plots of a report that show programs and tasks: scatter plots, boxes, histograms, ranks. */
import * as Plot from "@observablehq/plot";
import { color, diagonal, domainOf, draw, frame, hint, inUnit, MOST_POINTS, sample, unit } from "../../report/draw.ts";
import type { Drawing } from "../../report/html.ts";
import { fixed } from "../../report/tables.ts";
import { mean, spearman, taskSpearmans } from "../../statistics/index.ts";
import { averageRanks, denseRanks } from "../../statistics/ranks.ts";
import { counted } from "../../util/counted.ts";
import { Random } from "../../util/random.ts";
import type { Usable, UsableColumn } from "../measure/usable.ts";
import { tenths } from "./curves.ts";

/** Every program by score and PassRatio. Points are jittered a little, so that equal ones remain visible. */
export function scatterPlot({ scores, name }: UsableColumn, { passRatios, rows }: Usable): Drawing {
  const random = new Random(1);
  const points = sample(rows.length).map((i) => ({
    score: scores[i]!,
    passRatio: passRatios[i]! + 0.024 * (random.float() - 0.5),
    title: `${hint(rows[i]!.sample_id)}\nscore ${scores[i]!.toFixed(3)}, PassRatio ${passRatios[i]!.toFixed(3)}`,
  }));
  const r = spearman(scores, passRatios);
  return draw(
    `Scatter plot of PassRatio against ${name}, ${counted(rows.length, "program")}${Number.isNaN(r) ? "" : `, r_s ${fixed(r)}`}.`,
    {
      x: { label: `score by ${name}`, ...domainOf(scores) },
      y: { label: "tests passed (PassRatio)", domain: [-0.02, 1.02], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] },
      marks: [
        ...frame,
        Plot.dot(points, { x: "score", y: "passRatio", r: 2.2, fill: color(0), fillOpacity: 0.35, title: "title" }),
      ],
    },
  );
}

/** The distribution of PassRatio among programs of similar score. */
export function boxPlot({ scores, name }: UsableColumn, { passRatios }: Usable): Drawing {
  const { of, members } = tenths(scores);
  const labels = members.map((rows) => mean(rows.map((i) => scores[i]!)).toFixed(2));
  const points = sample(scores.length, 4 * MOST_POINTS).map((i) => ({ bin: of[i]!, passRatio: passRatios[i]! }));
  const medians = members.map((rows, bin) => {
    const sorted = rows.map((i) => passRatios[i]!).sort((a, b) => a - b);
    return `${labels[bin]} has ${sorted[Math.floor(sorted.length / 2)]!.toFixed(2)}`;
  });
  return draw(`Box plot of PassRatio by tenths of ${name}. Mean score and median PassRatio: ${medians.join(", ")}.`, {
    x: {
      label: `mean score by ${name}, in tenths of the programs`,
      tickFormat: (bin: number) => (labels[bin] ?? "").replace(/^0(?=\.)/, ""), // ten labels must fit side by side
      type: "band",
    },
    y: { label: "tests passed (PassRatio)", ...unit },
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

export function histogram(label: string, values: readonly number[], series: number, what = "programs"): Drawing {
  const domain = inUnit(values) ? ([0, 1] as const) : undefined;
  return draw(`Histogram of ${label}, ${values.length} ${what}, mean ${fixed(mean(values))}.`, {
    x: { label, ...(domain && unit) },
    y: { label: what, grid: true },
    marks: [bars(values, series, domain), Plot.ruleY([0], { stroke: "currentColor" })],
  });
}

/** Plot's bins exclude their upper end. This moves values at the end of the domain into the last bin. */
const within = (value: number, high: number): number => Math.min(value, high - 1e-9);

/** About twenty bars. */
function bars(values: readonly number[], series: number, domain?: readonly [number, number]): Plot.Markish {
  const bins = { thresholds: 20, ...(domain && { domain: [...domain] as [number, number] }) };
  return Plot.rectY(
    domain ? values.map((value) => within(value, domain[1])) : values,
    Plot.binX<Plot.RectYOptions>(
      { y: "count" },
      { x: { value: (value: number) => value, ...bins }, fill: color(series), inset: 0.5 },
    ),
  );
}

/** Every task by the mean score and mean PassRatio of its programs. */
export function taskPlot({ scores, name }: UsableColumn, { tasks, passRatios, rows }: Usable): Drawing {
  const points = sample(tasks.length).map((t) => {
    const task = tasks[t]!;
    return {
      x: mean(task.map((i) => scores[i]!)),
      y: mean(task.map((i) => passRatios[i]!)),
      n: task.length,
      title: `${hint(rows[task[0]!]!.task_id)}: ${counted(task.length, "program")}`,
    };
  });
  return draw(`Scatter plot of mean PassRatio against mean ${name}, ${counted(tasks.length, "task")}.`, {
    x: { label: `mean score by ${name}, of a task`, ...domainOf(scores) },
    y: { label: "tests passed (mean PassRatio of a task)", ...unit },
    r: { range: [0, 7] },
    marks: [
      ...frame,
      diagonal,
      Plot.dot(points, { x: "x", y: "y", r: "n", fill: color(2), fillOpacity: 0.55, stroke: color(2), title: "title" }),
    ],
  });
}

/** The distribution over tasks of the rank correlation within a task. */
export function withinPlot({ scores, name }: UsableColumn, { tasks, passRatios }: Usable): Drawing {
  const values = taskSpearmans(tasks, scores, passRatios).filter((value) => !Number.isNaN(value));
  const middle = mean(values);
  return draw(
    `Histogram of the r_s of ${name} within each of ${counted(values.length, "task")}${values.length > 0 ? `, mean ${fixed(middle)}` : ""}.`,
    {
      x: { label: "within-task Spearman r_s", domain: [-1, 1] },
      y: { label: "tasks", grid: true },
      marks: [
        bars(values, 2, [-1, 1]),
        Plot.ruleX([middle], { stroke: "currentColor", strokeWidth: 2, strokeDasharray: "5 3" }),
        Plot.ruleY([0], { stroke: "currentColor" }),
      ],
    },
  );
}

/** The rank of a program within its task by score and by PassRatio: 0 is the worst, 1 the best. */
export function ranksPlot({ scores, name }: UsableColumn, { tasks, passRatios }: Usable): Drawing {
  const places = (values: readonly number[]): number[] =>
    Array.from(averageRanks(denseRanks(values)), (rank) => (rank - 1) / (values.length - 1));
  const points = tasks
    .filter((task) => task.some((i) => passRatios[i] !== passRatios[task[0]!]))
    .flatMap((task) => {
      const byScore = places(task.map((i) => scores[i]!));
      const byPassRatio = places(task.map((i) => passRatios[i]!));
      return byScore.map((x, k) => ({ x: within(x, 1), y: within(byPassRatio[k]!, 1) }));
    });
  const bin = (value: "x" | "y") => ({ value, thresholds: 10, domain: [0, 1] as [number, number] });
  return draw(`Ranks within tasks by ${name} against ranks by PassRatio, ${counted(points.length, "program")}.`, {
    x: { label: `rank in its task by ${name}`, ...unit },
    y: { label: "rank in its task by PassRatio", ...unit },
    opacity: { range: [0.06, 1], zero: true },
    marks: [
      ...frame,
      Plot.rect(
        points,
        Plot.bin<Plot.RectOptions>({ fillOpacity: "count" }, { x: bin("x"), y: bin("y"), fill: color(2), inset: 0.5 }),
      ),
      diagonal,
    ],
  });
}
