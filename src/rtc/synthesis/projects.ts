/**
 * Many projects in one run (Allamanis et al. 2024, section 4.2): their list and their results. Each project has its own run, in a
 * folder with its name. Projects with too few spans are left out, as in the paper.
 */
import { dirname, isAbsolute, join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { optionalString, readJsonLines, stringField } from "../../util/jsonl.ts";
import { type Estimate, estimate } from "../trip/arithmetic.ts";
import type { RtcSummary, SimilaritySummary } from "../trip/summary.ts";
import type { ProjectSummary } from "./project-run.ts";

/** One line of a file of projects. */
export interface ProjectEntry {
  readonly name: string;
  /** A folder, or a wheel (`.whl`). */
  readonly project: string;
  /** The test command. */
  readonly tests: string;
  /** @default python3 */
  readonly python: string | null;
}

/** Minimum number of spans of a project, from the paper. Projects with fewer are left out. */
export const LEAST_SPANS = 80;

const NAME = /^[A-Za-z0-9_][\w.-]{0,99}$/;

/**
 * Reads JSON lines {"name", "project", "tests", "python"}. Paths are relative to the file. A Python without a slash is looked up
 * on the PATH.
 * @throws `CodescoreError("input")` for an invalid line, a name that cannot be a folder's, or a duplicate name
 */
export async function readProjectList(path: string): Promise<ProjectEntry[]> {
  const from = (other: string): string => (isAbsolute(other) ? other : join(dirname(path), other));
  const entries: ProjectEntry[] = [];
  for await (const line of readJsonLines(path)) {
    const name = stringField(line, "name");
    if (!NAME.test(name)) {
      const expected = "letters, digits, `.`, `-` and `_`, because it names a folder";
      throw new CodescoreError("input", `${line.where}: expected a \`name\` of ${expected}, got \`${name}\``);
    }
    if (entries.some((entry) => entry.name === name)) {
      throw new CodescoreError("input", `${line.where}: two projects are called \`${name}\`; rename one of them`);
    }
    const python = optionalString(line, "python");
    entries.push({
      name,
      project: from(stringField(line, "project")),
      tests: stringField(line, "tests"),
      python: python?.includes("/") ? from(python) : python,
    });
  }
  if (entries.length === 0) {
    throw new CodescoreError("input", `${path}: expected lines {"name", "project", "tests"}, got none`);
  }
  return entries;
}

export interface ProjectRow {
  readonly name: string;
  readonly spans: number;
  readonly drawn: number;
  /** Share of the drawn spans whose deletion changes no test result. */
  readonly dropped_share: number;
  readonly round_trips: number;
  readonly similarities: readonly Pick<SimilaritySummary, "name" | "rtc" | "baseline" | "lift">[];
}

/** The content of projects.json. */
export interface ProjectsSummary {
  readonly task: "synthesis of projects";
  readonly version: string;
  readonly models: RtcSummary["models"];
  readonly least_spans: number;
  readonly projects: readonly ProjectRow[];
  readonly left_out: readonly { readonly name: string; readonly reason: string }[];
  /** Means over projects, with intervals over projects. */
  readonly means: readonly {
    readonly similarity: string;
    readonly rtc: Estimate | null;
    readonly lift: Estimate | null;
  }[];
}

/** The results of the projects, in the order of their runs. @throws `CodescoreError("input")` without runs */
export function summarizeProjects(
  runs: readonly { readonly name: string; readonly summary: ProjectSummary }[],
  leftOut: ProjectsSummary["left_out"],
  leastSpans: number,
  seed = 0,
): ProjectsSummary {
  const [first] = runs;
  if (first === undefined) {
    const why = leftOut[0] ? `; ${leftOut[0].name}: ${leftOut[0].reason}` : "";
    throw new CodescoreError("input", `no project can be used${why}`);
  }
  const names = first.summary.similarities.map(({ name }) => name);
  const mean = (similarity: string, key: "rtc" | "lift"): Estimate | null => {
    const values = runs.flatMap(({ name, summary }): [string, number][] => {
      const value = summary.similarities.find((one) => one.name === similarity)?.[key];
      return value ? [[name, value.value]] : [];
    });
    return estimate(new Map(values), seed);
  };
  return {
    task: "synthesis of projects",
    version: first.summary.version,
    models: first.summary.models,
    least_spans: leastSpans,
    projects: runs.map(({ name, summary: { project, counts, similarities } }) => ({
      name,
      spans: project.spans,
      drawn: project.drawn,
      dropped_share: project.dropped_share,
      round_trips: counts.round_trips,
      similarities: similarities.map(({ name, rtc, baseline, lift }) => ({ name, rtc, baseline, lift })),
    })),
    left_out: leftOut,
    means: names.map((similarity) => ({ similarity, rtc: mean(similarity, "rtc"), lift: mean(similarity, "lift") })),
  };
}
