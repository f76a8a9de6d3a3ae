/**
 * Chooses the inputs that distinguish programs best. First come inputs on which mutants of the reference give other answers, two per mutant;
 * then inputs with different answers, small ones before large ones. Without a reference, inputs on which the candidates differ come first.
 */
import { oneOperatorMutants } from "../mutate/index.ts";
import type { ProgramInput } from "../types.ts";
import { type Known, type Oracle, sameAnswer } from "./oracle.ts";

/** Inputs per mutant that distinguish it from the reference. One alone may be an input that the task does not define. */
const SEEN = 2;

/** Maximum number of syntax nodes of a reference that is mutated: about 300 lines. */
const MOST_NODES = 3000;

/**
 * CPU time of a mutant per input: at least so many seconds, otherwise this factor times the reference's time. The steps of
 * a mutant that may run forever are counted as well.
 */
const LEAST_CPU_S = 0.02;
const FACTOR = 3;

export interface Chosen {
  /** The most informative first. */
  readonly chosen: readonly Known[];
  /** See `TaskInputs.killed`. */
  readonly killed: number | null;
}

export interface Choosing {
  readonly seed: number;
  /** Maximum number of mutants of the reference. */
  readonly mutants: number;
  /** Maximum number of further mutants with a statement less. @default 0 */
  readonly dropped?: number;
  readonly isPrinted: boolean;
  /** The constants of the task that an input holds, and how the operands of comparisons relate on it. */
  readonly holds?: (input: ProgramInput) => readonly string[];
}

/** The largest share of the inputs that are chosen for what they hold. */
const FOR_HELD = 0.25;

const textOf = (input: ProgramInput): string => ("args" in input ? input.args : input.stdin);

export const sizeOf = (input: ProgramInput): number => textOf(input).length;

/** Sorts by length, then by text: 9 before 10, 10 before 20. */
export const smallerFirst = (a: ProgramInput, b: ProgramInput): number =>
  sizeOf(a) - sizeOf(b) || (textOf(a) < textOf(b) ? -1 : 1);

export async function choose(pool: readonly Known[], wanted: number, oracle: Oracle, how: Choosing): Promise<Chosen> {
  const bySize = (known: readonly Known[]): Known[] =>
    known
      .map((one, i) => [one, i] as const)
      .sort(([a, i], [b, j]) => sizeOf(a.input) - sizeOf(b.input) || i - j)
      .map(([one]) => one);
  if (wanted === 0) return { chosen: [], killed: null };
  if (oracle.reference === null) return { chosen: bySplit(pool).slice(0, wanted), killed: null };
  const sorted = bySize(pool);
  const killers = await killedBy(sorted, oracle, how);
  const taken = new Set<number>();
  for (let round = 0; round < SEEN; round++) cover(killers, taken, wanted);
  holdAll(sorted, taken, Math.min(wanted - taken.size, Math.ceil(FOR_HELD * wanted)), how);
  const can = killers.filter((own) => own.size > 0);
  const found = can.filter((own) => [...own].some((i) => taken.has(i)));
  // Fill up with one input per answer in turn. Otherwise inputs with the most common answer would take all places.
  const byAnswer = new Map<string, number[]>();
  for (const [i, { answer }] of sorted.entries()) {
    if (taken.has(i)) continue;
    const key = answer?.text ?? "";
    byAnswer.set(key, [...(byAnswer.get(key) ?? []), i]);
  }
  const groups = fromBothEnds([...byAnswer.values()].map(fromBothEnds));
  for (let round = 0; taken.size < wanted && groups.some((group) => round < group.length); round++) {
    for (const group of groups) {
      const i = group[round];
      if (i !== undefined && taken.size < wanted) taken.add(i);
    }
  }
  return { chosen: [...taken].map((i) => sorted[i]!), killed: can.length === 0 ? null : found.length / can.length };
}

/** The first, the last, the second, the last but one, ... */
const fromBothEnds = <T>(list: readonly T[]): T[] =>
  list.map((_, i) => list[i % 2 === 0 ? i / 2 : list.length - (i + 1) / 2]!);

/** Alternates inputs on which the candidates differ with the next of all inputs, so that inputs on which they agree count, too. */
function bySplit(pool: readonly Known[]): Known[] {
  const split = pool.filter((one) => one.split > 1);
  const mixed = pool.flatMap((one, i) => (i < split.length ? [split[i]!, one] : [one]));
  return [...new Set(mixed)];
}

/** The places of the inputs on which a mutant runs first. It runs on the others if fewer than `SEEN` of these distinguish it. */
const isFirst = (place: number): boolean => place % 4 === 1;

/** For each mutant: places of inputs on which its answer differs from the reference's: all, or at least `SEEN`. */
async function killedBy(
  pool: readonly Known[],
  oracle: Oracle,
  { seed, mutants: count, dropped = 0, isPrinted }: Choosing,
): Promise<Set<number>[]> {
  const code = oracle.reference as string;
  const options = { seed, mostNodes: MOST_NODES };
  const mutants = await oneOperatorMutants(code, { ...options, count });
  if (dropped > 0)
    mutants.push(...(await oneOperatorMutants(code, { ...options, count: dropped, only: ["dropped-statement"] })));
  const places = pool.map((_, i) => i);
  const [some, others] = [places.filter(isFirst), places.filter((i) => !isFirst(i))];
  const { steps } = mayBeEndless(code) ? oracle.limit : { steps: null };
  const killing = async (code: string, places: readonly number[]): Promise<number[]> => {
    const known = places.map((i) => pool[i]!);
    const inputs = known.map(({ input }) => input);
    const budgets = known.map(({ cpuS }) => Math.max(LEAST_CPU_S, FACTOR * cpuS));
    const answers = await oracle.run(code, inputs, { steps, cpuS: budgets });
    return places.filter((_, k) => !sameAnswer(answers[k]!, known[k]!.answer!, isPrinted));
  };
  return Promise.all(
    mutants.map(async ({ code }) => {
      const first = await killing(code, some);
      return new Set(first.length >= SEEN ? first : [...first, ...(await killing(code, others))]);
    }),
  );
}

/** Whether a mutant may run forever: it has a loop with `while`, or functions that call functions of the program. */
const mayBeEndless = (code: string): boolean =>
  /\bwhile\b/.test(code) ||
  [...code.matchAll(/\bdef[ \t]+(\w+)/g)].some(([, name]) => code.split(`${name}(`).length > 2);

/** Adds inputs that hold what no chosen input holds. */
function holdAll(pool: readonly Known[], taken: Set<number>, most: number, { holds }: Choosing): void {
  if (holds === undefined) return;
  const held = new Set([...taken].flatMap((i) => holds(pool[i]!.input)));
  let left = most;
  for (const [i, { input }] of pool.entries()) {
    const fresh = left > 0 ? holds(input).filter((one) => !held.has(one)) : [];
    if (fresh.length === 0) continue;
    for (const one of fresh) held.add(one);
    taken.add(i);
    left -= 1;
  }
}

/** Adds inputs (greedy set cover) until each mutant that an unused input distinguishes is distinguished once more. */
function cover(killers: readonly ReadonlySet<number>[], taken: Set<number>, most: number): void {
  let left = killers.filter((own) => [...own].some((i) => !taken.has(i)));
  while (left.length > 0 && taken.size < most) {
    const counts = new Map<number, number>();
    for (const own of left) for (const i of own) if (!taken.has(i)) counts.set(i, (counts.get(i) ?? 0) + 1);
    const [best] = [...counts].sort(([i, a], [j, b]) => b - a || i - j);
    if (best === undefined) return;
    taken.add(best[0]);
    left = left.filter((own) => !own.has(best[0]));
  }
}
