/** Sections of the report from files of other steps: the summary of an RTC run, a manifest. */
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { counted } from "../../util/counted.ts";
import { readJson } from "../../util/files.ts";
import type { ReportSection } from "./sections.ts";

/** The table of `summary.json` in an RTC run's folder. Throws `CodescoreError("input")` if there is none. */
export async function rtcSection(folder: string): Promise<ReportSection> {
  const path = join(folder, "summary.json");
  const summary = (await readJson(path)) as {
    models?: { forward: string; backward: string };
    counts?: { problems: number; round_trips: number };
    similarities?: { name: string; rtc: { value: number; interval: [number, number] | null } | null }[];
    agreement?: { a: string; b: string; spearman: number | null }[];
  };
  const { models, counts, similarities, agreement = [] } = summary;
  if (models === undefined || counts === undefined || similarities === undefined) {
    throw new CodescoreError("input", `${path}: expected the summary of an RTC run`);
  }
  const withPass = (name: string): number | null =>
    agreement.find(({ a, b }) => [a, b].includes(name) && [a, b].includes("pass"))?.spearman ?? null;
  const columns = ["similarity", "RTC", "low", "high", "r_s with pass"].map((label) => ({ label }));
  return {
    kind: "table",
    title: "Round-trip correctness",
    note: `Model: ${models.forward}; ${counted(counts.round_trips, "round trip")} over ${counted(counts.problems, "problem")}; 95% intervals clustered by problem.`,
    table: {
      columns,
      rows: similarities.map(({ name, rtc }) => [
        name,
        rtc?.value ?? null,
        rtc?.interval?.[0] ?? null,
        rtc?.interval?.[1] ?? null,
        name === "pass" ? null : withPass(name),
      ]),
    },
  };
}

/** The counts of a manifest in words. */
const COUNTS: Readonly<Record<string, string>> = {
  rows: "programs",
  labelled: "programs with a label",
  no_label: "programs without a label",
  missing: "programs that fail for lack of",
  infra: "programs whose execution failed (infra)",
  problems: "problems",
  opaque: "tests run in the process of their program",
};

/** What a labelled file's manifest says about it. Throws `CodescoreError("input")` if there is none. */
export async function manifestSection(dataFile: string): Promise<ReportSection> {
  const path = `${dataFile}.manifest.json`;
  const {
    counts,
    executor,
    pass_ratio: spread,
  } = (await readJson(path)) as {
    counts?: Record<string, number | Record<string, number>>;
    executor?: { sandbox: string; python: string; seccomp?: boolean | null };
    pass_ratio?: { zero: number; between: number[]; one: number };
  };
  if (counts === undefined || spread === undefined) {
    throw new CodescoreError("input", `${path}: expected the manifest of a labelled set`);
  }
  const between = spread.between.reduce((a, b) => a + b, 0);
  const unfiltered = executor?.seccomp === false ? " without a seccomp filter" : "";
  return {
    kind: "table",
    title: "The data",
    ...(executor ? { note: `Executed by CPython ${executor.python}, sandbox ${executor.sandbox}${unfiltered}.` } : {}),
    table: {
      columns: ["what", "number"].map((label) => ({ label, digits: 0 })),
      rows: [
        ...Object.entries(counts).flatMap(([name, count]): [string, number][] =>
          typeof count === "number"
            ? [[COUNTS[name] ?? name, count]]
            : Object.entries(count).map(([one, rows]): [string, number] => [`${COUNTS[name] ?? name} ${one}`, rows]),
        ),
        ["programs that pass no test", spread.zero],
        ["programs that pass some tests", between],
        ["programs that pass every test", spread.one],
      ],
    },
  };
}
