/**
 * How alike two programs are as trees and in how data flow: the structural parts of CodeBLEU (Ren et al. 2020, "CodeBLEU: a
 * Method for Automatic Evaluation of Code Synthesis", sections 3.2 and 3.3) on terms, whose variables are renamed by order of
 * appearance. Both say how much of the reference the candidate has, each element counted at most as often as both have it.
 */
import type { Term } from "../tokenize/index.ts";

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

const add = (bag: Bag, element: string): void => {
  bag.set(element, (bag.get(element) ?? 0) + 1);
};

export function bagOf(elements: readonly string[]): Bag {
  const bag: Bag = new Map();
  for (const element of elements) add(bag, element);
  return bag;
}

/**
 * The subtrees of a program that have parts, each with its operators, literals and names (CodeBLEU leaves names out, since there
 * they are the programmer's: here they say which variable it is).
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
 * The data flow of a program: triples of a variable, how it got what it holds, and from which variables, as in GraphCodeBERT
 * (Guo et al. 2021): `computedFrom` for each assignment (loops, `with` and comprehensions assign too), `comesFrom` for each
 * variable that is read.
 */
export function dataFlow(of: Term): Bag {
  const bag: Bag = new Map();
  const assign = (target: Term, value: Term): void => {
    const sources = [...new Set(variables(value))].join();
    for (const name of variables(target)) add(bag, `${name} computedFrom ${sources}`);
  };
  const visit = (part: Term): void => {
    switch (part.kind) {
      case "assign":
      case "augment":
      case "for":
      case "forin":
      case "walrus":
      case "withitem":
        if (part.kind === "withitem") assign(part.items[1], part.items[0]);
        else assign(part.items[0], part.items[1]);
        break;
      case "chain":
        for (const target of part.items.slice(0, -1)) assign(target, part.items.at(-1)!);
        break;
      case "name":
        add(bag, `${part.text} comesFrom ${part.text}`);
        break;
      default:
    }
    part.items.forEach(visit);
  };
  visit(of);
  return bag;
}

function variables(of: Term, out: string[] = []): string[] {
  if (of.kind === "name") out.push(of.text);
  for (const item of of.items) variables(item, out);
  return out;
}
