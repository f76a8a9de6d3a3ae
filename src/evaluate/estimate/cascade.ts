/**
 * The cascade executes a program only if the scorer is unsure about it. This file measures benefit against cost, compared with a
 * random choice and with an oracle that knows which scores are wrong (selective prediction, El-Yaniv and Wiener 2010).
 * An executed program's decision is right and its value is its PassRatio. The others keep what their score says. For the decision
 * "passes all tests" the scores nearest to the threshold are the doubtful ones; for the value, those nearest to 0.5
 * (statistics/cascade.ts). Without a given threshold, a random pilot of programs is executed first, and the threshold with the
 * most right decisions on it is taken. The pilot counts as executed under every policy.
 */

import { CodescoreError } from "../../errors.ts";
import type { Table } from "../../report/tables.ts";
import {
  byDoubt,
  decisionThreshold,
  MIDDLE,
  mean,
  meanAbsoluteError,
  orNull,
  spearman,
} from "../../statistics/index.ts";
import type { LabelledRow } from "../../types.ts";
import { counted } from "../../util/counted.ts";
import { Random } from "../../util/random.ts";
import type { ScoreColumn } from "../measure/columns.ts";
import { selectUsable } from "../measure/usable.ts";

export interface CascadeOptions {
  readonly rows: readonly LabelledRow[];
  readonly column: ScoreColumn;
  /** Programs with at least this score are taken to pass. @default chosen on a pilot of 5% of the programs, drawn at random */
  readonly threshold?: number;
  /** Seed of the pilots and of the random choice. @default 1 */
  readonly seed?: number;
}

export type Policy = "unsure" | "random" | "oracle";

export interface CascadePoint {
  /** Executed programs divided by all programs, in [0, 1]. */
  readonly share: number;
  /** Share of programs with a right decision whether they pass all tests. */
  readonly accuracy: number;
  /** Mean of |value - PassRatio|. */
  readonly mae: number;
  /** Spearman's r_s of values and PassRatios; null if one of them is constant. */
  readonly spearman: number | null;
}

export interface CascadeCurve {
  readonly policy: Policy;
  /** Rising shares in steps of 0.05 up to 1. They begin at 0 with a given threshold, otherwise at the pilot's share. */
  readonly points: readonly CascadePoint[];
}

export interface CascadeResult {
  readonly name: string;
  readonly signature: string | null;
  readonly programs: number;
  readonly tasks: number;
  /** The given threshold, or the mean of those chosen on the pilots; null if on some pilot calling no program passing was best. */
  readonly threshold: number | null;
  readonly picked: boolean;
  readonly seed: number;
  /** Number of random drawings that the points are averaged over. */
  readonly drawings: number;
  /** `unsure`, `random`, `oracle`. The oracle executes wrong decisions first; for values, the largest errors. */
  readonly curves: readonly CascadeCurve[];
  /** Position of `unsure` between `random` (0) and `oracle` (1), by the areas under the curves; null if these two areas are equal. */
  readonly gain: { readonly accuracy: number | null; readonly mae: number | null; readonly spearman: number | null };
}

/** Share of the programs that is executed to choose a threshold. */
const PILOT = 0.05;
const STEPS = 20;
const DRAWINGS = 10;
const POLICIES: readonly Policy[] = ["unsure", "random", "oracle"];

/** Leaves out rows without a label or a score. Throws `CodescoreError("input")` if columns do not fit the rows, "usage" for a bad threshold. */
export function cascade({ rows, column, threshold, seed = 1 }: CascadeOptions): CascadeResult {
  const { counts, columns, passRatios, passesAll } = selectUsable(rows, [column]);
  const { name, signature, scores } = columns[0]!;
  if (threshold !== undefined && !Number.isFinite(threshold)) {
    throw new CodescoreError("usage", `expected a threshold that is a number, got ${threshold}`);
  }
  const data = { scores, passRatios, passesAll };
  const random = new Random(seed);
  const drawn = Array.from({ length: DRAWINGS }, () => {
    const order = random.shuffle([...scores.keys()]);
    const pilot = threshold === undefined ? order.slice(0, Math.max(1, Math.round(PILOT * scores.length))) : [];
    const picked =
      threshold ??
      decisionThreshold(
        pilot.map((i) => scores[i]!),
        pilot.map((i) => passesAll[i]!),
      );
    return { picked, curves: POLICIES.map((policy) => walk(data, policy, { order, pilot, threshold: picked })) };
  });
  const curves = POLICIES.map((policy, p) => ({ policy, points: averaged(drawn.map((one) => one.curves[p]!)) }));
  const thresholds = drawn.map(({ picked }) => picked);
  return {
    name,
    signature,
    programs: counts.used,
    tasks: counts.tasks,
    threshold: thresholds.every(Number.isFinite) ? mean(thresholds) : null,
    picked: threshold === undefined,
    seed,
    drawings: DRAWINGS,
    curves,
    gain: {
      accuracy: gain(curves, ({ accuracy }) => accuracy),
      mae: gain(curves, ({ mae }) => mae),
      spearman: gain(curves, (point) => point.spearman),
    },
  };
}

interface Data {
  readonly scores: readonly number[];
  readonly passRatios: readonly number[];
  readonly passesAll: readonly boolean[];
}

interface Drawing {
  /** All programs in random order. */
  readonly order: readonly number[];
  /** Programs that are executed before any other is chosen. */
  readonly pilot: readonly number[];
  readonly threshold: number;
}

function walk(data: Data, policy: Policy, { order, pilot, threshold }: Drawing): CascadePoint[] {
  const { scores, passRatios, passesAll } = data;
  const isWrong = scores.map((score, i) => score >= threshold !== passesAll[i]);
  const errors = scores.map((score, i) => Math.abs(score - passRatios[i]!));
  const most = (values: readonly number[]): number[] => [...values.keys()].sort((a, b) => values[b]! - values[a]!);
  const first = new Set(pilot);
  const after = (rest: readonly number[]): number[] => [...pilot, ...rest.filter((row) => !first.has(row))];
  // An infinite threshold calls no program passing. Then the highest scores are the nearest to it.
  const near = Number.isFinite(threshold) ? threshold : Math.max(...scores);
  const forDecision = after(
    {
      unsure: () => byDoubt(scores, near),
      random: () => [...order],
      oracle: () => most(isWrong.map(Number)),
    }[policy](),
  );
  const forValue = after(
    {
      unsure: () => byDoubt(scores, MIDDLE),
      random: () => [...order],
      oracle: () => most(errors),
    }[policy](),
  );
  const shares = Array.from({ length: STEPS + 1 }, (_, i) => i / STEPS).filter(
    (s) => s * scores.length >= pilot.length - 1,
  );
  return shares.map((share) => {
    const count = Math.max(pilot.length, Math.round(share * scores.length));
    const decided = new Set(forDecision.slice(0, count));
    const known = new Set(forValue.slice(0, count));
    const values = scores.map((score, i) => (known.has(i) ? passRatios[i]! : score));
    return {
      share,
      accuracy: mean(isWrong.map((wrong, i) => Number(!wrong || decided.has(i)))),
      mae: meanAbsoluteError(values, passRatios),
      spearman: orNull(spearman(values, passRatios)),
    };
  });
}

/** The mean over drawings at each point. */
function averaged(walks: readonly (readonly CascadePoint[])[]): CascadePoint[] {
  return walks[0]!.map(({ share }, i) => {
    const points = walks.map((walked) => walked[i]!);
    const correlations = points.flatMap((point) => (point.spearman === null ? [] : [point.spearman]));
    return {
      share,
      accuracy: mean(points.map(({ accuracy }) => accuracy)),
      mae: mean(points.map(({ mae }) => mae)),
      spearman: correlations.length === points.length ? mean(correlations) : null,
    };
  });
}

function gain(curves: readonly CascadeCurve[], of: (point: CascadePoint) => number | null): number | null {
  // The shares are evenly spaced and the curves end equal, so means can stand for areas.
  const areas = curves.map(({ points }) => mean(points.flatMap((point) => of(point) ?? [])));
  const [unsure, chance, oracle] = areas as [number, number, number];
  return Math.abs(oracle - chance) < 1e-12 ? null : orNull((unsure - chance) / (oracle - chance));
}

/** One row per executed share: each measure if the doubtful programs are executed, random ones, or those of the oracle. */
export function cascadeTable({ curves }: CascadeResult): Table {
  const columns = [
    { label: "share executed", digits: 2 },
    ...(["accuracy", "MAE", "r_s"] as const).flatMap((measure) =>
      curves.map(({ policy }) => ({ label: `${measure} ${policy}` })),
    ),
  ];
  const rows = curves[0]!.points.map(({ share }, i) => [
    share,
    ...curves.map(({ points }) => points[i]!.accuracy),
    ...curves.map(({ points }) => points[i]!.mae),
    ...curves.map(({ points }) => points[i]!.spearman),
  ]);
  return { columns, rows };
}

/** Describes in a few sentences what was measured on what. */
export function describeCascade({ programs, tasks, threshold, picked, drawings, gain, seed }: CascadeResult): string[] {
  const from = threshold === null ? "above all scores in some pilots" : threshold.toFixed(3);
  const percent = (value: number | null): string => (value === null ? "-" : `${(100 * value).toFixed(0)}%`);
  return [
    `${counted(programs, "program")} of ${counted(tasks, "task")}. A share of them is executed; the others keep their score. accuracy: share of right predictions whether a program passes all tests; threshold ${from}${picked ? ", picked on pilots of 5% drawn at random (mean)" : ""}.`,
    "Executed first: unsure: the scores nearest to the threshold (for MAE and r_s: nearest to 0.5); random: programs drawn at random; oracle: where the score is wrong.",
    `Improvement of unsure over random, as a share of the oracle's: accuracy ${percent(gain.accuracy)}, MAE ${percent(gain.mae)}, r_s ${percent(gain.spearman)}. Means of ${drawings} drawings, seed ${seed}.`,
  ];
}
