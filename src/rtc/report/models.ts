/**
 * RTC across models: does it order them as pass@1 does? (Allamanis et al. 2024, section 4.1, Table 2: Pearson's r of RTC by tests
 * with pass@1 over seven models.) Works on the summaries of finished runs, a run a model.
 */
import { CodescoreError } from "../../errors.ts";
import { kendallTauB, orNull, pearson, pearsonInterval, permutationP, spearman } from "../../statistics/index.ts";
import { averageRanks, denseRanks } from "../../statistics/ranks.ts";
import type { Estimate, Sigma } from "../trip/arithmetic.ts";
import { type AnySummary, isIdentity } from "./finished.ts";

/** A finished run of one model. */
export interface ModelRun {
  readonly name: string;
  readonly summary: AnySummary;
}

/** Where a model's pass@1 comes from. */
export interface PassAt1 {
  readonly value: number;
  readonly source: string;
}

export interface ModelRow {
  readonly model: string;
  readonly similarity: string;
  readonly signature: string | null;
  readonly rtc: Estimate | null;
  readonly sigma: Sigma | null;
  readonly lift: Estimate | null;
  readonly pass_at_1: PassAt1 | null;
}

/** Of a similarity's RTC with pass@1, over the models that have both; nulls below three models or where one does not vary. */
export interface ModelCorrelation {
  readonly similarity: string;
  readonly models: number;
  readonly pearson: number | null;
  /** Fisher's 95% interval; null below four models. */
  readonly interval: readonly [number, number] | null;
  /** Permutation test over the models, two-sided. */
  readonly pearson_p: number | null;
  readonly spearman: number | null;
  readonly spearman_p: number | null;
  readonly kendall: number | null;
}

export interface ModelComparison {
  readonly task: string;
  readonly correlations: readonly ModelCorrelation[];
  readonly rows: readonly ModelRow[];
  /** What makes the runs hard to compare. */
  readonly notes: readonly string[];
}

/**
 * `passAt1` by model; a chain's own pass@1 serves where none is given. Throws `CodescoreError("usage")` for fewer than two runs,
 * two of one name, runs of different tasks, or a pass@1 that is no share or of no run.
 */
export function compareModels(
  runs: readonly ModelRun[],
  passAt1: ReadonlyMap<string, PassAt1>,
  seed = 0,
): ModelComparison {
  checkRuns(runs, passAt1);
  const rows = runs.flatMap((run) => rowsOf(run, passAt1.get(run.name) ?? measured(run.summary)));
  const similarities = [...new Set(rows.map(({ similarity }) => similarity))];
  const of = (similarity: string): ModelRow[] => rows.filter((row) => row.similarity === similarity);
  const ordered = similarities.flatMap(of);
  return {
    task: runs[0]!.summary.task,
    correlations: similarities.map((similarity) => correlate(similarity, of(similarity), seed)),
    rows: ordered,
    notes: notesOf(runs, ordered),
  };
}

function checkRuns(runs: readonly ModelRun[], passAt1: ReadonlyMap<string, PassAt1>): void {
  const wrong = (message: string): never => {
    throw new CodescoreError("usage", message);
  };
  if (runs.length < 2) wrong(`expected the runs of two or more models, got ${runs.length}`);
  const names = runs.map(({ name }) => name);
  const doubled = names.find((name, i) => names.indexOf(name) !== i);
  if (doubled !== undefined) wrong(`two runs are of \`${doubled}\`; name them as NAME=DIR`);
  const other = runs.find(({ summary }) => summary.task !== runs[0]!.summary.task);
  if (other) wrong(`expected runs of one task, got ${runs[0]!.summary.task} and ${other.summary.task} (${other.name})`);
  for (const [name, { value }] of passAt1) {
    if (!names.includes(name)) wrong(`a pass@1 is given for \`${name}\`, which is not among ${names.join(", ")}`);
    if (!(value >= 0 && value <= 1)) wrong(`expected the pass@1 of \`${name}\` to be in [0, 1], got ${value}`);
  }
}

const measured = (summary: AnySummary): PassAt1 | null =>
  isIdentity(summary) && summary.pass_at_1 ? { value: summary.pass_at_1.value, source: "step 0 of the chains" } : null;

function rowsOf({ name: model, summary }: ModelRun, pass_at_1: PassAt1 | null): ModelRow[] {
  if (isIdentity(summary)) {
    return summary.similarities.map(({ name: similarity, signature, mean: rtc }) => ({
      ...{ model, similarity, signature, rtc, sigma: null, lift: null, pass_at_1 },
    }));
  }
  return summary.similarities.map(({ name: similarity, signature, rtc, sigma, lift }) => ({
    ...{ model, similarity, signature, rtc, sigma, lift, pass_at_1 },
  }));
}

/** Two models always lie on a line. */
const fewest = 3;

function correlate(similarity: string, rows: readonly ModelRow[], seed: number): ModelCorrelation {
  const both = rows.flatMap(({ rtc, pass_at_1 }) => (rtc && pass_at_1 ? [[rtc.value, pass_at_1.value] as const] : []));
  const n = both.length;
  const enough = n >= fewest;
  const [x, y] = [both.map(([rtc]) => rtc), both.map(([, pass]) => pass)];
  const [rx, ry] = [averageRanks(denseRanks(x)), averageRanks(denseRanks(y))];
  const when = (value: () => number): number | null => (enough ? orNull(value()) : null);
  const r = when(() => pearson(x, y));
  const interval = r === null ? null : pearsonInterval(r, n);
  return {
    similarity,
    models: n,
    pearson: r,
    interval: interval && [interval.low, interval.high],
    pearson_p: when(() => permutationP(x, y, seed)),
    spearman: when(() => spearman(x, y)),
    spearman_p: when(() => permutationP(rx, ry, seed)),
    kendall: when(() => kendallTauB(x, y)),
  };
}

function notesOf(runs: readonly ModelRun[], rows: readonly ModelRow[]): string[] {
  const notes: string[] = [];
  const known = new Set(rows.flatMap(({ model, pass_at_1 }) => (pass_at_1 ? [model] : []))).size;
  const unknown = runs.length - known;
  if (unknown > 0) notes.push(`${unknown} of ${runs.length} models have no pass@1 and are in no correlation.`);
  if (known < fewest) notes.push(`A correlation needs the pass@1 of ${fewest} models or more, got ${known}.`);
  else if (known < 10) {
    const least = 2 / Array.from({ length: known }, (_, i) => i + 1).reduce((a, b) => a * b);
    notes.push(
      `${known} models: no p can be below ${least.toPrecision(2)}; the interval of r takes them to be normal.`,
    );
  }
  for (const similarity of new Set(rows.map((row) => row.similarity))) {
    const signatures = new Set(rows.filter((row) => row.similarity === similarity).map(({ signature }) => signature));
    if (signatures.size > 1) notes.push(`${similarity} is not the same in all runs: ${[...signatures].join(" and ")}.`);
  }
  const differ = (what: string, of: (summary: AnySummary) => unknown): string[] =>
    new Set(runs.map(({ summary }) => JSON.stringify(of(summary)))).size > 1 ? [what] : [];
  const unlike = [
    ...differ("prompts", ({ prompts }) => prompts),
    ...differ("sampling", (summary) =>
      isIdentity(summary) ? summary.steps.length : [summary.sampling, summary.repeats],
    ),
    ...differ("numbers of problems", ({ counts }) => ("chains" in counts ? counts.chains : counts.problems)),
  ];
  if (unlike.length > 0) notes.push(`The runs differ in ${unlike.join(", ")}.`);
  return notes;
}
