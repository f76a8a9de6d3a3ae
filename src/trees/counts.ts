/**
 * Counts what a program consists of: each kind of statement and expression, each operator, comparison and call. A program that reads a list
 * by index where the reference iterates over it, or divides where it does not, fails in other ways and more often. The trees (`forest.ts`)
 * learn by how much.
 */
import { isRenamed, type Term, unlessTooDeep } from "../languages/python/index.ts";

/** Elements of a program by name, each with how often it occurs. */
export type Counts = ReadonlyMap<string, number>;

/** Counts of a program's plain form. Null if it has no terms, or is nested too deeply for our stack. */
export function countsOf(program: Term | null): Counts | null {
  if (program === null) return null;
  const counts = new Map<string, number>();
  return unlessTooDeep(() => {
    count(program, { counts, inFunction: "", depth: 0 });
    return counts;
  }, null);
}

interface Place {
  readonly counts: Map<string, number>;
  /** Name of the enclosing function; empty outside functions. */
  readonly inFunction: string;
  /** Number of enclosing loops. */
  readonly depth: number;
}

const LOOPS: ReadonlySet<string> = new Set(["for", "while", "comprehension"]);

function count(of: Term, { counts, inFunction, depth }: Place): void {
  for (const element of [of.kind, ...elementsOf(of, inFunction)]) counts.set(element, (counts.get(element) ?? 0) + 1);
  const deeper = depth + (LOOPS.has(of.kind) ? 1 : 0);
  if (deeper > (counts.get("loops in loops") ?? 0)) counts.set("loops in loops", deeper);
  const inside = of.kind === "function" ? nameOf(of) : inFunction;
  for (const item of of.items) count(item, { counts, inFunction: inside, depth: deeper });
}

/** A function's name without `def` or `async def`. */
const nameOf = ({ text }: Term): string => text.replace(/^.* /, "");

/** Elements of a term besides its kind. */
function elementsOf(of: Term, inFunction: string): string[] {
  const [first, second, third] = of.items;
  switch (of.kind) {
    case "operation":
    case "augment":
    case "unary":
    case "logic":
      return [`operator ${of.text.replace(/=$/, "")}`];
    case "compare":
      return of.text.split(",").map((operator) => `compare ${operator}`);
    case "call":
      return [callOf(first!, inFunction)];
    case "comprehension":
      return [`comprehension ${of.text}`];
    case "literal":
      return [`literal ${literalOf(of.text)}`];
    case "subscript":
      return [`subscript ${second?.kind === "literal" ? literalOf(second.text) : second?.kind}`];
    case "if":
      return [`if ${first!.kind}`, ...(third!.items.length > 0 ? ["else"] : [])];
    case "while":
    case "return":
      return [`${of.kind} ${first!.kind}`];
    case "import":
      return [`import ${of.text}`];
    default:
      return [];
  }
}

/** A call by the name of its method or function, as a call of the enclosing function itself, or as a call of a variable of the program. */
function callOf(callee: Term, inFunction: string): string {
  if (callee.kind === "attribute") return `call .${callee.text}`;
  if (callee.kind !== "name") return `call of ${callee.kind}`;
  if (callee.text === inFunction) return "call itself";
  return isRenamed(callee.text) ? "call variable" : `call ${callee.text}`;
}

/** The most common literals by their text, others by their type. */
function literalOf(text: string): string {
  if (/^(?:True|False|None|[012]|""|'')$/.test(text)) return text.replace("''", '""');
  if (!/^\d/.test(text)) return "text";
  return text.includes(".") ? "float" : "integer";
}
