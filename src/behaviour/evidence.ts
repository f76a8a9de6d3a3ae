/** The behaviour of a candidate on the first inputs of its task, as numbers. */
import type { Observed } from "./observe.ts";

export interface Evidence {
  /** Weighted share of the inputs on which the candidate answers like the reference; null without a reference. See `weightsOf`. */
  readonly agree: number | null;
  /** Plain share over the inputs that are neither unusual (unusual.ts) nor refused (raised.ts); null without a reference or such inputs. */
  readonly usual: number | null;
  readonly inputs: number;
  /** Share of the inputs that the candidate answers. */
  readonly answered: number;
  readonly examples: { readonly passed: number; readonly total: number };
  /**
   * Mean share of the task's other candidates that give the same answer (MBR-exec, Shi et al. 2022). Candidates that fail an example count a
   * tenth (dual agreement, CodeT, Chen et al. 2022). Null if there are no others or no inputs.
   */
  readonly samples: number | null;
  /** Share of the other candidates that give the same answers to all inputs (consensus sets of CodeT, Chen et al. 2022). */
  readonly cluster: number | null;
  /** The same share for the members of the task's largest such set. */
  readonly greatest: number | null;
  /** Number of different answers per input: the reference's answers, or this candidate's without a reference. */
  readonly variety: number;
}

/** A candidate that agrees with the reference on at least this share of the inputs has a say in the weights (`weightsOf`). */
const MOSTLY_RIGHT = 0.9;
/** Weight of the answers of a candidate that fails an example. */
const FAILED_VOTE = 0.1;
/** Weight of an input that is unusual (unusual.ts), or that the candidate refuses (raised.ts). */
const UNUSUAL = 0.25;
/** Number of imaginary candidates that agree on every input (smoothing). */
const TRUST = 2;

/** The evidence for each candidate from the first `count` inputs. Each candidate must have run on all of them. */
export function evidenceOf(
  { inputs: { known, unusual } }: Observed,
  candidates: Observed["candidates"],
  count: number,
): Evidence[] {
  const size = Math.min(count, known.length);
  const weights = weightsOf(
    candidates.map(({ agrees }) => agrees?.slice(0, size) ?? null),
    candidates.map(({ refused }) => unusual.map((one, i) => one || refused[i]!)),
  );
  const keys = candidates.map(({ answers }) =>
    answers.slice(0, size).map((answer) => (answer.outcome === "ok" ? answer.text : null)),
  );
  const places = Array.from({ length: size }, (_, i) => i).filter((i) => !unusual[i]);
  const others = candidates.length - 1;
  const votes = candidates.map(({ examples: { passed, total } }) => (passed === total ? 1 : FAILED_VOTE));
  const columns = Array.from({ length: size }, (_, i) =>
    tally(
      keys.map((list) => list[i]!),
      votes,
    ),
  );
  const all = votes.reduce((sum, vote) => sum + vote, 0);
  const whole = keys.map((list) => (list.some((key) => key !== null) ? JSON.stringify(list) : null));
  const sets = tally(whole);
  const greatest =
    others < 1 ? null : (Math.max(1, ...[...sets].map(([key, n]) => (key === null ? 0 : n))) - 1) / others;
  return candidates.map(({ agrees, refused, answers, examples }, c) => {
    const usual = places.filter((i) => !refused[i]);
    const own = agrees?.slice(0, size) ?? null;
    const list = keys[c]!;
    const vote = votes[c]!;
    const shares = list.map((key, i) => (key === null ? 0 : (columns[i]!.get(key)! - vote) / (all - vote)));
    const texts = own === null ? list : known.slice(0, size).map(({ answer }) => answer!.text);
    return {
      agree: own && size > 0 ? weightedMean(own.map(Number), weights[c]!) : null,
      usual: own && usual.length > 0 ? mean(usual.map((i) => Number(own[i]))) : null,
      inputs: size,
      answered: size === 0 ? 0 : mean(answers.slice(0, size).map(({ outcome }) => Number(outcome === "ok"))),
      examples,
      samples: others < 1 || size === 0 ? null : mean(shares),
      cluster: others < 1 || size === 0 ? null : whole[c] === null ? 0 : (sets.get(whole[c]!)! - 1) / others,
      greatest: size === 0 ? null : greatest,
      variety: size === 0 ? 0 : new Set(texts).size / size,
    };
  });
}

/**
 * The weight of each input for each candidate: of the *other* candidates that mostly agree with the reference, the share that agrees on this
 * input; a quarter of that for an unusual or refused input. If independent correct programs differ on an input, the task probably does not
 * define it.
 */
function weightsOf(
  agrees: readonly (readonly boolean[] | null)[],
  unusual: readonly (readonly boolean[])[],
): number[][] {
  const right = agrees.map((own) => own !== null && own.length > 0 && mean(own.map(Number)) >= MOSTLY_RIGHT);
  const size = agrees[0]?.length ?? 0;
  const total = right.filter(Boolean).length;
  const sums = Array.from({ length: size }, (_, i) => agrees.filter((own, c) => right[c] && own![i]).length);
  return agrees.map((own, c) =>
    sums.map((sum, i) => {
      const [agreeing, asked] = right[c] ? [sum - Number(own![i]), total - 1] : [sum, total];
      return ((agreeing + TRUST) / (asked + TRUST)) * (unusual[c]![i] ? UNUSUAL : 1);
    }),
  );
}

/** The total weight of the occurrences of each item; without `weights`, their number. */
function tally<K>(list: readonly K[], weights?: readonly number[]): Map<K, number> {
  const times = new Map<K, number>();
  for (const [i, key] of list.entries()) times.set(key, (times.get(key) ?? 0) + (weights?.[i] ?? 1));
  return times;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function weightedMean(values: readonly number[], weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return values.reduce((sum, value, i) => sum + value * weights[i]!, 0) / total;
}
