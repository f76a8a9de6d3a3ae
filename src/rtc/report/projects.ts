/**
 * Runs over many projects as a page: RTC and lift of each project (Allamanis et al. 2024, Figures 2 and 5) for one or several
 * models, and the tables behind them. Charts are also available as files.
 */

import { join } from "node:path";
import * as Plot from "@observablehq/plot";
import { CodescoreError } from "../../errors.ts";
import { color, draw, hint, legendOf } from "../../report/draw.ts";
import { cardHtml, type Drawing, escapeHtml, inlineHtml, paragraphsHtml, tableHtml } from "../../report/html.ts";
import type { NamedTable } from "../../report/index.ts";
import { page } from "../../report/page.ts";
import { svgFile } from "../../report/svg-file.ts";
import { fixed } from "../../report/tables.ts";
import { orNull, pearson, spearman } from "../../statistics/index.ts";
import { counted } from "../../util/counted.ts";
import { exists } from "../../util/files.ts";
import type { ProjectRow, ProjectsSummary } from "../synthesis/projects.ts";
import type { Estimate } from "../trip/arithmetic.ts";
import { modelName, PROJECTS_FILE, readResult, shownModel } from "./finished.ts";

/** Whether a folder has a run over many projects. */
export const isProjectsRun = (folder: string): Promise<boolean> => exists(join(folder, PROJECTS_FILE));

/** The summary of such a run. @throws `CodescoreError("input")` if there is none of this version */
export async function readProjects(folder: string): Promise<ProjectsSummary> {
  const path = join(folder, PROJECTS_FILE);
  const summary = (await readResult(folder, PROJECTS_FILE)) as Partial<ProjectsSummary> | null;
  if (summary?.task === "synthesis of projects" && Array.isArray(summary.projects) && Array.isArray(summary.means)) {
    return summary as ProjectsSummary;
  }
  throw new CodescoreError("input", `${path}: expected the output of \`codescore rtc synthesis --projects\``);
}

/** The run of one model. */
export interface ProjectsRun {
  readonly name: string;
  readonly summary: ProjectsSummary;
}

/** Runs by the names of their models. @throws `CodescoreError("usage")` if two runs are of the same model */
export function namedRuns(summaries: readonly ProjectsSummary[]): ProjectsRun[] {
  const runs = summaries.map((summary) => ({ name: modelName(summary.models), summary }));
  const doubled = runs.find(({ name }, i) => runs.findIndex((run) => run.name === name) !== i);
  if (doubled) throw new CodescoreError("usage", `expected runs of different models, got two of ${doubled.name}`);
  return runs;
}

type Value = "rtc" | "lift";

const valueIn = (row: ProjectRow | undefined, similarity: string, key: Value): Estimate | null =>
  row?.similarities.find(({ name }) => name === similarity)?.[key] ?? null;

const similaritiesOf = (runs: readonly ProjectsRun[]): string[] => [
  ...new Set(runs.flatMap(({ summary }) => summary.means.map(({ similarity }) => similarity))),
];

const named = { rtc: "RTC", lift: "lift" } as const;

/** One chart per similarity and value, by file name. A lift that no project has is left out. */
export function projectCharts(runs: readonly ProjectsRun[]): ReadonlyMap<string, { title: string; drawing: Drawing }> {
  const charts = new Map<string, { title: string; drawing: Drawing }>();
  for (const key of ["rtc", "lift"] as const) {
    for (const similarity of similaritiesOf(runs)) {
      const drawing = chart(runs, similarity, key);
      if (drawing) charts.set(`${key}-${similarity}`, { title: `${named[key]} by ${similarity}`, drawing });
    }
  }
  return charts;
}

function chart(runs: readonly ProjectsRun[], similarity: string, key: Value): Drawing | null {
  const points = runs.flatMap(({ summary, name }, series) =>
    summary.projects.flatMap((row) => {
      const found = valueIn(row, similarity, key);
      if (found === null) return [];
      const [low, high] = found.interval ?? [found.value, found.value];
      return [{ project: row.name, series, model: name, value: found.value, low, high }];
    }),
  );
  if (points.length === 0) return null;
  // As in the paper: sorted by the first model's value, best first.
  const order = new Map<string, number>();
  for (const { project, value } of points) if (!order.has(project)) order.set(project, value);
  const projects = [...order].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const lows = points.map(({ low }) => low);
  const isOne = runs.length === 1;
  const read = projects.slice(0, 60).map((project) => {
    const values = points.filter((point) => point.project === project).map(({ value }) => fixed(value, 2));
    return `${project} ${values.join(" and ")}`;
  });
  const marks = runs.flatMap((_, series) => {
    const own = points.filter((point) => point.series === series);
    const dx = isOne ? 0 : (series - (runs.length - 1) / 2) * 6;
    return [
      ...(isOne ? [Plot.barY(own, { x: "project", y: "value", fill: color(0), fillOpacity: 0.55 })] : []),
      Plot.ruleX(own, { x: "project", y1: "low", y2: "high", dx, stroke: isOne ? "currentColor" : color(series) }),
      ...(isOne ? [] : [Plot.dot(own, { x: "project", y: "value", dx, r: 3.5, fill: color(series) })]),
    ];
  });
  const longest = Math.min(24, Math.max(...projects.map((name) => name.length)));
  return draw(
    `${named[key]} by ${similarity} of ${counted(projects.length, "project")}: ${read.join(", ")}.`,
    {
      width: Math.max(440, 90 + 22 * projects.length),
      height: 260 + 6 * longest,
      marginBottom: 20 + 7 * longest,
      x: { domain: projects, label: null, tickRotate: -90, tickFormat: (name: string) => hint(name.slice(0, 24)) },
      y: { label: `${named[key]} (${similarity})`, domain: [Math.min(0, ...lows), 1] },
      marks: [Plot.gridY({ stroke: "currentColor", strokeOpacity: 0.1 }), ...marks, Plot.ruleY([0])],
    },
    isOne ? [] : legendOf(runs.map(({ name }) => name)),
  );
}

/** The projects with their means and, for several models, how similarly they order the projects. */
export function projectTables(runs: readonly ProjectsRun[]): NamedTable[] {
  const estimated = (found: Estimate | null) => ({
    value: found?.value ?? null,
    low: found?.interval?.[0] ?? null,
    high: found?.interval?.[1] ?? null,
  });
  const counts = [{ label: "spans", digits: 0 }, { label: "dropped" }, { label: "round trips", digits: 0 }];
  const tables = runs.map(({ name, summary }, i): NamedTable => {
    const similarities = summary.means.map(({ similarity }) => similarity);
    const columns = similarities.flatMap((sim) => [{ label: `RTC, ${sim}` }, { label: `lift, ${sim}` }]);
    return {
      name: runs.length === 1 ? "projects" : `projects-${i + 1}`,
      title: `Projects, ${name}`,
      note: "dropped: drawn spans whose deletion changes no test result. [low, high]: 95% interval, bootstrapped over spans; of the mean, over projects.",
      table: {
        columns: [{ label: "project" }, ...counts, ...columns],
        rows: [
          ...summary.projects.map((row) => [
            row.name,
            row.spans,
            row.dropped_share,
            row.round_trips,
            ...similarities.flatMap((sim) => [
              estimated(valueIn(row, sim, "rtc")),
              estimated(valueIn(row, sim, "lift")),
            ]),
          ]),
          ["mean", null, null, null, ...summary.means.flatMap(({ rtc, lift }) => [estimated(rtc), estimated(lift)])],
        ],
      },
    };
  });
  return runs.length < 2 ? tables : [...tables, betweenModels(runs)];
}

/** Correlations between models, as section 4.2 compares Gemini Nano 2 with Gemini Pro. */
function betweenModels(runs: readonly ProjectsRun[]): NamedTable {
  const rows = similaritiesOf(runs).flatMap((similarity) =>
    runs.flatMap((a, i) =>
      runs.slice(i + 1).map((b) => {
        const pairs = a.summary.projects.flatMap((row): [number, number][] => {
          const other = b.summary.projects.find(({ name }) => name === row.name);
          const [x, y] = [valueIn(row, similarity, "rtc"), valueIn(other, similarity, "rtc")];
          return x && y ? [[x.value, y.value]] : [];
        });
        const [x, y] = [pairs.map(([value]) => value), pairs.map(([, value]) => value)];
        const of = (f: typeof pearson): number | null => (pairs.length < 3 ? null : orNull(f(x, y)));
        return [`${a.name} and ${b.name}`, similarity, pairs.length, of(pearson), of(spearman)];
      }),
    ),
  );
  const columns = [
    { label: "models" },
    { label: "similarity" },
    { label: "projects", digits: 0 },
    { label: "r" },
    { label: "r_s" },
  ];
  return { name: "between-models", title: "RTC of the same projects by two models", table: { columns, rows } };
}

/** The page of one run, or of several runs by different models. */
export function projectsReport(summaries: readonly ProjectsSummary[], title?: string): string {
  const runs = namedRuns(summaries);
  const cards = [...projectCharts(runs).values()].map(({ title: name, drawing }) => cardHtml(name, drawing, ""));
  const tables = projectTables(runs).map(
    ({ title: name, note, table }) =>
      `<h3>${escapeHtml(name)}</h3>${note ? `<div class="muted">${paragraphsHtml(note)}</div>` : ""}${tableHtml(table, name)}`,
  );
  const left = runs.flatMap(({ name, summary }) =>
    summary.left_out.map((out) => `<li>${inlineHtml(`${out.name} (${name}): ${out.reason}`)}</li>`),
  );
  const heads = runs.map(({ summary: { models, projects, version } }) => {
    const trips = projects.reduce((sum, row) => sum + row.round_trips, 0);
    return `<p class="muted">${escapeHtml(`Model: ${shownModel(models)}; ${counted(trips, "round trip")} over ${counted(projects.length, "project")}. codescore ${version}.`)}</p>`;
  });
  return page({
    title:
      title ??
      `Round-trip correctness of projects by ${runs.map(({ summary }) => shownModel(summary.models)).join(" and ")}`,
    head: heads.join("\n"),
    main: `<section><h2>Charts</h2><div class="wide">${cards.join("\n")}</div></section>
<section><h2>Tables</h2>${tables.join("\n")}</section>${
      left.length > 0 ? `\n<section><h2>Left out</h2><ul>${left.join("\n")}</ul></section>` : ""
    }`,
    style:
      "\n.wide .card { overflow-x: auto; margin: 0 0 1rem; padding: 1rem; }\n.wide .card svg { width: auto; max-width: none; }\n",
  });
}

/** The charts as files: file name to SVG. */
export const projectChartFiles = (summaries: readonly ProjectsSummary[]): ReadonlyMap<string, string> =>
  new Map([...projectCharts(namedRuns(summaries))].map(([name, { drawing }]) => [`${name}.svg`, svgFile(drawing)]));
