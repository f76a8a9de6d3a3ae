/**
 * The similarity of two programs as trees, in their operators and in their constants. It is computed on terms, whose variables
 * are renamed by order of appearance. Each element counts at most as often as both programs have it.
 */
import { forEach, isRenamed, type Term } from "../../languages/python/index.ts";

/** The number of occurrences of each element. */
export type Bag = Map<string, number>;

/** The share of the elements of `wanted` that `given` also has; null if `wanted` is empty. */
export function recall(given: Bag, wanted: Bag): number | null {
  let [common, all] = [0, 0];
  for (const [element, times] of wanted) {
    common += Math.min(times, given.get(element) ?? 0);
    all += times;
  }
  return all === 0 ? null : common / all;
}

/** The mean of the two recalls: 1 if neither has any elements, 1/2 if only one has. */
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
 * The subtrees of a program that have parts, as in CodeBLEU (Ren et al. 2020, "CodeBLEU: a Method for Automatic Evaluation of
 * Code Synthesis", section 3.2), but with their operators, literals and names. CodeBLEU leaves these out because they are the
 * programmer's; here names say which variable is meant. Equal subtrees have the same number, so that each takes time linear in
 * its own parts only.
 */
export class Subtrees {
  /** Numbers from 1, by the subtree's kind, its text and the numbers of its parts. */
  readonly #numbers = new Map<string, number>();
  /** The number of occurrences of each subtree with parts. */
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

  /** The share of these subtrees that another program also has; null if there are none. */
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
 * The operators of a program, each once alone and once with its operands: all variables are the same, a call is its function,
 * and anything else is its outermost part.
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

/** The literals of a program, except those that nearly every program has. */
export function tellingLiterals(of: Term): Bag {
  const bag: Bag = new Map();
  forEach(of, ({ kind, text }) => {
    if (kind === "literal" && !COMMON_LITERALS.has(text)) add(bag, text);
  });
  return bag;
}

const COMMON_LITERALS: ReadonlySet<string> = new Set(["0", "1", "True", "False", "None", '""', "''"]);
