/**
 * RTC across models: does it order them as pass@1 does? Allamanis et al. 2024, section 4.1, Table 2, correlates RTC by tests with
 * pass@1 over seven models (Pearson's r). Reads the summaries of finished runs, one run per model.
 */
import { CodescoreError } from "../../errors.ts";
import {
  groupRows,
  kendallTauB,
  orNull,
  pearson,
  pearsonInterval,
  permutationP,
  spearman,
} from "../../statistics/index.ts";
import { averageRanks, denseRanks } from "../../statistics/ranks.ts";
import { counted } from "../../util/counted.ts";
import type { Estimate, Sigma } from "../trip/arithmetic.ts";
import { wordsOf } from "../trip/words.ts";
import { type AnySummary, isIdentity } from "./finished.ts";
import {
  type ChainTable,
  chainTable,
  type EditingRow,
  editingRows,
  type ModelRun,
  type PatchflowRow,
  patchflowRows,
  settingOf,
  unique,
} from "./side-by-side.ts";

/** A model's pass@1 and its source. */
export interface PassAt1 {
  readonly value: number;
  readonly source: string;
  /** Present if it was measured. */
  readonly interval?: readonly [number, number] | null;
}

export interface ModelRow {
  readonly model: string;
  /** Distinguishes several runs of one model: the patchflow, and whether the consistency prompt was used. */
  readonly setting: string | null;
  readonly similarity: string;
  readonly signature: string | null;
  readonly rtc: Estimate | null;
  readonly sigma: Sigma | null;
  readonly lift: Estimate | null;
  /** Share of samples at or above the threshold. Null without a threshold. */
  readonly share: Estimate | null;
  readonly threshold: number | null;
  readonly pass_at_1: PassAt1 | null;
}

/** Correlation of a similarity's RTC with pass@1, over the models that have both. Null with fewer than three models or if one is constant. */
export interface ModelCorrelation {
  readonly similarity: string;
  readonly setting: string | null;
  /** What is correlated: the RTC of the similarity or, if its values are graded, also the share of samples at or above the threshold. */
  readonly of: "RTC" | "share >= threshold";
  readonly models: number;
  readonly pearson: number | null;
  /** Fisher's 95% interval. Null with fewer than four models. */
  readonly interval: readonly [number, number] | null;
  /** Two-sided permutation test over the models. */
  readonly pearson_p: number | null;
  readonly spearman: number | null;
  readonly spearman_p: number | null;
  readonly kendall: number | null;
}

export interface ModelComparison {
  readonly task: string;
  readonly correlations: readonly ModelCorrelation[];
  readonly rows: readonly ModelRow[];
  /** For runs of `rtc identity`. */
  readonly chains: ChainTable | null;
  /** For runs of `rtc editing`. */
  readonly edits: readonly EditingRow[];
  /** For runs of `rtc patched`. */
  readonly patchflows: readonly PatchflowRow[];
  /** What makes the runs hard to compare. */
  readonly notes: readonly string[];
}

/**
 * Compares finished runs. A model may have several runs of `rtc patched`: one per patchflow, without and with the consistency
 * prompt.
 * @param passAt1 by model; the default is the pass@1 that `rtc identity` measured
 * @throws `CodescoreError("usage")` for fewer than two runs, two runs with the same name and setting, runs of different tasks, or
 * a pass@1 that is outside [0, 1] or of an unknown run
 */
export function compareModels(
  runs: readonly ModelRun[],
  passAt1: ReadonlyMap<string, PassAt1>,
  seed = 0,
): ModelComparison {
  checkRuns(runs, passAt1);
  const rows = runs.flatMap((run) => rowsOf(run, passAt1.get(run.name) ?? measured(run.summary)));
  const groups = unique(rows.map(({ similarity }) => similarity)).flatMap((similarity) =>
    unique(rows.map(({ setting }) => setting)).map((setting) =>
      rows.filter((row) => row.similarity === similarity && row.setting === setting),
    ),
  );
  const ordered = groups.flat();
  return {
    task: runs[0]!.summary.task,
    correlations: groups.filter((group) => group.length > 0).flatMap((group) => correlationsOf(group, seed)),
    rows: ordered,
    chains: chainTable(runs),
    edits: editingRows(runs),
    patchflows: patchflowRows(runs),
    notes: notesOf(runs, ordered),
  };
}

function checkRuns(runs: readonly ModelRun[], passAt1: ReadonlyMap<string, PassAt1>): void {
  const wrong = (message: string): never => {
    throw new CodescoreError("usage", message);
  };
  if (runs.length < 2) wrong(`expected the runs of two or more models, got ${runs.length}`);
  const names = runs.map(({ name }) => name);
  const keys = runs.map(({ name, summary }) => JSON.stringify([name, settingOf(summary)]));
  const doubled = runs.find((_, i) => keys.indexOf(keys[i]!) !== i);
  if (doubled) {
    const setting = settingOf(doubled.summary);
    wrong(`two runs are of \`${doubled.name}\`${setting === null ? "" : ` (${setting})`}; name them as NAME=DIR`);
  }
  const other = runs.find(({ summary }) => summary.task !== runs[0]!.summary.task);
  if (other) wrong(`expected runs of one task, got ${runs[0]!.summary.task} and ${other.summary.task} (${other.name})`);
  for (const [name, { value }] of passAt1) {
    if (!names.includes(name)) wrong(`a pass@1 is given for \`${name}\`, which is not among ${names.join(", ")}`);
    if (!(value >= 0 && value <= 1)) wrong(`expected the pass@1 of \`${name}\` to be in [0, 1], got ${value}`);
  }
}

const measured = (summary: AnySummary): PassAt1 | null =>
  isIdentity(summary) && summary.pass_at_1
    ? { value: summary.pass_at_1.value, source: "step 0 of the chains", interval: summary.pass_at_1.interval }
    : null;

function rowsOf({ name: model, summary }: ModelRun, pass_at_1: PassAt1 | null): ModelRow[] {
  const setting = settingOf(summary);
  if (isIdentity(summary)) {
    return summary.similarities.map(({ name: similarity, signature, mean: rtc, threshold }) => ({
      ...{ model, setting, similarity, signature, rtc, sigma: null, lift: null, share: null, threshold, pass_at_1 },
    }));
  }
  return summary.similarities.map(
    ({ name: similarity, signature, rtc, sigma, lift, share_above: share, threshold }): ModelRow => ({
      ...{ model, setting, similarity, signature, rtc, sigma, lift, share, threshold, pass_at_1 },
    }),
  );
}

/** Minimum number of models for a correlation, because two always lie on a line. */
const fewest = 3;

/** The correlations of runs with one similarity and one setting. */
function correlationsOf(rows: readonly ModelRow[], seed: number): ModelCorrelation[] {
  const isGraded = rows.some(({ rtc, share }) => share !== null && rtc !== null && share.value !== rtc.value);
  return [
    correlate(rows, "RTC", ({ rtc }) => rtc, seed),
    ...(isGraded ? [correlate(rows, "share >= threshold", ({ share }) => share, seed)] : []),
  ];
}

function correlate(
  rows: readonly ModelRow[],
  of: ModelCorrelation["of"],
  pick: (row: ModelRow) => Estimate | null,
  seed: number,
): ModelCorrelation {
  const both = rows.flatMap((row) => {
    const value = pick(row);
    return value && row.pass_at_1 ? [[value.value, row.pass_at_1.value] as const] : [];
  });
  const n = both.length;
  const enough = n >= fewest;
  const [x, y] = [both.map(([value]) => value), both.map(([, pass]) => pass)];
  const [rx, ry] = [averageRanks(denseRanks(x)), averageRanks(denseRanks(y))];
  const when = (value: () => number): number | null => (enough ? orNull(value()) : null);
  const r = when(() => pearson(x, y));
  const interval = r === null ? null : pearsonInterval(r, n);
  const { similarity, setting } = rows[0]!;
  return {
    similarity,
    setting,
    of,
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
  const models = new Set(runs.map(({ name }) => name)).size;
  const known = new Set(rows.flatMap(({ model, pass_at_1 }) => (pass_at_1 ? [model] : []))).size;
  const unknown = models - known;
  if (known > 0 && unknown > 0)
    notes.push(`Without pass@1, so in no correlation: ${unknown} of ${counted(models, "model")}.`);
  // Without any pass@1, no correlation was requested.
  if (known > 0 && known < fewest)
    notes.push(`A correlation needs the pass@1 of ${fewest} models or more, got ${known}.`);
  else if (known >= fewest && known < 10) {
    const least = 2 / Array.from({ length: known }, (_, i) => i + 1).reduce((a, b) => a * b);
    notes.push(
      `${known} models: no p can be below ${least.toPrecision(2)}; the interval of r assumes a normal distribution.`,
    );
  }
  for (const similarity of new Set(rows.map((row) => row.similarity))) {
    const signatures = new Set(rows.filter((row) => row.similarity === similarity).map(({ signature }) => signature));
    if (signatures.size > 1) notes.push(`${similarity} is not the same in all runs: ${[...signatures].join(" and ")}.`);
  }
  const unlike = unique(
    [...groupRows(runs.map(({ summary }) => settingOf(summary) ?? "")).values()].flatMap((group) =>
      differences(group.map((i) => runs[i]!)),
    ),
  );
  if (unlike.length > 0) notes.push(`The runs differ in ${unlike.join(", ")}.`);
  return notes;
}

/** What differs between the runs of one setting. */
function differences(runs: readonly ModelRun[]): string[] {
  const differ = (what: string, of: (summary: AnySummary) => unknown): string[] =>
    new Set(runs.map(({ summary }) => JSON.stringify(of(summary)))).size > 1 ? [what] : [];
  const names = runs.map(({ summary }) => summary.similarities.map(({ name }) => name));
  const shared = new Set(names[0]!.filter((name) => names.every((others) => others.includes(name))));
  return [
    ...differ("prompts", ({ prompts }) => prompts),
    ...differ("sampling", (summary) =>
      isIdentity(summary) ? [summary.steps.length, summary.sampling] : [summary.sampling, summary.repeats],
    ),
    ...problemsDiffer(runs),
    ...differ("similarities", ({ similarities }) => similarities.map(({ name }) => name).sort()),
    ...differ("thresholds", ({ similarities }) =>
      similarities
        .filter(({ name }) => shared.has(name))
        .map(({ name, threshold }) => [name, threshold])
        .sort(),
    ),
  ];
}

/** Compares problems by id if every run has the ids, otherwise by number. */
function problemsDiffer(runs: readonly ModelRun[]): string[] {
  const [, several] = wordsOf(runs[0]!.summary.task).item;
  const sets = runs.flatMap(({ ids }) => (ids === undefined ? [] : [ids]));
  if (sets.length < runs.length) {
    const counts = runs.map(({ summary: { counts } }) => ("chains" in counts ? counts.chains : counts.problems));
    return new Set(counts).size > 1 ? [`numbers of ${several}`] : [];
  }
  const all = new Set(sets.flatMap((ids) => [...ids]));
  const common = [...all].filter((id) => sets.every((ids) => ids.has(id))).length;
  return common === all.size ? [] : [`${several} (${common} of ${all.size} are in every run)`];
}
