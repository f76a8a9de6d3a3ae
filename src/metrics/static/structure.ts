/**
 * How alike two programs are as trees, in what they compute with and in their constants, on terms, whose variables are renamed by
 * order of appearance. Each element counts at most as often as both have it.
 */
import { forEach, isRenamed, type Term } from "../../languages/python/index.ts";

/** Each element with how often it occurs. */
export type Bag = Map<string, number>;

/** How much of what `wanted` has `given` has as well; null where nothing is wanted. */
export function recall(given: Bag, wanted: Bag): number | null {
  let [common, all] = [0, 0];
  for (const [element, times] of wanted) {
    common += Math.min(times, given.get(element) ?? 0);
    all += times;
  }
  return all === 0 ? null : common / all;
}

/** The mean of how much of each other's elements the two have: 1 where neither has any, 1/2 where one alone has. */
export const agreement = (a: Bag, b: Bag): number => ((recall(a, b) ?? 1) + (recall(b, a) ?? 1)) / 2;

const add = (bag: Bag, element: string): void => {
  bag.set(element, (bag.get(element) ?? 0) + 1);
};

export function bagOf(elements: readonly string[]): Bag {
  const bag: Bag = new Map();
  for (const element of elements) add(bag, element);
  return bag;
}

/**
 * The subtrees of a program that have parts, as in CodeBLEU (Ren et al. 2020, "CodeBLEU: a Method for Automatic Evaluation of Code
 * Synthesis", section 3.2), but each with its operators, literals and names: there these are the programmer's, here they say
 * which variable it is.
 */
export function subtrees(of: Term): Bag {
  const bag: Bag = new Map();
  const visit = (part: Term): string => {
    const key = `${part.kind}:${part.text}(${part.items.map(visit).join()})`;
    if (part.items.length > 0) add(bag, key);
    return key;
  };
  visit(of);
  return bag;
}

/**
 * The operators of a program, each once by itself and once with what it is applied to: variables are all one, a call is its
 * function, of anything else its outermost part counts.
 */
export function operations(of: Term): Bag {
  const bag: Bag = new Map();
  forEach(of, ({ kind, text, items }) => {
    if (kind !== "operation" && kind !== "augment") return;
    add(bag, text);
    add(bag, `${text}(${items.map(operand).join()})`);
  });
  return bag;
}

function operand({ kind, text, items: [first] }: Term): string {
  if (kind === "call") return `${operand(first!)}()`;
  return kind === "name" && isRenamed(text) ? "" : `${kind}:${text}`;
}

/** The literals of a program, but for those that every other program has. */
export function tellingLiterals(of: Term): Bag {
  const bag: Bag = new Map();
  forEach(of, ({ kind, text }) => {
    if (kind === "literal" && !COMMON_LITERALS.has(text)) add(bag, text);
  });
  return bag;
}

const COMMON_LITERALS: ReadonlySet<string> = new Set(["0", "1", "True", "False", "None", '""', "''"]);
