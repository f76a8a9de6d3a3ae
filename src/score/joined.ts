/**
 * The score and interval from the evidence of running, and from the text if that evidence is thin. With a reference, the score is the
 * weighted share of inputs on which the candidate agrees. Without one, it is the mean of the share of examples passed and the agreement
 * with other samples. The rest is fitted on problems of `train-mix` (scripts/fit-behaviour.ts) and stored in `models/behaviour.json`.
 */
import { readFile } from "node:fs/promises";
import type { Evidence } from "../behaviour/index.ts";
import { CodescoreError, messageOf } from "../errors.ts";
import { type Forest, forestOf, type Nodes, predict } from "../trees/forest.ts";
import type { Score } from "../types.ts";
import { sha256 } from "../util/files.ts";
import { shippedFile } from "../util/shipped.ts";
import { COVERAGES, coverageIndex, type IntervalOptions } from "./calibration.ts";
import { type Interval, isPassRatios, type PassRatios, shortestIntervals } from "./intervals.ts";

/** The prediction from the candidate's text, calibrated if the model has a calibration. */
export type TextScore = Pick<Score, "score" | "exec" | "cut">;

/** Facts about a candidate's task. */
export interface About {
  readonly candidates: number;
  /** See `TaskInputs.killed`. */
  readonly killed: number | null;
}

/** Stands for a missing value. */
const NONE = -1;

/** Names of the features, in order. */
export const FEATURES = [
  ...["agree", "usual", "inputs", "answered", "examples passed", "examples"],
  ...["samples", "cluster", "greatest cluster", "candidates", "variety", "killed"],
] as const;

export function featuresOf(evidence: Evidence, { candidates, killed }: About): Float64Array {
  const { agree, usual, inputs, answered, examples, samples, cluster, greatest, variety } = evidence;
  return Float64Array.of(
    agree ?? NONE,
    usual ?? NONE,
    Math.log2(1 + inputs),
    answered,
    examples.total === 0 ? NONE : examples.passed / examples.total,
    Math.min(4, examples.total),
    samples ?? NONE,
    cluster ?? NONE,
    greatest ?? NONE,
    Math.min(8, candidates),
    variety,
    killed ?? NONE,
  );
}

/**
 * With at least this many inputs, and without a reference more than this many candidates, the text adds nothing to the evidence of running
 * (models/LOG.md).
 */
const TELLING = { inputs: 20, others: 4 } as const;

/** Whether the text need not be scored. Scoring it takes as long as running. */
export function isTelling({ agree, inputs, samples }: Evidence, { candidates }: About): boolean {
  if (agree !== null) return inputs >= TELLING.inputs;
  return samples !== null && inputs >= TELLING.inputs && candidates > TELLING.others;
}

/** Kinds of thin evidence, each with its own interval width: with a reference by the number of inputs, without one by what replaces it. */
export const GROUPS = ["few inputs", "some inputs", "examples", "samples", "little"] as const;
/**
 * Kinds of evidence from a reference and many inputs. If the description shows no example, programs that agree on some inputs pass anything
 * from few tests to all: nothing says which inputs the task means.
 */
export const TELLING_GROUPS = ["examples and inputs", "many inputs"] as const;
type ThinGroup = (typeof GROUPS)[number];
type TellingGroup = (typeof TELLING_GROUPS)[number];
export type EvidenceGroup = ThinGroup | TellingGroup;
const SOME = 8;

export function groupOf(evidence: Evidence, about: About): EvidenceGroup {
  const { agree, inputs, examples } = evidence;
  if (agree === null) return examples.total > 0 ? "examples" : isTelling(evidence, about) ? "samples" : "little";
  if (!isTelling(evidence, about)) return inputs < SOME ? "few inputs" : "some inputs";
  return examples.total > 0 ? "examples and inputs" : "many inputs";
}

/** The evidence on a candidate that ran. */
export interface Shown {
  readonly evidence: Evidence;
  readonly about: About;
  /** Null if running showed enough. */
  readonly text: TextScore | null;
  /** The candidate is empty, or Python cannot compile it, so it passes nothing. @default false */
  readonly isBroken?: boolean;
}

const FORESTS = ["exec", "pass", "below", "above"] as const;
type ForestName = (typeof FORESTS)[number];

export interface JoinedFile {
  readonly version: 3;
  readonly features: readonly string[];
  /** Weight of the text's score: as a number of inputs if there is a reference, as a number of examples and other samples otherwise. */
  readonly text: { readonly inputs: number; readonly witnesses: number };
  /**
   * `exec` and `pass`: the probabilities to execute and to pass every test. `below` and `above`: the mean distance by which PassRatio lies
   * below or above the score; these two take the score as an extra first feature.
   */
  readonly forests: Readonly<Record<ForestName, Nodes>>;
  /** Factors on the interval's expected reach, for coverages 0.50, 0.51, ... 0.99. Null: only [0, 1] is wide enough. */
  readonly reach: Readonly<Record<ThinGroup, readonly (number | null)[]>>;
  /** The PassRatios of labelled programs with similar scores. Null if there were none, so only [0, 1] is wide enough. */
  readonly passRatios: Readonly<Record<TellingGroup, PassRatios | null>>;
}

export interface JoinedScore {
  readonly score: number;
  readonly low: number;
  readonly high: number;
  readonly exec: number;
  readonly pass: number;
  /** The interval is wider than requested. */
  readonly abstained?: true;
}

/** The score without an interval: the mean of the evidence of running and the text's score, weighted by their counts. */
export function scoreOf({ evidence, about, text }: Shown, counts: JoinedFile["text"]): number {
  const { agree, inputs, examples, samples } = evidence;
  if (agree !== null) return withText(agree, inputs, text, counts.inputs);
  const parts = [
    ...(examples.total > 0 ? [examples.passed / examples.total] : []),
    ...(samples === null ? [] : [samples]),
  ];
  const shown = parts.reduce((sum, part) => sum + part, 0) / Math.max(1, parts.length);
  const witnesses = examples.total + (samples === null ? 0 : about.candidates - 1);
  return withText(shown, witnesses, text, counts.witnesses);
}

function withText(shown: number, size: number, text: TextScore | null, counts: number): number {
  if (text === null) return shown;
  return size + counts === 0 ? text.score : (size * shown + counts * text.score) / (size + counts);
}

/** Added to the expected distance before the factor `reach`, because evidence that looks certain is not. */
const LEAST_REACH = 0.02;

/** Input of the forests `below` and `above`. */
export const spreadFeatures = (score: number, features: Float64Array): Float64Array =>
  Float64Array.of(score, ...features);

/**
 * The factor by which the expected reach must grow to include a PassRatio: the conformity score of locally weighted conformal prediction
 * (Lei et al. 2018, section 5.2), separately for each side.
 */
export function reachOf(
  score: number,
  passRatio: number,
  expected: { readonly below: number; readonly above: number },
): number {
  const [miss, side] =
    passRatio < score ? [score - passRatio, "below" as const] : [passRatio - score, "above" as const];
  return miss / (expected[side] + LEAST_REACH);
}

/** Turns the evidence into one score and interval. */
export class Joined {
  /** First 8 hexadecimal digits of the file's SHA-256: its name in signatures. */
  readonly name: string;
  readonly #text: JoinedFile["text"];
  readonly #forests: Readonly<Record<ForestName, Forest>>;
  /** Of `reach`, at the coverage. */
  readonly #reach: Readonly<Record<ThinGroup, number | null>>;
  readonly #intervals: Readonly<Record<TellingGroup, (score: number) => Interval>>;
  readonly #widest: number;

  /**
   * Throws `CodescoreError("model")` for a file of another version or a damaged one, and `CodescoreError("usage")` for a coverage out of
   * range.
   */
  constructor(
    name: string,
    { features, text, forests, reach, passRatios }: JoinedFile,
    { coverage = 0.9, abstain = 1 }: IntervalOptions = {},
  ) {
    this.name = name;
    this.#text = text;
    this.#widest = abstain;
    const index = coverageIndex(coverage);
    const refuse = (): never => {
      throw new CodescoreError("model", "models/behaviour.json is damaged or of another version: reinstall codescore");
    };
    if (features?.join() !== FEATURES.join() || forests === undefined) refuse();
    if (GROUPS.some((group) => reach?.[group]?.length !== COVERAGES.length)) refuse();
    const isTable = (table?: PassRatios | null): boolean =>
      table === null || (table !== undefined && isPassRatios(table));
    if (!TELLING_GROUPS.every((group) => isTable(passRatios?.[group]))) refuse();
    const forest = (name: ForestName): Forest => {
      const size = FEATURES.length + Number(name === "below" || name === "above");
      return (forests[name] && forestOf(forests[name], size)) ?? refuse();
    };
    this.#forests = recordOf(FORESTS, forest);
    this.#reach = recordOf(GROUPS, (group) => reach[group][index] ?? null);
    this.#intervals = recordOf(TELLING_GROUPS, (group) => {
      const table = passRatios[group];
      return table === null ? () => ANYTHING : shortestIntervals(table, coverage);
    });
  }

  static async load(intervals?: IntervalOptions): Promise<Joined> {
    const path = shippedFile("behaviour.json");
    const bytes = await readFile(path).catch((error: unknown) => {
      throw new CodescoreError("model", `cannot read ${path}: ${messageOf(error)}; reinstall codescore`, {
        cause: error,
      });
    });
    return new Joined(sha256(bytes).slice(0, 8), JSON.parse(bytes.toString()) as JoinedFile, intervals);
  }

  /** The interval without an upper bound: nothing is known of the program where its package is installed. Unchanged if there is no interval. */
  unbounded<Result extends Pick<Score, "low" | "high" | "abstained">>(result: Result): Result {
    const { low, high } = result;
    if (low === undefined || high === undefined) return result;
    return { ...result, high: 1, ...(1 - low > this.#widest && { abstained: true as const }) };
  }

  join(shown: Shown): JoinedScore {
    if (shown.isBroken) return { score: 0, low: 0, high: 0, exec: 0, pass: 0 };
    const { evidence, about } = shown;
    const features = featuresOf(evidence, about);
    const score = scoreOf(shown, this.#text);
    const exec = predict(this.#forests.exec, features);
    const pass = Math.min(predict(this.#forests.pass, features), score);
    const { low, high } = this.#interval(groupOf(evidence, about), score, features);
    const abstained = high - low > this.#widest ? { abstained: true as const } : {};
    return { score, low, high, exec, pass, ...abstained };
  }

  #interval(group: EvidenceGroup, score: number, features: Float64Array): Interval {
    if (isTellingGroup(group)) return this.#intervals[group](score);
    const reach = this.#reach[group];
    if (reach === null) return ANYTHING;
    const spread = spreadFeatures(score, features);
    const far = (side: "below" | "above"): number => reach * (predict(this.#forests[side], spread) + LEAST_REACH);
    return { low: Math.max(0, score - far("below")), high: Math.min(1, score + far("above")) };
  }
}

const ANYTHING: Interval = { low: 0, high: 1 };

const isTellingGroup = (group: EvidenceGroup): group is TellingGroup => TELLING_GROUPS.some((one) => one === group);

const recordOf = <Key extends string, Value>(keys: readonly Key[], value: (key: Key) => Value): Record<Key, Value> =>
  Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<Key, Value>;
