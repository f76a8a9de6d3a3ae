/**
 * Execution as a metric (Dong et al. 2023, table 7): how well labels from a few tests predict those from many. The labels of the
 * same programs on other tests come from `codescore label`, as a separate file.
 */
import { readExamples, readTiming } from "../../dataset/index.ts";
import { CodescoreError } from "../../errors.ts";
import { mean, orNull } from "../../statistics/index.ts";
import type { LabelledRow } from "../../types.ts";
import { counted } from "../../util/counted.ts";
import type { ScoreColumn } from "./columns.ts";

/** Labels of the rows of a set from one suite of tests. */
export interface OtherLabels {
  readonly kind: "execution" | "labels";
  readonly name: string;
  /** One PassRatio per row; null for a row without a label. */
  readonly passRatios: readonly (number | null)[];
  /** Mean number of tests per labelled program; null if there is none. */
  readonly meanTests: number | null;
  /** Mean wall-clock time to execute a program on its tests, in ms; null if no timing file lies beside the labels. */
  readonly msPerProgram: number | null;
}

/** The set's own labels. */
export async function ownLabels(path: string, rows: readonly LabelledRow[]): Promise<OtherLabels> {
  return { kind: "labels", name: "labels", ...summary(rows), msPerProgram: await readTiming(path) };
}

/**
 * Reads labels from a file for the same programs as `rows`. Matches by `task_id` and `sample_id`, or line by line if those
 * repeat. Throws `CodescoreError("input")` if the file lacks a row or has another program for it.
 */
export async function readOtherLabels(path: string, name: string, rows: readonly LabelledRow[]): Promise<OtherLabels> {
  const others: LabelledRow[] = [];
  for await (const row of readExamples(path)) others.push(row);
  const matched = match(path, others, rows);
  const different = rows.findIndex((row, i) => row.candidate !== matched[i]!.candidate);
  if (different >= 0) {
    throw new CodescoreError(
      "input",
      `${path}: the program of sample ${matched[different]!.sample_id} is not the one in row ${different} (counted from 0) of the evaluated set; label the same samples`,
    );
  }
  return { kind: "execution", name, ...summary(matched), msPerProgram: await readTiming(path) };
}

function match(path: string, others: readonly LabelledRow[], rows: readonly LabelledRow[]): readonly LabelledRow[] {
  const key = ({ task_id, sample_id }: LabelledRow): string => JSON.stringify([task_id, sample_id]);
  const byKey = new Map(others.map((row) => [key(row), row]));
  const unique = byKey.size === others.length && new Set(rows.map(key)).size === rows.length;
  if (!unique && others.length === rows.length) return others;
  const missing = rows.find((row) => !byKey.has(key(row)));
  if (unique && missing === undefined) return rows.map((row) => byKey.get(key(row))!);
  const lacks = missing === undefined ? "repeated ids" : `none for sample ${missing.sample_id} of ${missing.task_id}`;
  throw new CodescoreError(
    "input",
    `${path}: expected a label for each of the ${counted(rows.length, "row")} of the evaluated set, got ${counted(others.length, "row")} and ${lacks}; label the same samples`,
  );
}

function summary(rows: readonly LabelledRow[]): Pick<OtherLabels, "passRatios" | "meanTests"> {
  const labelled = rows.filter(({ pass_ratio }) => pass_ratio !== null);
  return {
    passRatios: rows.map(({ pass_ratio }) => pass_ratio),
    meanTests: meanTests(labelled),
  };
}

/** Mean number of tests, over the rows that say how many they had; null if none does. */
export const meanTests = (rows: readonly LabelledRow[]): number | null =>
  orNull(mean(rows.flatMap(({ n_tests }) => (n_tests > 0 ? n_tests : []))));

/** The labels as two metrics: the share of tests that a program passes, and whether it passes all. */
export function executionColumns({ kind, name, passRatios, meanTests, msPerProgram }: OtherLabels): ScoreColumn[] {
  const tests = meanTests === null ? "" : `|tests:${meanTests.toFixed(1)}`;
  const column = (metric: string, scores: ScoreColumn["scores"]): ScoreColumn => ({
    name: `${metric} (${name})`,
    kind,
    signature: `execution|${metric}${tests}`,
    scores,
    exec: null,
    msPerPair: msPerProgram,
  });
  return [
    column("AvgPassRatio", passRatios),
    column(
      "Pass@1",
      passRatios.map((ratio) => (ratio === null ? null : Number(ratio === 1))),
    ),
  ];
}
