/** `codescore rtc synthesis --projects`: round trips of the spans of many Python projects, and charts of the results. */

import { join, resolve } from "node:path";
import { CodescoreError, messageOf } from "../../errors.ts";
import type { ProjectEntry, ProjectSummary, ProjectsSummary } from "../../rtc/index.ts";
import { counted } from "../../util/counted.ts";
import { putPage } from "../evaluate/report.ts";
import { markIncomplete } from "../options/values.ts";
import { checkSims, defined } from "./options.ts";
import { fixed, inColumns, interval } from "./output.ts";
import { checkProjectOptions, type ProjectFlags, type ProjectRunOptions, runProject } from "./project.ts";

interface Options extends ProjectFlags, ProjectRunOptions {
  readonly problems?: readonly string[];
  readonly output: string;
}

/** A line of projects-done.jsonl: a project whose run is complete, and a hash of the settings that it ran with. */
interface Done {
  readonly name: string;
  readonly key: string;
}

export async function synthesisOfProjects(options: Options): Promise<void> {
  const { projects: list, output: out, limit = 100, seed } = options;
  const one = ["problems", "project", "testCommand", "python"] as const;
  if (one.some((name) => options[name] !== undefined)) {
    const other = "--problems, --project, --test-command or --python";
    throw new CodescoreError(
      "usage",
      `give --projects or ${other}, not both: its file names folders, tests and Pythons`,
    );
  }
  if (options.cache !== undefined) {
    throw new CodescoreError("usage", "--cache is one file; with --projects each project has its own recording");
  }
  checkProjectOptions(options);
  await checkSims(options);
  const { LEAST_SPANS, readProjectList, summarizeProjects } = await import("../../rtc/index.ts");
  const leastSpans = options.leastSpans ?? Math.min(LEAST_SPANS, limit);
  if (leastSpans > limit) {
    throw new CodescoreError("usage", `expected --least-spans to be ${limit} (--limit) or less, got ${leastSpans}`);
  }
  const entries = await readProjectList(list!);
  const [runs, leftOut]: [{ name: string; summary: ProjectSummary }[], ProjectsSummary["left_out"][number][]] = [
    [],
    [],
  ];
  const done = await openDone(out);
  try {
    for (const [i, entry] of entries.entries()) {
      process.stderr.write(`${entry.name} (${i + 1} of ${entries.length})\n`);
      try {
        const summary = await done.orRun(entry, options, () => runEntry(entry, options, leastSpans));
        runs.push({ name: entry.name, summary });
      } catch (error) {
        // An error in one project says nothing about the others.
        if (!(error instanceof CodescoreError) || (error.code !== "input" && error.code !== "environment")) throw error;
        process.stderr.write(`left out: ${entry.name}: ${messageOf(error)}\n`);
        leftOut.push({ name: entry.name, reason: messageOf(error) });
      }
    }
  } finally {
    await done.close();
  }
  await putProjects(out, summarizeProjects(runs, leftOut, leastSpans, seed));
  if (leftOut.length > 0) markIncomplete();
}

async function runEntry(entry: ProjectEntry, options: Options, leastSpans: number): Promise<ProjectSummary> {
  const { unpackWheel } = await import("../../execute/index.ts");
  const out = join(options.output, entry.name);
  let folder = entry.project;
  if (folder.endsWith(".whl")) {
    folder = join(out, "project");
    await unpackWheel(entry.project, folder, entry.python ?? undefined);
  }
  const place = { folder, command: entry.tests, out, leastSpans, ...defined({ python: entry.python ?? undefined }) };
  return runProject(options, place, (summary) => {
    if (summary.counts.missing > 0 || summary.failed.length > 0) markIncomplete();
  });
}

/** Records which projects are done. A finished run is repeated only if its settings change. */
async function openDone(out: string) {
  const { makeFolder, packageVersion, readJson, sha256 } = await import("../../util/files.ts");
  const { readJsonLines } = await import("../../util/jsonl.ts");
  const { openKnown } = await import("../../rtc/llm/journal.ts");
  await makeFolder(out);
  const { journal, known } = await openKnown(join(out, "projects-done.jsonl"), async (path) => {
    const keys = new Map<string, string>();
    for await (const { value } of readJsonLines(path)) {
      const { name, key } = value as unknown as Done;
      keys.set(name, key);
    }
    return keys;
  });
  const version = await packageVersion();
  const keyOf = (entry: ProjectEntry, options: Options): string => {
    const { output, projects, workers, concurrency, timeout, retries, leastSpans, ...settings } = options;
    return sha256(JSON.stringify([version, { ...entry, project: resolve(entry.project) }, settings]));
  };
  return {
    orRun: async (entry: ProjectEntry, options: Options, run: () => Promise<ProjectSummary>) => {
      const key = keyOf(entry, options);
      if (known.get(entry.name) === key) {
        const summary = await readJson(join(out, entry.name, "summary.json")).catch(() => null);
        if (summary !== null) return summary as ProjectSummary;
      }
      const summary = await run();
      // A run with failed calls may continue when the command is started again.
      if (summary.failed.length === 0) await journal.append([{ name: entry.name, key } satisfies Done]);
      return summary;
    },
    close: () => journal.close(),
  };
}

async function putProjects(out: string, summary: ProjectsSummary): Promise<void> {
  const { namedRuns, PROJECTS_FILE, projectsReport, projectTables, projectChartFiles } = await import(
    "../../rtc/index.ts"
  );
  const { writeAtomic } = await import("../../util/files.ts");
  const { writeTables } = await import("../../report/index.ts");
  await writeAtomic(join(out, PROJECTS_FILE), `${JSON.stringify(summary, null, 2)}\n`);
  await writeTables(join(out, "tables"), projectTables(namedRuns([summary])));
  await putCharts(join(out, "charts"), projectChartFiles([summary]));
  const rows = summary.projects.flatMap(({ name, spans, similarities }) =>
    similarities.map((sim) => [
      name,
      `${spans}`,
      sim.name,
      fixed(sim.rtc?.value),
      interval(sim.rtc),
      fixed(sim.lift?.value),
    ]),
  );
  const means = summary.means.map(({ similarity, rtc, lift }) => [
    ...["mean", "", similarity, fixed(rtc?.value), interval(rtc), fixed(lift?.value)],
  ]);
  process.stdout.write(
    inColumns([["project", "spans", "similarity", "RTC", "95% interval", "lift"], ...rows, ...means]),
  );
  process.stderr.write(`wrote ${join(out, PROJECTS_FILE)}\n`);
  await putPage(join(out, "report.html"), projectsReport([summary]));
}

/** Writes charts into a folder. */
export async function putCharts(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const { makeFolder, writeAtomic } = await import("../../util/files.ts");
  await makeFolder(folder);
  for (const [name, svg] of files) await writeAtomic(join(folder, name), svg);
  process.stderr.write(`wrote ${counted(files.size, "chart")} to ${folder}\n`);
}
