/**
 * Fits how what running shows, and what a text says, become one score (score/joined.ts): labelled programs are run as `score --run`
 * runs them, on more and more inputs. Forests learn from all problems; what a text counts, and how far scores miss, is found on problems
 * that the texts' model was not trained on.
 */
import type { Executor } from "../../execute/types.ts";
import {
  type Checked,
  FEATURES,
  featuresOf,
  GROUPS,
  groupOf,
  type JoinedFile,
  observeTask,
  type Shown,
  scoreOf,
  type TextScorer,
} from "../../score/index.ts";
import { groupRows } from "../../statistics/index.ts";
import { boost, type Forest, meanOf, type Nodes } from "../../trees/index.ts";
import type { InputFormat, LabelledRow, ScoreInput } from "../../types.ts";
import { startProgress } from "../../util/progress.ts";
import { fitCalibration } from "./calibrate.ts";

/** What was known of a labelled program after so many inputs. */
export interface BehaviourRow {
  readonly problem: string;
  readonly shown: Shown;
  readonly passRatio: number;
  readonly executable: 0 | 1;
  readonly weight: number;
}

export interface ObserveOptions {
  readonly executor: Executor;
  /** Scores texts where running shows too little; null: half for each, where texts do not matter. */
  readonly text: TextScorer | null;
  readonly format: InputFormat;
  /** Programs are looked at after so many inputs; the last is how many there are. */
  readonly counts: readonly number[];
  readonly seed: number;
}

/** Tasks that are run at a time. */
const WINDOW = 24;
/** A mutant of a reference is like no program of a model; it counts this much. */
const MUTANT_WEIGHT = 0.5;

const HALF: TextScorer = {
  signatureOf: () => "",
  scoreAll: async (rows, { format }) => rows.map(() => ({ score: 0.5, exec: 0.5, format, signature: "" })),
};

/** Runs the programs of each task and reference together. Rows without a label, and those that cannot be run here, are left out. */
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

type Forests = Record<"exec" | "pass", Forest>;

const TREES = { trees: 80, leaves: 12, leastRows: 60, ridge: 10, featureShare: 0.7 } as const;

/**
 * The joined model. `rows` teach the forests, which see no texts; `kept` are of problems that the texts' model was not trained on, with
 * their texts' scores: they say what texts count, and with `rows` of enough evidence how wide intervals are.
 */
export function fitJoined(rows: readonly BehaviourRow[], kept: readonly BehaviourRow[]): JoinedFile {
  const all = [...rows, ...kept];
  const text = fitText(kept);
  const isKept = new Set(kept);
  const groups = GROUPS.map((group) => {
    const own = all.filter((row) => {
      const isOpen = row.shown.text === null || isKept.has(row);
      return isOpen && row.weight === 1 && groupOf(row.shown.evidence, row.shown.about) === group;
    });
    const scored = own.map(({ problem, passRatio, executable, shown }) => {
      return { problem, passRatio, executable, score: scoreOf(shown, text), exec: 0 };
    });
    return [group, fitCalibration(scored, "none", { narrowest: true })] as const;
  });
  const forests = grow(all);
  return {
    version: 1,
    features: FEATURES,
    text,
    forests: { exec: nodesOf(forests.exec), pass: nodesOf(forests.pass) },
    groups: Object.fromEntries(groups) as JoinedFile["groups"],
  };
}

function grow(rows: readonly BehaviourRow[]): Forests {
  const vectors = rows.map(({ shown }) => featuresOf(shown.evidence, shown.about));
  const features = FEATURES.map((_, k) => Float64Array.from(vectors, (vector) => vector[k]!));
  const weights = Float64Array.from(rows, ({ weight }) => weight);
  const forest = (target: (row: BehaviourRow) => number): Forest => {
    const targets = Float64Array.from(rows, target);
    return meanOf([1, 2].map((seed) => boost({ features, targets, weights }, { ...TREES, seed })));
  };
  return { exec: forest(({ executable }) => executable), pass: forest(({ passRatio }) => Number(passRatio === 1)) };
}

/** What a text counts: of a grid what leaves the least squared error. */
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

/** Rounded for the file, which is text: what is left is more than trees know. */
function nodesOf({ feature, value, right }: Forest): Nodes {
  return { feature: [...feature], value: [...value].map((one) => Number(one.toPrecision(5))), right: [...right] };
}
