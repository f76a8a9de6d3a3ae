/**
 * The robustness card: how much a score changes if a program is changed in ways that keep its behaviour, and in ways that break
 * it. Intervals are 95% percentile bootstraps over problems.
 */
import { quantileSorted } from "simple-statistics";
import { CodescoreError } from "../../errors.ts";
import type { Estimated } from "../../report/tables.ts";
import { bootstrapByCluster, groupRows, mean, orNull } from "../../statistics/index.ts";
import type { ScoreColumn } from "../measure/columns.ts";
import type { RobustnessRow, RobustnessSet } from "./set.ts";

export interface RobustnessCard {
  readonly counts: RobustnessSet["counts"];
  readonly settings: RobustnessSet["settings"] & { readonly resamples: number; readonly level: number };
  /** One result per column of scores, in input order. */
  readonly results: readonly RobustnessResult[];
}

export interface RobustnessResult {
  readonly name: string;
  readonly signature: string | null;
  /** Mean score of the originals. */
  readonly original: number;
  /** One entry per kind, `all` last. Kinds without a variant are left out. */
  readonly harmless: readonly HarmlessResult[];
  readonly harmful: readonly HarmfulResult[];
  /** Number of variants and mutants that have no score or whose original has none. */
  readonly unscored: number;
}

export interface HarmlessResult {
  readonly kind: string;
  readonly variants: number;
  readonly problems: number;
  /** Mean and 90th percentile of |score of the variant - score of its original|. */
  readonly meanChange: Estimated;
  readonly p90Change: Estimated;
}

export interface HarmfulResult {
  readonly kind: string;
  readonly mutants: number;
  readonly problems: number;
  /** Mean PassRatio of the mutants. */
  readonly passRatio: number;
  /** Mean of the original's score minus the mutant's score. */
  readonly drop: Estimated;
  /** How often the original scores higher than its mutant; a tie counts half. This is the AUC within a problem. */
  readonly auc: Estimated;
  /** The same with the problem's harmless variants in place of the original. */
  readonly disguisedAuc: Estimated;
}

const RESAMPLES = 1000;
const LEVEL = 0.95;

/** Scores that differ by less count as equal. They may be computed in another order. */
const SAME = 1e-6;

/** Throws `CodescoreError("input")` if a column does not fit the rows. */
export function robustness(set: RobustnessSet, columns: readonly ScoreColumn[]): RobustnessCard {
  return {
    counts: set.counts,
    settings: { ...set.settings, resamples: RESAMPLES, level: LEVEL },
    results: columns.map((column) => measure(set, column)),
  };
}

interface Change {
  readonly row: RobustnessRow;
  readonly score: number;
  readonly original: number;
}

function measure({ rows, settings }: RobustnessSet, { name, signature, scores }: ScoreColumn): RobustnessResult {
  if (scores.length !== rows.length) {
    throw new CodescoreError(
      "input",
      `expected ${rows.length} scores in \`${name}\`, one per row, got ${scores.length}`,
    );
  }
  const originals = new Map<string, number>();
  rows.forEach(({ effect, task_id }, i) => {
    const score = scores[i];
    if (effect === "original" && typeof score === "number") originals.set(task_id, score);
  });
  const changes = rows.flatMap((row, i): Change[] => {
    const [score, original] = [scores[i], originals.get(row.task_id)];
    return row.effect === "original" || typeof score !== "number" || original === undefined
      ? []
      : [{ row, score, original }];
  });
  const { seed } = settings;
  const harmless = changes.filter(({ row }) => row.effect === "harmless");
  const harmful = changes.filter(({ row }) => row.effect === "harmful");
  const disguises = groupRows(harmless.map(({ row }) => row.task_id));
  const disguised = (task: string): number[] => (disguises.get(task) ?? []).map((i) => harmless[i]!.score);
  return {
    name,
    signature,
    original: mean([...originals.values()]),
    harmless: byKind(harmless).map(([kind, some]) => ({
      kind,
      variants: some.length,
      problems: problemsOf(some),
      meanChange: bounded(some, some.map(moved), mean, seed),
      p90Change: bounded(some, some.map(moved), p90, seed),
    })),
    harmful: byKind(harmful).map(([kind, some]) => ({
      kind,
      mutants: some.length,
      problems: problemsOf(some),
      passRatio: mean(some.map(({ row }) => row.pass_ratio!)),
      drop: bounded(
        some,
        some.map(({ score, original }) => original - score),
        mean,
        seed,
      ),
      auc: bounded(
        some,
        some.map(({ score, original }) => above(original, score)),
        mean,
        seed,
      ),
      disguisedAuc: bounded(
        some,
        some.map(({ row, score }) => mean(disguised(row.task_id).map((variant) => above(variant, score)))),
        meanOfKnown,
        seed,
      ),
    })),
    unscored: rows.filter(({ effect }) => effect !== "original").length - changes.length,
  };
}

const moved = ({ score, original }: Change): number => Math.abs(score - original);

const above = (better: number, worse: number): number =>
  Math.abs(better - worse) < SAME ? 0.5 : Number(better > worse);

const p90 = (values: readonly number[]): number =>
  quantileSorted(
    [...values].sort((a, b) => a - b),
    0.9,
  );

const meanOfKnown = (values: readonly number[]): number => mean(values.filter((value) => !Number.isNaN(value)));

const problemsOf = (changes: readonly Change[]): number => new Set(changes.map(({ row }) => row.task_id)).size;

/** The changes of each kind, with kinds in order of first appearance, then all changes. */
function byKind(changes: readonly Change[]): [string, Change[]][] {
  if (changes.length === 0) return [];
  const groups = [...groupRows(changes.map(({ row }) => row.kind))];
  return [...groups.map(([kind, at]): [string, Change[]] => [kind, at.map((i) => changes[i]!)]), ["all", [...changes]]];
}

function bounded(
  changes: readonly Change[],
  values: readonly number[],
  statistic: (values: number[]) => number,
  seed: number,
): Estimated {
  const { estimate, low, high } = bootstrapByCluster(
    changes.map(({ row }) => row.task_id),
    (chosen) => statistic(Array.from(chosen, (i) => values[i]!)),
    { seed, resamples: RESAMPLES, level: LEVEL },
  );
  return { value: orNull(estimate), low: orNull(low), high: orNull(high) };
}
