/**
 * Finds argument lists by trial, if neither annotations nor examples show what a function takes. The function is called with values of
 * many kinds, the likely ones first. Combinations that it answers without an exception are kept.
 */

import { parseLiteral } from "../languages/python/literals/index.ts";
import type { PyValue } from "../types.ts";
import { KINDS, type Kind, likelihoods } from "./kinds.ts";

export interface Parameter {
  readonly name: string;
  /** The type by annotation, or according to the description; null if neither names one. */
  readonly type: PyValue["t"] | null;
}

/** Maximum number of combinations of kinds. */
const MOST_COMBINATIONS = 160;
/** Maximum number of kinds per parameter. */
const MOST_KINDS = 12;
/** Maximum number of combinations kept, and how far their weight may be below the best one's, per parameter of unknown type. */
const KEPT = 3;
const NEAR = 0.75;
/** Number of argument lists per kept combination. */
const VARIANTS = 6;
/** Weight of an annotation. It outweighs names and uses (kinds.ts). */
const ANNOTATED = 20;

/** For each argument list: whether the program answers it without an exception. */
export type Answered = (args: readonly string[]) => Promise<readonly boolean[]>;

/** Argument lists that the program answers. */
export async function seedsByTrial(
  parameters: readonly Parameter[],
  code: string,
  description: string,
  answered: Answered,
): Promise<string[]> {
  if (parameters.length === 0) return [];
  const ranked = parameters.map(({ name, type }) => {
    const likely = likelihoods(name, code, description);
    return KINDS.map((kind, i) => ({ kind, weight: likely[i]! + (type === kind.type ? ANNOTATED : 0) }))
      .sort((a, b) => b.weight - a.weight)
      .slice(0, MOST_KINDS);
  });
  const tried = combinations(
    ranked.map((kinds) => kinds.map(({ weight }) => weight)),
    MOST_COMBINATIONS,
  ).flatMap(({ places, weight }) => {
    const kinds = places.map((place, p) => ranked[p]![place]!.kind);
    return (hasSize(kinds) ? NUMBERS : NUMBERS.slice(0, 1)).map((numbers) => ({ kinds, weight, numbers }));
  });
  const works = await answered(tried.map((one) => argumentsOf(one, 0)));
  const working = tried.filter(
    ({ kinds }, i) => works[i] && !tried.slice(0, i).some((one, k) => works[k] && one.kinds === kinds),
  );
  const [best] = working;
  if (best === undefined) return [];
  const near = NEAR * Math.max(1, parameters.filter(({ type }) => type === null).length);
  const kept = working.filter(({ weight }) => weight >= best.weight - near).slice(0, KEPT);
  const variants = Array.from({ length: VARIANTS }, (_, variant) =>
    kept.map((one) => argumentsOf(one, variant)),
  ).flat();
  const fresh = [...new Set(variants)];
  const good = await answered(fresh);
  return fresh.filter((_, i) => good[i]);
}

/** The meaning of an integer next to a list or text: any number, the length of the first list or text (`f(arr, n)`), or a position in it. */
const NUMBERS = ["own", "length", "place"] as const;

interface Tried {
  readonly kinds: readonly Kind[];
  readonly numbers: (typeof NUMBERS)[number];
}

const isSized = ({ type }: Kind): boolean => type !== "int" && type !== "float" && type !== "bool";

const hasSize = (kinds: readonly Kind[]): boolean => kinds.some(isSized) && kinds.some(({ type }) => type === "int");

function argumentsOf({ kinds, numbers }: Tried, variant: number): string {
  const literals = kinds.map(({ literals: own }, p) => own[(variant + p) % own.length]!);
  const first = kinds.findIndex(isSized);
  if (numbers === "own" || first < 0) return literals.join(", ");
  const size = lengthOf(parseLiteral(literals[first]!));
  const number = numbers === "length" ? size : 1 + (variant % Math.max(1, size - 1));
  return literals.map((literal, p) => (kinds[p]!.type === "int" ? String(number) : literal)).join(", ");
}

const lengthOf = (value: PyValue): number =>
  "v" in value && (Array.isArray(value.v) || typeof value.v === "string") ? value.v.length : 1;

interface Combination {
  /** For each parameter: the place of its kind. */
  readonly places: readonly number[];
  readonly weight: number;
}

/** The combinations with the largest weights, largest first. Each list in `weights` is in descending order. */
function combinations(weights: readonly (readonly number[])[], most: number): Combination[] {
  let found: Combination[] = [{ places: [], weight: 0 }];
  for (const own of weights) {
    found = found
      .flatMap(({ places, weight }) => own.map((one, i) => ({ places: [...places, i], weight: weight + one })))
      .sort((a, b) => b.weight - a.weight)
      .slice(0, most);
  }
  return found;
}
