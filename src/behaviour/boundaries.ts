/**
 * Inputs at the boundaries of a reference's comparisons. `<` and `<=` differ only if both operands are equal, which random inputs hardly ever
 * cause. Such inputs are made from inputs on which the operands are close (search-based test generation, McMinn 2004): a number of the
 * input moves by the distance, or what equals one operand becomes the other (input-to-state correspondence, Aschermann et al. 2019).
 */
import type { Executor } from "../execute/index.ts";
import type { ProgramInput } from "../types.ts";
import { type Attempt, type Changed, changes, numberOf } from "./change.ts";
import { sizeOf } from "./choose.ts";
import { type Compared, type Comparing, recordComparisons, type Sign } from "./compared.ts";
import type { Found } from "./find.ts";
import { keepsStamps } from "./keys.ts";
import type { Known, Oracle } from "./oracle.ts";
import type { Entry } from "./types.ts";

/** Maximum number of inputs that are looked at, of changed inputs per round, and of inputs that are changed for one sign of a comparison. */
const EFFORT = { call: { looked: 40, made: 40, closest: 2 }, stdin: { looked: 6, made: 8, closest: 2 } } as const;
/** Maximum number of changes of one input for one sign of a comparison. */
const CHANGES = 8;
/** Inputs that are kept for each sign that no input of the pool shows. One alone may be outside of the task. */
const EACH = 2;
/** In the second round numbers move further, by what the first round showed. */
const ROUNDS = 2;

export interface Boundaries {
  /** Inputs that were not in the pool. */
  readonly made: readonly Known[];
  /** How the operands of each comparison relate on an input. */
  readonly signsOn: (input: ProgramInput) => readonly string[];
}

/** A sign that no input shows yet. */
interface Goal {
  readonly place: number;
  readonly sign: Sign;
}

interface How {
  readonly fitted: Found["fitted"];
  readonly isUsual: (input: ProgramInput) => boolean;
}

export async function atBoundaries(
  pool: readonly Known[],
  entry: Entry,
  oracle: Oracle,
  executor: Executor,
  { fitted, isUsual }: How,
): Promise<Boundaries> {
  const { reference, limit } = oracle;
  const comparing = reference === null ? null : await recordComparisons(reference, entry, executor, limit);
  if (comparing === null || pool.length === 0) return { made: [], signsOn: () => [] };
  const { looked, made: most, closest } = EFFORT[entry.kind];
  const signs = new Map<string, readonly string[]>();
  const attempts = new Map<number, Attempt[]>();
  /** Runs inputs, and keeps what they compare. */
  const look = async (inputs: readonly ProgramInput[], changes: readonly (Changed | null)[]): Promise<void> => {
    const found = await comparing.run(inputs);
    for (const [i, input] of inputs.entries()) {
      signs.set(keyOf(input), signsIn(found[i]!, comparing));
      for (const [place, { closest: operands }] of found[i]!) {
        const attempt = operands === null ? [] : [{ input, operands, change: changes[i]! }];
        attempts.set(place, [...(attempts.get(place) ?? []), ...attempt]);
      }
    }
  };
  const some = spread(pool, looked).map(({ input }) => input);
  await look(
    some,
    some.map(() => null),
  );
  const seen = new Set(pool.map(({ input }) => keyOf(input)));
  const hasStamps = keepsStamps(some);
  const candidates: ProgramInput[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const shown = new Set([...signs.values()].flat());
    const goals = goalsOf(attempts, comparing).filter((goal) => !shown.has(nameOf(goal)));
    const fresh = new Map<string, Changed>();
    for (const change of proposals(goals, attempts, closest)) {
      const input = fitted(change.input);
      if (fresh.size < most && !seen.has(keyOf(input)) && isUsual(input) && hasStamps(input))
        fresh.set(keyOf(input), { ...change, input });
    }
    if (fresh.size === 0) break;
    for (const key of fresh.keys()) seen.add(key);
    const tried = [...fresh.values()].map(({ input }) => input);
    await look(tried, [...fresh.values()]);
    for (const goal of goals)
      candidates.push(...tried.filter((input) => signs.get(keyOf(input))!.includes(nameOf(goal))).slice(0, EACH));
  }
  const made = await oracle.known([...new Set(candidates)]);
  return { made, signsOn: (input) => signs.get(keyOf(input)) ?? [] };
}

const keyOf = (input: ProgramInput): string => JSON.stringify(input);

const nameOf = ({ place, sign }: Goal): string => `comparison ${place} ${sign}`;

const wanted = (place: number, { orders }: Comparing): readonly Sign[] => (orders.has(place) ? ["=", "<", ">"] : ["="]);

const signsIn = (compared: Compared, comparing: Comparing): string[] =>
  [...compared].flatMap(([place, { signs }]) =>
    signs.filter((sign) => wanted(place, comparing).includes(sign)).map((sign) => nameOf({ place, sign })),
  );

const goalsOf = (attempts: ReadonlyMap<number, unknown>, comparing: Comparing): Goal[] =>
  [...attempts.keys()].flatMap((place) => wanted(place, comparing).map((sign) => ({ place, sign })));

/** Evenly spread over the sizes. */
function spread(pool: readonly Known[], most: number): Known[] {
  const sorted = pool.toSorted((a, b) => sizeOf(a.input) - sizeOf(b.input));
  const step = Math.max(1, sorted.length / most);
  return Array.from({ length: Math.min(most, sorted.length) }, (_, i) => sorted[Math.floor(i * step)]!);
}

const distance = ({ operands: [a, b] }: Attempt): number => Math.abs((numberOf(a) ?? 0) - (numberOf(b) ?? 0));

/** Changed inputs: the first for each goal, then the second, and so on. The inputs with the closest operands are changed. */
function proposals(goals: readonly Goal[], attempts: ReadonlyMap<number, Attempt[]>, closest: number): Changed[] {
  const each = goals.flatMap(({ place, sign }) =>
    (attempts.get(place) ?? [])
      .toSorted((a, b) => distance(a) - distance(b))
      .slice(0, closest)
      .map((attempt) => changes(attempt, sign).slice(0, CHANGES)),
  );
  return Array.from({ length: CHANGES }, (_, i) => each.flatMap((own) => own.slice(i, i + 1))).flat();
}
