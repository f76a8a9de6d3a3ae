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
 * which variable it is. Subtrees that are the same have one number, so that each takes time linear in its own parts alone.
 */
export class Subtrees {
  /** Numbers from 1 on; of a subtree by its kind, its text and the numbers of its parts. */
  readonly #numbers = new Map<string, number>();
  /** How often each occurs that has parts. */
  readonly #times: number[] = [0];
  #all = 0;

  constructor(program: Term) {
    const visit = (part: Term): number => {
      const key = keyOf(part, part.items.map(visit));
      let number = this.#numbers.get(key);
      if (number === undefined) {
        number = this.#times.push(0) - 1;
        this.#numbers.set(key, number);
      }
      if (part.items.length > 0) {
        this.#times[number]! += 1;
        this.#all += 1;
      }
      return number;
    };
    visit(program);
  }

  /** How much of them another program has as well; null where there are none. */
  recall(program: Term): number | null {
    const left = this.#times.slice();
    let common = 0;
    const visit = (part: Term): number => {
      const numbers: number[] = [];
      let isKnown = true;
      for (const item of part.items) {
        const number = visit(item);
        isKnown &&= number > 0;
        numbers.push(number);
      }
      const number = isKnown ? (this.#numbers.get(keyOf(part, numbers)) ?? 0) : 0;
      if (number > 0 && numbers.length > 0 && left[number]! > 0) {
        left[number]! -= 1;
        common += 1;
      }
      return number;
    };
    visit(program);
    return this.#all === 0 ? null : common / this.#all;
  }
}

const keyOf = ({ kind, text }: Term, parts: readonly number[]): string => `${kind} ${parts.join()} ${text}`;

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
