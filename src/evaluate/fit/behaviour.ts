/**
 * Fits the model that joins behaviour (what running shows) and the text's score into one score (score/joined.ts). Labelled
 * programs are run as `score --run` runs them, on more and more inputs. The forests learn from all problems. The weight of a text
 * is fitted on problems that the text model was not trained on. The size of errors is fitted on these and on programs whose
 * behaviour shows enough without their text.
 */
import type { Executor } from "../../execute/types.ts";
import {
  type Checked,
  COVERAGES,
  type EvidenceGroup,
  FEATURES,
  featuresOf,
  GROUPS,
  groupOf,
  type JoinedFile,
  observeTask,
  reachOf,
  type Shown,
  scoreOf,
  spreadFeatures,
  TELLING_GROUPS,
  type TextScorer,
} from "../../score/index.ts";
import { clusterQuantile, groupRows } from "../../statistics/index.ts";
import { boost, type Forest, meanOf, type Nodes, predict } from "../../trees/index.ts";
import type { InputFormat, LabelledRow, ScoreInput } from "../../types.ts";
import { startProgress } from "../../util/progress.ts";
import { folds, LEAST, sourceOf } from "./calibrate.ts";
import { passRatiosNear } from "./pass-ratios.ts";

/** What was known about a labelled program after some number of inputs. */
export interface BehaviourRow {
  readonly problem: string;
  readonly shown: Shown;
  readonly passRatio: number;
  readonly executable: 0 | 1;
  readonly weight: number;
}

export interface ObserveOptions {
  readonly executor: Executor;
  /** Scores texts of programs whose behaviour shows too little. Null: 0.5 for each, for fits in which texts do not matter. */
  readonly text: TextScorer | null;
  readonly format: InputFormat;
  /** Numbers of inputs after which programs are looked at. The last one is the total number of inputs. */
  readonly counts: readonly number[];
  readonly seed: number;
}

/** Maximum number of tasks run at the same time. */
const WINDOW = 24;
/** Weight of a mutant. It is low because a mutant of a reference does not resemble a model's program. */
const MUTANT_WEIGHT = 0.5;

const HALF: TextScorer = {
  signatureOf: () => "",
  scoreAll: async (rows, { format }) => rows.map(() => ({ score: 0.5, exec: 0.5, format, signature: "" })),
};

/** Runs the programs of each task and reference together. Leaves out rows without a label and rows that cannot be run here. */
export async function observeBehaviour(
  rows: readonly LabelledRow[],
  { executor, text, format, counts, seed }: ObserveOptions,
): Promise<BehaviourRow[]> {
  const usable = rows.filter(
    ({ pass_ratio, executable, reference, description }) =>
      pass_ratio !== null &&
      executable !== null &&
      (format === "nl" || reference) &&
      (format === "ref" || description?.trim()),
  );
  const keys = usable.map(({ task_id, reference }) => JSON.stringify([task_id, format === "nl" ? null : reference]));
  const groups = [...groupRows(keys).values()];
  const bar = startProgress({ label: `run ${format}`, total: usable.length, unit: "programs" });
  const found = new Array<BehaviourRow[]>(groups.length);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let g = next++; g < groups.length; g = next++) {
      const members = groups[g]!.map((i) => usable[i]!);
      const inputs = members.map((row) => inputOf(row, format));
      const task = {
        reference: inputs[0]!.reference ?? null,
        description: inputs[0]!.description ?? null,
        entryPoint: null,
        rows: inputs.map((row): Checked => ({ row, format, notes: [], isRead: true })),
      };
      const rounds = await observeTask(task, counts, { executor, text: text ?? HALF, inputs: counts.at(-1)!, seed });
      found[g] = rounds.flatMap((round) => round.flatMap((shown, i) => rowOf(members[i]!, shown)));
      bar.tick(members.length);
    }
  };
  await Promise.all(Array.from({ length: WINDOW }, work));
  bar.done();
  return found.flat();
}

const inputOf = ({ candidate, reference, description }: LabelledRow, format: InputFormat): ScoreInput => ({
  candidate,
  reference: format === "nl" ? null : reference,
  description: format === "ref" ? null : description,
});

function rowOf(
  { task_id: problem, pass_ratio, executable, made_by }: LabelledRow,
  shown: Awaited<ReturnType<typeof observeTask>>[number][number],
): BehaviourRow[] {
  if (!("evidence" in shown)) return [];
  const weight = made_by.startsWith("mutant") ? MUTANT_WEIGHT : 1;
  return [{ problem, shown, passRatio: pass_ratio!, executable: executable!, weight }];
}

const TREES = { trees: 80, leaves: 12, leastRows: 60, ridge: 10, featureShare: 0.7 } as const;
/** For the size of errors, which 80 trees do not learn well enough. */
const SPREAD_TREES = { ...TREES, trees: 160 } as const;
const FOLDS = 5;
/**
 * Minimum number of problems of a source. Smaller ones (of contests, for example) are merged, because few problems do not show
 * what holds for nine in ten.
 */
const LEAST_OF_SOURCE = 50;
/**
 * Share of the misses that a coverage allows, which an interval without a reference may use up on our problems. The rest is for new sources: with
 * the worst of ours alone, 90% intervals held 87% on two of three sets (models/LOG.md, 2026-11-27).
 */
const MISSES_WITHOUT_REFERENCE = 0.8;
const WITHOUT_REFERENCE: readonly EvidenceGroup[] = ["examples", "samples", "little"];

/**
 * Fits the joined model. `rows` train the forests, which do not see texts. `kept` belong to problems that the text model was not trained on, and
 * have text scores. They determine the weight of texts and, together with `rows` of enough evidence, the size of errors.
 * With a reference and many inputs, an interval is the shortest that holds programs with similar scores (score/intervals.ts). Other intervals
 * reach as far as the forests expect, times a factor per group of evidence (locally weighted conformal prediction, Lei et al. 2018). The
 * factor is found on each source of problems, with forests grown on the other sources, because users have a new source. The worst source
 * counts.
 */
export function fitJoined(rows: readonly BehaviourRow[], kept: readonly BehaviourRow[]): JoinedFile {
  const all = [...rows, ...kept];
  const text = fitText(kept);
  const isKept = new Set(kept);
  const seen = all
    .filter((row) => (row.shown.text === null || isKept.has(row)) && row.weight === 1)
    .map(({ problem, passRatio, shown }): Seen => {
      const { evidence, about } = shown;
      const score = scoreOf(shown, text);
      const features = spreadFeatures(score, featuresOf(evidence, about));
      return { problem, passRatio, score, features, group: groupOf(evidence, about) };
    });
  const vectors = all.map(({ shown }) => featuresOf(shown.evidence, shown.about));
  const weights = all.map(({ weight }) => weight);
  const forest = (target: (row: BehaviourRow) => number): Forest => grow(vectors, all.map(target), weights, TREES);
  const { below, above } = growSpread(seen);
  return {
    version: 3,
    features: FEATURES,
    text,
    forests: {
      exec: nodesOf(forest(({ executable }) => executable)),
      pass: nodesOf(forest(({ passRatio }) => Number(passRatio === 1))),
      below: nodesOf(below),
      above: nodesOf(above),
    },
    reach: reachByGroup(seen),
    passRatios: passRatiosByGroup(all),
  };
}

/** For evidence from a reference and many inputs. Leaves out mutants, and programs that Python cannot compile: their scores are certain. */
export function passRatiosByGroup(rows: readonly BehaviourRow[]): JoinedFile["passRatios"] {
  const ran = rows.filter(({ shown, weight }) => weight === 1 && !shown.isBroken);
  return Object.fromEntries(
    TELLING_GROUPS.map((group) => {
      const own = ran.filter(({ shown }) => groupOf(shown.evidence, shown.about) === group);
      return [group, passRatiosNear(own.map((row) => ({ ...row, score: row.shown.evidence.agree! })))];
    }),
  ) as JoinedFile["passRatios"];
}

/** A program, its evidence, and its label. */
interface Seen {
  readonly problem: string;
  readonly passRatio: number;
  readonly score: number;
  readonly features: Float64Array;
  readonly group: EvidenceGroup;
}

function growSpread(rows: readonly Seen[]): Record<"below" | "above", Forest> {
  const vectors = rows.map(({ features }) => features);
  const weights = rows.map(() => 1);
  const side = (miss: (row: Seen) => number): Forest =>
    grow(
      vectors,
      rows.map((row) => Math.max(0, miss(row))),
      weights,
      SPREAD_TREES,
    );
  return {
    below: side(({ score, passRatio }) => score - passRatio),
    above: side(({ score, passRatio }) => passRatio - score),
  };
}

function reachByGroup(rows: readonly Seen[]): JoinedFile["reach"] {
  const bySource = [...groupRows(rows.map(({ problem }) => sourceOf(problem))).values()].map((places) =>
    places.map((i) => rows[i]!),
  );
  const isLarge = (part: readonly Seen[]): boolean => countProblems(part) >= LEAST_OF_SOURCE;
  const parts = [...bySource.filter(isLarge), bySource.filter((part) => !isLarge(part)).flat()].filter(
    (part) => part.length > 0,
  );
  const checked = (parts.length > 1 ? parts : folds(rows, FOLDS)).flatMap((part, source, all) => {
    const forests = growSpread(all.filter((other) => other !== part).flat());
    return part.map((row) => {
      const [below, above] = [predict(forests.below, row.features), predict(forests.above, row.features)];
      return { ...row, source, reach: reachOf(row.score, row.passRatio, { below, above }) };
    });
  });
  return Object.fromEntries(
    GROUPS.map((group) => {
      const own = checked.filter((row) => row.group === group);
      const bySource = (parts.length > 1 ? parts : []).map((_, i) => own.filter(({ source }) => source === i));
      const misses = WITHOUT_REFERENCE.includes(group) ? MISSES_WITHOUT_REFERENCE : 1;
      const levels = COVERAGES.map((nominal) => {
        const coverage = 1 - misses * (1 - nominal);
        const reach = Math.max(
          quantileOf(own, coverage),
          // As observed, without the correction for few problems, which is already in the quantile of all.
          ...bySource.map((some) => {
            const count = countProblems(some);
            return count < LEAST.problems ? 0 : quantileOf(some, (coverage * count) / (count + 1));
          }),
        );
        return Number.isFinite(reach) ? Number(reach.toFixed(4)) : null;
      });
      return [group, levels];
    }),
  ) as unknown as JoinedFile["reach"];
}

const quantileOf = (rows: readonly { readonly problem: string; readonly reach: number }[], level: number): number =>
  clusterQuantile(
    rows.map(({ reach }) => reach),
    rows.map(({ problem }) => problem),
    level,
  );

const countProblems = (rows: readonly { readonly problem: string }[]): number =>
  new Set(rows.map(({ problem }) => problem)).size;

/** The mean of two forests with different seeds. */
function grow(
  vectors: readonly Float64Array[],
  targets: readonly number[],
  weights: readonly number[],
  options: typeof TREES | typeof SPREAD_TREES,
): Forest {
  const features = Array.from(vectors[0]!, (_, k) => Float64Array.from(vectors, (vector) => vector[k]!));
  const table = { features, targets: Float64Array.from(targets), weights: Float64Array.from(weights) };
  return meanOf([1, 2].map((seed) => boost(table, { ...options, seed })));
}

/** The weight of texts, chosen from a grid for the least squared error. */
function fitText(rows: readonly BehaviourRow[]): JoinedFile["text"] {
  const grid = [0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12];
  const least = (some: readonly BehaviourRow[]): number => {
    const errors = grid.map((at) =>
      some.reduce((sum, { shown, passRatio, weight }) => {
        return sum + weight * (scoreOf(shown, { inputs: at, witnesses: at }) - passRatio) ** 2;
      }, 0),
    );
    return grid[errors.indexOf(Math.min(...errors))]!;
  };
  const read = rows.filter(({ shown }) => shown.text !== null);
  return {
    inputs: least(read.filter(({ shown }) => shown.evidence.agree !== null)),
    witnesses: least(read.filter(({ shown }) => shown.evidence.agree === null)),
  };
}

/** The nodes for the file, which is text. Values are rounded; the trees are less precise than that. */
function nodesOf({ feature, value, right }: Forest): Nodes {
  return { feature: [...feature], value: [...value].map((one) => Number(one.toPrecision(5))), right: [...right] };
}
