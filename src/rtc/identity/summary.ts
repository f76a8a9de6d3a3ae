/** Summarizes chains: Pass@1, SC_n, SSC_n, and how similarities agree with the Test Output Match (Min et al. 2024). */
import { kendallTauB, orNull, pearson, rocAuc } from "../../statistics/index.ts";
import type { Llm, LlmUsage } from "../llm/llm.ts";
import { type Agreement, agreement, type Estimate, estimate, rtcByProblem } from "../trip/arithmetic.ts";
import type { Compared } from "../trip/compare.ts";
import type { Failure } from "../trip/sample.ts";
import type { SignedSimilarity } from "../trip/similarity.ts";
import type { Chain, ChainSampling } from "./chain.ts";
import type { StepRow } from "./rows.ts";
import type { IdentityTasks } from "./tasks.ts";

/** Means over the chains that are known up to this step. */
export interface StepSummary {
  readonly step: number;
  /** Share of chains in which every program up to this step behaves on every input as the one before. */
  readonly sc: Estimate | null;
  /** The same, and the first program passes all tests. */
  readonly ssc: Estimate | null;
  /** Mean Test Output Match of this step's programs with the programs before. */
  readonly tom: Estimate | null;
  /** Share of steps whose two programs both pass or both fail. */
  readonly pass_fail_match: Estimate | null;
}

/** How a similarity agrees with execution of the same two programs. Null if one of the two is constant. */
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
    /** Cohen's kappa between yes by the threshold and a match on every input. */
    readonly kappa: number | null;
  };
  readonly pass_fail_match: { readonly spearman: number | null; readonly auc: number | null };
  readonly unscored: Compared["unscored"];
}

export interface IdentitySummary {
  readonly task: "identity";
  readonly version: string;
  readonly models: { readonly forward: string; readonly backward: string };
  /** The sampling settings of the chains. */
  readonly sampling: ChainSampling;
  readonly seed: number;
  readonly prompts: Readonly<Record<string, string>>;
  readonly counts: {
    readonly chains: number;
    /** Chains that ended because a step repeated the one before. */
    readonly repeating: number;
    /** Chains that ended because an answer had no code. They count as inconsistent from there on. */
    readonly without_code: number;
    /** Chains that ended because a call failed or the recording has no more. */
    readonly missing: number;
    /** Number of compared pairs of programs. */
    readonly pairs: number;
    /** Descriptions that recite the program they describe. */
    readonly recited: number;
    /** Descriptions that copy an example of the prompt. */
    readonly copied: number;
    /** Inputs of tests that violate the contract. They do not count. */
    readonly inputs_refused: number;
    /** Chains whose programs have no verdict, because no test can run. They are not in Pass@1, SSC and pass/fail match. */
    readonly without_verdict: number;
    /** Chains whose tests give no input. Their SC and Test Output Match use generated inputs. */
    readonly inputs_made_up: number;
    /** Chains without an input that counts. They are not in SC, SSC and the Test Output Match. */
    readonly without_input: number;
  };
  /** The problems whose chains lack an answer. */
  readonly incomplete: readonly string[];
  readonly pass_at_1: Estimate | null;
  readonly steps: readonly StepSummary[];
  readonly similarities: readonly SimilarityOfSteps[];
  /** Similarity of each description to the one before: how metrics of PL -> NL agree with execution of the two programs. */
  readonly descriptions: readonly SimilarityOfSteps[];
  /** For each two of the Test Output Match (`tom`, yes at 1), the pass/fail match and the similarities: their agreement. */
  readonly agreement: readonly ({ readonly a: string; readonly b: string } & Agreement)[];
  /** Results of tests compared with a recording. Null without a recording. */
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
  /** Number of chains that use generated inputs. */
  readonly madeUp: number;
  /** Chains without an input that counts. */
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
    incomplete: chains.filter(({ end }) => end === "missing").map(({ id }) => id),
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
 * What is known of a chain at a step. After its end, a repeating chain matches, and a chain without code does not. A value that
 * is unknown at its last step is unknown for all steps after it.
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

/** The two values of each row that has both. */
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
