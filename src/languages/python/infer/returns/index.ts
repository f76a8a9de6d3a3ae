/**
 * Infers a program's answers without running it: their families, whether a function can end without an answer, and which
 * parameters it reads. A function whose answers can never equal the reference's fails, however similar the texts are.
 */

import { oncePer } from "../../../../util/remember.ts";
import { meaningsOf } from "../../normalize/canonical/purity.ts";
import { likelyTermFlow } from "../../normalize/canonical/term-flow.ts";
import { namesIn, some, type Term, type TermOf, unlessTooDeep } from "../../normalize/canonical/terms.ts";
import {
  either,
  type Families,
  familiesOf,
  isSettled,
  known,
  membersOf,
  nameOf,
  type Scope,
  scopeOf,
} from "./families.ts";

export interface Returns {
  /** Families of the returned values; null if they may be anything. */
  readonly families: Families;
  /** Families of the elements, if it returns only lists, only tuples or only sets. */
  readonly members: Families;
  /** Whether it returns any value, or yields. */
  readonly answers: boolean;
  /** Whether it can reach its end without returning. */
  readonly ends: boolean;
  /** The minimum and maximum number of positional arguments. */
  readonly least: number;
  readonly most: number;
  /** For each parameter by position: whether it is read. */
  readonly reads: readonly boolean[];
}

/** For each top-level function and each method of a judge's `class Solution`, by name, in order. */
export type ReturnsOf = ReadonlyMap<string, Returns>;

/**
 * The returns of a program's functions. Empty if the program reads standard input (then no test calls its functions), has no
 * terms, or is nested too deep for the stack.
 */
export const returnsOf = (program: Term | null): ReturnsOf => (program === null ? new Map() : answersIn(program));

const answersIn = oncePer((program: Term): ReturnsOf => unlessTooDeep(() => readAnswers(program), new Map()));

function readAnswers(program: Term): ReturnsOf {
  const functions = new Map<string, TermOf<"function">>();
  const take = (items: readonly Term[]): void => {
    for (const item of items) {
      if (item.kind === "function") functions.set(item.text.replace(/^.* /, ""), item);
      else if (item.kind === "class" && item.text === "Solution") take(item.items[2].items);
    }
  };
  take(program.items);
  if (some(program, readsInput)) return new Map();
  // A `class Solution` is assumed not to overload operators.
  const hasClasses = some(program, ({ kind, text }) => kind === "class" && text !== "Solution");
  const meanings = { ...meaningsOf(program), hasClasses };
  const families = new Map<string, Families>([...functions.keys()].map((name) => [name, new Set()]));
  const answers = new Map<string, Returns>();
  let calls = false; // whether one function calls another
  let isRead = false; // whether another round would find the same
  const callOf = (name: string): Families | undefined => {
    calls ||= families.has(name);
    return families.get(name);
  };
  const read = (): number => {
    if (isRead) return 0;
    for (const [name, of] of functions) {
      const seen = answersOfOne(of, { meanings, callOf });
      answers.set(name, seen);
      families.set(name, either([families.get(name)!, seen.families]));
    }
    isRead = !calls;
    return calls ? known(families.values()) : 0;
  };
  return isSettled(read) ? answers : new Map();
}

const readsInput = ({ kind, text }: Term): boolean => text === "stdin" || (kind === "name" && text === "input");

function answersOfOne(of: TermOf<"function">, around: Pick<Scope, "meanings" | "callOf">): Returns {
  const [decorators, { items: parameters }, body] = of.items;
  const all = parameters.filter(({ text }) => !/^(?:self|cls|\/)$/.test(text));
  const after = all.findIndex(({ kind }) => kind === "star" || kind === "separator");
  const positional = after < 0 ? all : all.slice(0, after);
  const takesMore = after >= 0 && all[after]!.kind === "star" && all[after]!.text === "*";
  const read = namesIn(body);
  const parts = own(body);
  const yields = parts.some(({ kind }) => kind === "yield");
  const ends = !yields && likelyTermFlow.completes(body);
  const returned = parts.filter((part) => part.kind === "return").map(({ items: [value] }) => value);
  let [families, members]: [Families, Families] = [null, null];
  if (yields) families = new Set(["iterator"] as const);
  else if (decorators.items.length === 0 && !of.text.startsWith("async")) {
    const scope = scopeOf(new Set(parameters.map((parameter) => nameOf(parameter).text)), body, around);
    const none: Families[] = ends ? [new Set(["None"] as const)] : [];
    families = either([...returned.map((value) => familiesOf(value, scope)), ...none]);
    const isHolder = families?.size === 1 && HOLDERS.has([...families][0]!);
    members = isHolder ? either(returned.map((value) => membersOf(value, scope))) : null;
  }
  return {
    families,
    members,
    answers: yields || returned.some(({ kind }) => kind !== "nothing"),
    ends,
    least: positional.filter(({ kind }) => kind !== "default").length,
    most: takesMore ? Number.POSITIVE_INFINITY : positional.length,
    reads: positional.map((parameter) => read.has(nameOf(parameter).text)),
  };
}

const HOLDERS: ReadonlySet<string> = new Set(["list", "tuple", "set"]);

const isFunction = ({ kind }: Term): boolean => kind === "function" || kind === "lambda" || kind === "class";

/** All parts of a body, except those of nested functions and classes. */
function own(body: Term): readonly Term[] {
  const parts = [body];
  for (const { items } of parts) parts.push(...items.filter((item) => !isFunction(item)));
  return parts;
}
