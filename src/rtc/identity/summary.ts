/** Sums chains up: Pass@1, SC_n, SSC_n, and how the similarities go with the Test Output Match (Min et al. 2024). */
import { kendallTauB, orNull, pearson, rocAuc } from "../../statistics/index.ts";
import type { Llm, LlmUsage } from "../llm/llm.ts";
import { type Agreement, agreement, type Estimate, estimate, rtcByProblem } from "../trip/arithmetic.ts";
import type { Compared } from "../trip/compare.ts";
import type { Failure } from "../trip/sample.ts";
import type { SignedSimilarity } from "../trip/similarity.ts";
import type { Chain, ChainSampling } from "./chain.ts";
import type { StepRow } from "./rows.ts";
import type { IdentityTasks } from "./tasks.ts";

/** Over the chains whose steps up to this one are known. */
export interface StepSummary {
  readonly step: number;
  /** Share of chains in which every program up to here does on every input what the one before did. */
  readonly sc: Estimate | null;
  /** The same, and the first program passes all tests. */
  readonly ssc: Estimate | null;
  /** Mean Test Output Match of this step's programs with those before. */
  readonly tom: Estimate | null;
  /** Share of steps whose two programs both pass or both fail. */
  readonly pass_fail_match: Estimate | null;
}

/** How a similarity goes with what execution says of the same two programs; nulls where one of the two does not vary. */
export interface SimilarityOfSteps {
  readonly name: string;
  readonly signature: string | null;
  readonly threshold: number | null;
  /** Mean over problems of the mean over steps. */
  readonly mean: Estimate | null;
  readonly tom: {
    readonly spearman: number | null;
    readonly pearson: number | null;
    readonly kendall: number | null;
    /** Of yes by the threshold with a match on every input. */
    readonly kappa: number | null;
  };
  readonly pass_fail_match: { readonly spearman: number | null; readonly auc: number | null };
  readonly unscored: Compared["unscored"];
}

export interface IdentitySummary {
  readonly task: "identity";
  readonly version: string;
  readonly models: { readonly forward: string; readonly backward: string };
  /** How the chains were followed. */
  readonly sampling: ChainSampling;
  readonly seed: number;
  readonly prompts: Readonly<Record<string, string>>;
  readonly counts: {
    readonly chains: number;
    /** Ended since a step repeated the one before. */
    readonly repeating: number;
    /** Ended since an answer had no code: inconsistent from there on. */
    readonly without_code: number;
    /** Ended since a call failed or the recording has no more. */
    readonly missing: number;
    /** Pairs of programs compared. */
    readonly pairs: number;
    /** Descriptions that recite the program they describe. */
    readonly recited: number;
    /** Descriptions that are those of an example in the prompt. */
    readonly copied: number;
    /** Inputs of tests that break a contract; they do not count. */
    readonly inputs_refused: number;
    /** Programs without a verdict, since no test can be run: not in Pass@1, SSC and pass/fail match. */
    readonly without_verdict: number;
    /** Whose problem has no test that gives an input: SC and the Test Output Match are on inputs that were made up. */
    readonly inputs_made_up: number;
    /** Whose problem has no input that counts: not in SC, SSC and the Test Output Match. */
    readonly without_input: number;
  };
  readonly pass_at_1: Estimate | null;
  readonly steps: readonly StepSummary[];
  readonly similarities: readonly SimilarityOfSteps[];
  /** Of descriptions with those before: how metrics of PL -> NL go with what execution says of the two programs around. */
  readonly descriptions: readonly SimilarityOfSteps[];
  /** Of every two of the Test Output Match (`tom`, a yes at 1), the pass/fail match and the similarities. */
  readonly agreement: readonly ({ readonly a: string; readonly b: string } & Agreement)[];
  /** Per-test results held against a recording's; null without one. */
  readonly recorded: { readonly results: number; readonly different: number } | null;
  readonly skipped: readonly { readonly task_id: string; readonly reason: string }[];
  readonly failed: readonly Failure[];
  readonly usage: { readonly forward: LlmUsage | null; readonly backward: LlmUsage | null } | null;
}

export interface IdentitySummaryInput {
  readonly what: IdentityTasks;
  readonly version: string;
  readonly models: { readonly forward: Llm; readonly backward: Llm };
  readonly length: number;
  readonly sampling: ChainSampling;
  readonly seed: number;
  readonly chains: readonly Chain[];
  readonly refused: number;
  /** Chains compared on inputs that were made up. */
  readonly madeUp: number;
  /** Chains whose problem has no input that counts. */
  readonly uncounted: ReadonlySet<string>;
  readonly steps: readonly StepRow[];
  readonly failures: readonly Failure[];
  readonly similarities: readonly SignedSimilarity[];
  readonly descriptionSimilarities: readonly SignedSimilarity[];
  readonly thresholds: Readonly<Record<string, number>>;
  readonly unscored: ReadonlyMap<string, Compared["unscored"]>;
}

export function summarizeChains(input: IdentitySummaryInput): IdentitySummary {
  const { what, models, seed, chains, steps } = input;
  const { forward: f, backward: b } = models;
  const usage = { forward: f.usage ?? null, backward: b === f ? null : (b.usage ?? null) };
  const pairs = steps.filter((row) => row.step > 0 && row.repeats !== "description");
  const columns = columnsOf(pairs, input);
  const ended = (end: Chain["end"]): number => chains.filter((chain) => chain.end === end).length;
  const recorded = steps.filter((row) => row.differences !== undefined);
  return {
    task: "identity",
    version: input.version,
    models: { forward: f.name, backward: b.name },
    sampling: input.sampling,
    seed,
    prompts: what.prompts,
    counts: {
      chains: chains.length,
      repeating: ended("repeats"),
      without_code: ended("empty"),
      missing: ended("missing"),
      pairs: pairs.length,
      recited: pairs.filter((row) => row.recited?.recited).length,
      copied: pairs.filter((row) => row.copied).length,
      inputs_refused: input.refused,
      without_verdict: chainsWith(steps, (row) => row.step === 0 && row.passed === null),
      inputs_made_up: input.madeUp,
      without_input: input.uncounted.size,
    },
    pass_at_1: estimate(
      known(steps.filter(({ step }) => step === 0).map((row) => [row.task_id, asNumber(row.passed)])),
      seed,
    ),
    steps: stepSummaries(input),
    similarities: input.similarities.map((similarity) => ofSteps(similarity, "sims", pairs, input)),
    descriptions: input.descriptionSimilarities.map((metric) => ofSteps(metric, "description_sims", pairs, input)),
    agreement: columns.flatMap((first, i) =>
      columns.slice(i + 1).map((second) => ({
        a: first.name,
        b: second.name,
        ...agreement(first.values, second.values, { a: first.threshold, b: second.threshold }),
      })),
    ),
    recorded:
      recorded.length === 0
        ? null
        : {
            results: recorded.reduce((sum, row) => sum + row.answers.length, 0),
            different: recorded.reduce((sum, row) => sum + row.differences!.length, 0),
          },
    skipped: what.skipped.map(({ id, reason }) => ({ task_id: id, reason })),
    failed: input.failures,
    usage: usage.forward || usage.backward ? usage : null,
  };
}

const chainsWith = (rows: readonly StepRow[], is: (row: StepRow) => boolean): number =>
  new Set(rows.filter(is).map((row) => row.task_id)).size;

interface Column {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly threshold: number | undefined;
}

const columnsOf = (pairs: readonly StepRow[], { similarities, thresholds }: IdentitySummaryInput): Column[] => [
  { name: "tom", values: pairs.map((row) => row.tom), threshold: 1 },
  { name: "pass/fail match", values: pairs.map((row) => asNumber(row.pass_fail_match)), threshold: 1 },
  ...similarities.map(({ name }) => ({
    name,
    values: pairs.map((row) => row.sims[name] ?? null),
    threshold: thresholds[name],
  })),
];

/**
 * What is known of a chain at a step. After its end a chain repeats itself, or has nothing; what could not be said of its last
 * step can be said of none after it.
 */
interface At {
  readonly tom: number | null;
  readonly match: number | null;
}

function stepSummaries({ chains, steps: rows, length, seed, uncounted }: IdentitySummaryInput): StepSummary[] {
  const byChain = new Map<string, StepRow[]>();
  for (const row of rows) byChain.set(row.task_id, [...(byChain.get(row.task_id) ?? []), row]);
  const at = ({ id, end }: Chain, step: number): At => {
    const own = byChain.get(id) ?? [];
    const row = own[step];
    if (row) return { tom: row.tom, match: asNumber(row.pass_fail_match) };
    const last = own.at(-1);
    if (end === "missing" || last === undefined) return { tom: null, match: null };
    const value = Number(end === "repeats");
    return { tom: uncounted.has(id) ? null : value, match: last.passed === null ? null : value };
  };
  const consistent = (chain: Chain, step: number): number | null => {
    const toms = Array.from({ length: step }, (_, i) => at(chain, i + 1).tom);
    return toms.includes(null) ? null : Number(toms.every((tom) => tom === 1));
  };
  const of = (value: (chain: Chain) => number | null): Estimate | null =>
    estimate(known(chains.map((chain) => [chain.id, value(chain)])), seed);
  return Array.from({ length }, (_, i): StepSummary => {
    const step = i + 1;
    return {
      step,
      sc: of((chain) => consistent(chain, step)),
      ssc: of((chain) => {
        const passed = asNumber(byChain.get(chain.id)?.[0]?.passed ?? null);
        const same = consistent(chain, step);
        return passed === null || same === null ? null : passed * same;
      }),
      tom: of((chain) => at(chain, step).tom),
      pass_fail_match: of((chain) => at(chain, step).match),
    };
  });
}

function ofSteps(
  { name, signature }: SignedSimilarity,
  from: "sims" | "description_sims",
  pairs: readonly StepRow[],
  { thresholds, seed, unscored }: IdentitySummaryInput,
): SimilarityOfSteps {
  const value = (row: StepRow): number | null => row[from]?.[name] ?? null;
  const [x, tom] = both(pairs, value, (row) => row.tom);
  const [y, match] = both(pairs, value, (row) => asNumber(row.pass_fail_match));
  const withTom = agreement(x, tom, { a: from === "sims" ? thresholds[name] : undefined, b: 1 });
  return {
    name,
    signature: signature ?? null,
    threshold: from === "sims" ? (thresholds[name] ?? null) : null,
    mean: estimate(
      rtcByProblem(pairs.map((row) => ({ task: row.task_id, forward: row.step, value: value(row) }))),
      seed,
    ),
    tom: {
      spearman: withTom.spearman,
      pearson: orNull(pearson(x, tom)),
      kendall: orNull(kendallTauB(x, tom)),
      kappa: withTom.kappa,
    },
    pass_fail_match: {
      spearman: agreement(y, match, { a: undefined, b: undefined }).spearman,
      auc: orNull(
        rocAuc(
          y,
          match.map((yes) => yes === 1),
        ),
      ),
    },
    unscored: unscored.get(name) ?? null,
  };
}

/** The rows' two values, where both are there. */
function both(
  rows: readonly StepRow[],
  first: (row: StepRow) => number | null,
  second: (row: StepRow) => number | null,
): [number[], number[]] {
  const there = rows.flatMap((row) => {
    const [a, b] = [first(row), second(row)];
    return a === null || b === null ? [] : [[a, b] as const];
  });
  return [there.map(([a]) => a), there.map(([, b]) => b)];
}

const known = (pairs: readonly (readonly [string, number | null])[]): Map<string, number> =>
  new Map(pairs.flatMap(([id, value]) => (value === null ? [] : [[id, value] as const])));

const asNumber = (flag: boolean | null): number | null => (flag === null ? null : Number(flag));
