/**
 * The similarities by name:
 * - the metrics of text
 * - `pass`, which runs the problem's tests
 * - `codescore`, which reads both programs, and `behaviour`, which runs them on generated inputs; the caller passes these two in
 * - `calls`, for a project
 * - `hybrid`, which runs programs only if `codescore` is unsure
 *
 * To add one, implement `SignedSimilarity` and enter it in `SIMILARITIES` with its needs.
 */

import { CodescoreError } from "../../errors.ts";
import type { Executor } from "../../execute/index.ts";
import { getMetric, type MetricOptions, metricNames, scorePairs } from "../../metrics/index.ts";
import type { Problem, Similarity, SimilarityPair } from "../../types.ts";
import { counted } from "../../util/counted.ts";

/** A similarity with a signature that tells its versions apart. Without a signature its name serves. */
export interface SignedSimilarity extends Similarity {
  readonly signature?: string;
  /** If present, await it before reading the signature. Some signatures depend on a file. */
  prepare?(): Promise<void>;
  /** The value from which it counts as yes, unless the caller says otherwise. @default that of `yesNoThresholds`, if any */
  readonly threshold?: number;
  /** Whether it values empty candidates itself, because it has no value for some problems. @default false: an empty candidate gets 0 */
  readonly takesEmpty?: boolean;
  /** Notes for the user about the pairs compared so far, one line each. */
  notes?(): readonly string[];
}

export interface SimilarityContext {
  /** For `codescore` and `hybrid`. */
  readonly codescore?: SignedSimilarity;
  /** For `behaviour`, and for `hybrid` on problems without tests. See `behaviourSimilarity` (score/). */
  readonly behaviour?: SignedSimilarity;
  /** `hybrid` runs programs whose score lies strictly between these two. @default [0.2, 0.8] */
  readonly unsure?: readonly [low: number, high: number];
  /** For `calls`: replays the calls that a project's tests made (rtc/synthesis/calls.ts). */
  readonly calls?: SignedSimilarity;
  /** Replaces `pass` if candidates are judged by other tests than a problem's. */
  readonly pass?: SignedSimilarity;
  /** For `pass`. The caller closes it. */
  readonly executor?: Executor;
  /** For `pass`: the problems by id. */
  readonly problems?: ReadonlyMap<string, Problem>;
  /** Whether `pass` gives the share of passed tests instead of 1 for all and 0 otherwise. @default false */
  readonly ratio?: boolean;
  /** Options of metrics. */
  readonly metrics?: MetricOptions;
}

/** What a similarity needs besides the pairs: a scorer, a sandbox for programs without tests, problems with runnable tests. */
export type SimilarityNeed = "scorer" | "sandbox" | "tests";

interface Entry {
  readonly needs: readonly SimilarityNeed[];
  /** Set if the values are 0 or 1: the value from which they count as yes, unless the caller says otherwise. */
  readonly yesFrom?: number;
  readonly open: (context: SimilarityContext) => SignedSimilarity;
}

const SIMILARITIES: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  ["codescore", { needs: ["scorer"], open: (context) => scored("codescore", context) }],
  ["behaviour", { needs: ["scorer", "sandbox"], open: behaviourOf }],
  ["pass", { needs: ["tests"], yesFrom: 1, open: (context) => passOf("pass", context) }],
  ["calls", { needs: ["tests"], yesFrom: 1, open: callsOf }],
  ["hybrid", { needs: ["scorer", "sandbox"], open: hybridSimilarity }], // also tests, if there are any
  ...metricNames.map((name): [string, Entry] => [
    name,
    { needs: [], ...(name === "exact" && { yesFrom: 1 }), open: (context) => metricSimilarity(name, context) },
  ]),
]);

/** The names that `openSimilarity` accepts. */
export const similarityNames: readonly string[] = [...SIMILARITIES.keys()];

/** What a similarity needs from its context. @throws `CodescoreError("usage")` for an unknown name */
export const similarityNeeds = (name: string): readonly SimilarityNeed[] => entryOf(name).needs;

/** For each similarity with values 0 or 1: the value from which it counts as yes. */
export const yesNoThresholds: Readonly<Record<string, number>> = Object.fromEntries(
  [...SIMILARITIES].flatMap(([name, { yesFrom }]) => (yesFrom === undefined ? [] : [[name, yesFrom]])),
);

function entryOf(name: string): Entry {
  const entry = SIMILARITIES.get(name);
  if (entry !== undefined) return entry;
  throw new CodescoreError("usage", `unknown similarity \`${name}\`; expected one of ${similarityNames.join(", ")}`);
}

/**
 * Opens a similarity by name. A value that cannot be computed (no runnable test, a failed harness) is NaN.
 * @throws `CodescoreError("usage")` for an unknown name, or if the context lacks what it needs
 */
export const openSimilarity = (name: string, context: SimilarityContext = {}): SignedSimilarity =>
  entryOf(name).open(context);

function metricSimilarity(name: string, context: SimilarityContext): SignedSimilarity {
  if (context.metrics?.idf) {
    throw new CodescoreError("usage", "`idf` weighs a pair by all others; a similarity compares each pair alone");
  }
  const metric = getMetric(name, context.metrics);
  return {
    name,
    get signature() {
      return metric.signature;
    },
    prepare: async () => metric.prepare?.(),
    compare: (pairs) => scorePairs(metric, pairs),
    notes: () => (metric.scoreAll && metric.notes?.()) ?? [],
  };
}

function scored(name: string, { codescore }: SimilarityContext): SignedSimilarity {
  if (codescore) return codescore;
  throw new CodescoreError("usage", `the similarity \`${name}\` needs a scorer`);
}

function behaviourOf({ behaviour }: SimilarityContext): SignedSimilarity {
  if (behaviour) return behaviour;
  throw new CodescoreError("usage", "the similarity `behaviour` needs a scorer and an executor, and whole programs");
}

function callsOf({ calls }: SimilarityContext): SignedSimilarity {
  if (calls) return calls;
  throw new CodescoreError("usage", "the similarity `calls` is for the spans of a project (--project)");
}

/**
 * The score if it is sure, otherwise the result of running: the problem's tests if any can run, otherwise `behaviour`. A band of
 * scores decides each pair alone. A share of pairs to execute would make a pair's value depend on the other pairs.
 */
function hybridSimilarity(context: SimilarityContext): SignedSimilarity {
  const [low, high] = context.unsure ?? [0.2, 0.8];
  if (!(low >= 0 && low <= high && high <= 1)) {
    throw new CodescoreError(
      "usage",
      `expected \`unsure\` as two scores in [0, 1], the lower first, got ${low}, ${high}`,
    );
  }
  const score = scored("hybrid", context);
  const { behaviour } = context;
  const hasTests = context.pass !== undefined || (context.executor !== undefined && context.problems !== undefined);
  const pass = hasTests || !behaviour ? passOf("hybrid", context) : null;
  const parts = [score, pass, behaviour].filter((part) => part !== null && part !== undefined);
  const ran = { compared: 0, tests: 0, behaviour: 0 };
  /** The value of the tests, or of `behaviour` if the tests have none. */
  const run = async (pairs: readonly SimilarityPair[]): Promise<number[]> => {
    const values = pass ? await pass.compare(pairs) : pairs.map(() => Number.NaN);
    const untested = [...pairs.keys()].filter((i) => Number.isNaN(values[i]));
    ran.tests += pairs.length - untested.length;
    if (!behaviour || untested.length === 0) return values;
    const others = await behaviour.compare(untested.map((i) => pairs[i]!));
    untested.forEach((i, k) => {
      values[i] = others[k]!;
    });
    ran.behaviour += others.filter((value) => !Number.isNaN(value)).length;
    return values;
  };
  return {
    name: "hybrid",
    threshold: high,
    get signature() {
      return `hybrid|unsure:${low}-${high}|${parts.map(({ name, signature }) => signature ?? name).join("|")}`;
    },
    prepare: async () => {
      for (const part of parts) await part.prepare?.();
    },
    compare: async (pairs) => {
      const values = await score.compare(pairs);
      const doubtful = [...pairs.keys()].filter((i) => !(values[i]! <= low || values[i]! >= high));
      const verdicts = doubtful.length === 0 ? [] : await run(doubtful.map((i) => pairs[i]!));
      doubtful.forEach((row, i) => {
        values[row] = verdicts[i]!;
      });
      ran.compared += pairs.length;
      return values;
    },
    notes: () =>
      ran.compared === 0
        ? []
        : [
            `hybrid ran ${ran.tests + ran.behaviour} of the ${counted(ran.compared, "program")} it compared: ${ran.tests} on tests, ${ran.behaviour} on generated inputs`,
            ...(behaviour?.notes?.() ?? []),
          ],
  };
}

function passOf(asked: string, { pass, executor, problems, ratio = false }: SimilarityContext): SignedSimilarity {
  if (pass) return pass;
  if (!executor || !problems) {
    throw new CodescoreError(
      "usage",
      `the similarity \`${asked}\` needs an executor and the problems with their tests`,
    );
  }
  const without = new Map<string, string>();
  return {
    name: "pass",
    takesEmpty: true,
    signature: `pass|${ratio ? "ratio" : "all"}|sandbox:${executor.sandbox}|python:${executor.python}`,
    compare: (pairs) =>
      Promise.all(
        pairs.map(async ({ candidate, problemId }) => {
          const problem = problemId === undefined ? undefined : problems.get(problemId);
          if (!problem) throw new CodescoreError("usage", `\`pass\` knows no problem \`${problemId ?? "(none)"}\``);
          const { passRatio, reason } = await executor.execute(problem, candidate);
          if (passRatio === null) {
            without.set(problem.id, reason ?? "the problem has no test cases");
            return Number.NaN;
          }
          if (candidate === "") return 0; // no code came back; a test that expects no output could still pass
          return ratio ? passRatio : Number(passRatio === 1);
        }),
      ),
    notes: () =>
      [...without]
        .slice(0, 1)
        .map(([id, why]) => `pass has no verdict on ${counted(without.size, "problem")}: ${id}: ${why}`),
  };
}
