/**
 * What can be seen of a program's answers without running it: of which kinds they are, whether a function can end without one,
 * which parameters it looks at. A function whose answers can never equal the reference's fails, however alike the texts are.
 */
import { type Meanings, meaningsOf } from "../canonical/purity.ts";
import { isLiteral, namesIn, some, type Term, type TermOf } from "../canonical/terms.ts";
import { either, type Kinds, kindsOf, membersOf, nameOf, type Scope, valuesIn } from "./kinds.ts";

export interface Answers {
  /** Kinds of the values that it returns; null where they may be anything. */
  readonly kinds: Kinds;
  /** Kinds of what the lists, tuples or sets hold that it returns, where it returns one sort of these alone. */
  readonly members: Kinds;
  /** Whether it returns any value, or yields. */
  readonly answers: boolean;
  /** Whether it can come to its end without one. */
  readonly ends: boolean;
  /** How many arguments it needs and takes by position. */
  readonly least: number;
  readonly most: number;
  /** Of each parameter by position, whether it is read. */
  readonly reads: readonly boolean[];
}

/** Of the functions outside of others and the methods of a judge's `class Solution`, by name, in order. */
export type AnswersOf = ReadonlyMap<string, Answers>;

/** Empty for a program that has no terms. */
export function answersOf(program: Term | null): AnswersOf {
  if (program === null) return new Map();
  const functions = new Map<string, TermOf<"function">>();
  const take = (items: readonly Term[]): void => {
    for (const item of items) {
      if (item.kind === "function") functions.set(functionName(item), item);
      else if (item.kind === "class" && item.text === "Solution") take(item.items[2].items);
    }
  };
  take(program.items);
  // A `class Solution` has no operators of its own.
  const hasClasses = some(program, ({ kind, text }) => kind === "class" && text !== "Solution");
  const reader = new Reader(functions, { ...meaningsOf(program), hasClasses });
  return new Map([...functions].map(([name, of]) => [name, reader.answers(of)]));
}

const functionName = ({ text }: TermOf<"function">): string => text.replace(/^.* /, "");

class Reader {
  readonly #functions: ReadonlyMap<string, TermOf<"function">>;
  readonly #meanings: Meanings;
  readonly #known = new Map<string, Kinds>();
  readonly #scopes = new Map<TermOf<"function">, Scope>();

  constructor(functions: ReadonlyMap<string, TermOf<"function">>, meanings: Meanings) {
    this.#functions = functions;
    this.#meanings = meanings;
  }

  answers(of: TermOf<"function">): Answers {
    const [, parameters, body] = of.items;
    const all = parameters.items.filter(({ text }) => text !== "self" && text !== "/");
    const after = all.findIndex(({ kind }) => kind === "star" || kind === "separator");
    const positional = after < 0 ? all : all.slice(0, after);
    const takesMore = after >= 0 && all[after]!.kind === "star" && all[after]!.text === "*";
    const read = namesIn(body);
    const returned = returnsOf(body);
    const kinds = this.#kinds(of);
    return {
      kinds,
      members: kinds?.size === 1 && HOLDERS.has([...kinds][0]!) ? this.#members(of) : null,
      answers: returned.some(({ items }) => items[0].kind !== "nothing") || yields(body),
      ends: !yields(body) && canEnd(body),
      least: positional.filter(({ kind }) => kind !== "default").length,
      most: takesMore ? Number.POSITIVE_INFINITY : positional.length,
      reads: positional.map((parameter) => read.has(nameOf(parameter).text)),
    };
  }

  /** Nothing while it is being worked out, so that what a function gets from itself adds nothing. */
  #kinds(of: TermOf<"function">): Kinds {
    const name = functionName(of);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    this.#known.set(name, new Set());
    const kinds = this.#work(of);
    this.#known.set(name, kinds);
    return kinds;
  }

  #work(of: TermOf<"function">): Kinds {
    const [decorators, , body] = of.items;
    if (of.text.startsWith("async") || decorators.items.length > 0) return null;
    if (yields(body)) return new Set(["iterator"] as const);
    const scope = this.#scopeOf(of);
    const returned = returnsOf(body).map(({ items: [value] }): Kinds => {
      return value.kind === "nothing" ? new Set(["None"] as const) : kindsOf(value, scope);
    });
    if (canEnd(body)) returned.push(new Set(["None"] as const));
    return either(returned);
  }

  #members(of: TermOf<"function">): Kinds {
    const scope = this.#scopeOf(of);
    return either(returnsOf(of.items[2]).map(({ items: [value] }) => membersOf(value, scope)));
  }

  #scopeOf(of: TermOf<"function">): Scope {
    const [, parameters, body] = of.items;
    const known = this.#scopes.get(of);
    if (known !== undefined) return known;
    const { values, members } = valuesIn(body);
    const names = new Set(parameters.items.map((parameter) => nameOf(parameter).text));
    for (const name of names) values.delete(name);
    const callOf = (name: string): Kinds | undefined => {
      const called = values.has(name) ? undefined : this.#functions.get(name);
      return called && this.#kinds(called);
    };
    const scope = { values, members, parameters: names, meanings: this.#meanings, callOf };
    this.#scopes.set(of, scope);
    return scope;
  }
}

const HOLDERS: ReadonlySet<string> = new Set(["list", "tuple", "set"]);

const isFunction = ({ kind }: Term): boolean => kind === "function" || kind === "lambda" || kind === "class";

/** What of a body is its own and not that of a function in it. */
const own = (body: Term): readonly Term[] => [body, ...body.items.filter((item) => !isFunction(item)).flatMap(own)];

const returnsOf = (body: Term): TermOf<"return">[] => own(body).filter((part) => part.kind === "return");

const yields = (body: Term): boolean => own(body).some(({ kind }) => kind === "yield");

/** Whether what comes after a block can be reached. */
function canEnd(block: Term): boolean {
  return block.items.every((statement) => {
    switch (statement.kind) {
      case "return":
      case "raise":
        return false;
      case "assert":
        return !isLiteral(statement.items[0], "False");
      case "if":
        return canEnd(statement.items[1]) || canEnd(statement.items[2]);
      case "while":
        return (
          !/^(?:True|1)$/.test(statement.items[0].text) || some(statement.items[1], ({ kind }) => kind === "break")
        );
      case "with":
        return canEnd(statement.items[1]);
      case "try": {
        const [body, handlers, no, last] = statement.items;
        const through = canEnd(body) && canEnd(no);
        return canEnd(last) && (through || handlers.items.some((handler) => canEnd(handler.items[2]!)));
      }
      default:
        return true;
    }
  });
}
