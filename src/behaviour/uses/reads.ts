/**
 * Texts for a program that reads standard input line by line, by `input()` or `sys.stdin.readline()`: the lines in the order in which the
 * program reads them, as many as its loops read, each with the parts that the program takes from it.
 */
import {
  descendants,
  enclosing,
  field,
  type Node,
  type Program,
  parts,
  textOf,
} from "../../languages/python/syntax/walk.ts";
import type { Random } from "../../util/random.ts";
import type { Maker } from "./make.ts";
import type { SaidLetters } from "./said-letters.ts";
import { type Term, textsOf } from "./term.ts";

/** Maximum lines of a text, and calls of functions within each other that are followed. */
const MOST_LINES = 24;
const DEEPEST = 4;
const MOST_STEPS = 60;
/** Maximum nodes that are visited, those of a function at each of its calls, and levels of nodes. */
const MOST_VISITED = 20_000;
const MOST_LEVELS = 200;
const MOST_ROUNDS = 5;
/** Maximum rounds of all loops together. Some read no line. */
const MOST_RUN = 500;
/** Largest number that says how many lines or numbers follow. */
const MOST_COUNT = 5;

type Step =
  | { readonly kind: "read"; readonly term: Term }
  /** All lines that are left, taken as text. */
  | { readonly kind: "rest" }
  /** The last line is the value of a name, or its words are the values of several. */
  | { readonly kind: "assign"; readonly names: readonly string[] }
  | {
      readonly kind: "loop";
      readonly count: Count | null;
      readonly ends: readonly string[];
      readonly steps: readonly Step[];
    };

/** The number of rounds of a loop: the value of a name, plus `plus`. Without a name, `plus`. */
interface Count {
  readonly name: string | null;
  readonly plus: number;
}

const LOOPS = /^(?:for_statement|while_statement)$/;
const COMPREHENSION = /^(?:list|set|dictionary)_comprehension$|^generator_expression$/;

/** What a line is made with. `values`: of names, from earlier lines. `row`: characters of lines that are not taken apart, and their number. */
interface Writing {
  readonly values: ReadonlyMap<string, number>;
  readonly maker: Maker;
  readonly rng: Random;
  readonly row: { readonly letters: readonly string[]; readonly count: number } | null;
}

/** The lines that a program reads. */
export class Reads {
  readonly #steps: readonly Step[];
  /** Names that say how often a loop runs. */
  readonly #counting: ReadonlySet<string>;

  /**
   * `read`: the terms of the calls that read a line. `each`: the term of the lines in `for line in sys.stdin`. Null if no call reads a line, or
   * if contests' layouts fit as well.
   */
  static of(program: Program, read: ReadonlyMap<Node, Term>, each: Term | null): Reads | null {
    const [root] = program.nodes;
    if (read.size === 0 || root === undefined) return null;
    const functions = new Map(
      program.nodes
        .filter(({ type }) => type === "function_definition")
        .map((node) => [textOf(program, field(node, "name")!), node]),
    );
    const steps = new Planner(program, read, each, functions).stepsIn(root, 0);
    const all = flattened(steps);
    const isPlain = all.every((step) => step.kind !== "loop" && (step.kind !== "read" || isOfNumbers(step.term)));
    return all.some(({ kind }) => kind === "read") && !isPlain ? new Reads(steps, all) : null;
  }

  private constructor(steps: readonly Step[], all: readonly Step[]) {
    this.#steps = steps;
    this.#counting = new Set(
      all.flatMap((step) => (step.kind === "loop" && step.count?.name ? [step.count.name] : [])),
    );
  }

  /** `letters`: the characters of lines that the program does not take apart. */
  text(maker: Maker, rng: Random, letters: SaidLetters | null): string {
    const lines: string[] = [];
    const row = letters && { letters: letters.letters, count: letters.count ?? rng.int(2, 5) };
    const values = new Map<string, number>();
    let left = MOST_RUN;
    const run = (steps: readonly Step[]): void => {
      for (const [i, step] of steps.entries()) {
        if (lines.length >= MOST_LINES) return;
        if (step.kind === "read") {
          const next = steps[i + 1];
          lines.push(this.#line(step.term, next?.kind === "assign" ? next.names : [], { values, maker, rng, row }));
        } else if (step.kind === "rest") {
          lines.push(...Array.from({ length: rng.int(0, MOST_ROUNDS) }, () => prose(rng)));
        } else if (step.kind === "assign") {
          const words = (lines.at(-1) ?? "").split(/\s+/);
          for (const [k, name] of step.names.entries()) values.set(name, Number(words[k] ?? ""));
        } else {
          const { name, plus } = step.count ?? { name: null, plus: 0 };
          const known = name === null ? plus : (values.get(name) ?? Number.NaN) + plus;
          const rounds = step.count === null || Number.isNaN(known) ? rng.int(0, MOST_ROUNDS) : known;
          const start = lines.length;
          for (let round = 0; round < rounds && lines.length < MOST_LINES && left > 0; round++) {
            left -= 1;
            run(step.steps);
          }
          if (step.ends.length === 0) continue;
          // Programs may ignore the case of the last line.
          const isEnd = (line: string): boolean =>
            step.ends.some((end) => end.toLowerCase() === line.trim().toLowerCase());
          lines.push(...lines.splice(start).filter((line) => !isEnd(line)), rng.pick(step.ends));
        }
      }
    };
    run(this.#steps);
    return `${lines.join("\n")}\n`;
  }

  #line(term: Term, names: readonly string[], { values, maker, rng, row }: Writing): string {
    const { split } = term.root;
    if (names.some((name) => this.#counting.has(name))) {
      const words = names.map((name) => `${rng.int(1, this.#counting.has(name) ? MOST_COUNT : 9)}`);
      return words.join(" ");
    }
    // `n`, and then n numbers on a line
    const [size] = [...values].filter(([name, value]) => !this.#counting.has(name) && value >= 1 && value <= 9);
    if (size !== undefined && split !== null && split.parts.root.positions.length === 0 && isOfNumbers(term))
      return Array.from({ length: size[1] }, () => rng.int(1, 9)).join(split.separator);
    if (row !== null && split === null && textsOf(term.root).length === 0 && !term.root.uses.has("digits"))
      return Array.from({ length: row.count }, () => rng.pick(row.letters)).join("");
    const made = maker.make(term, 0);
    return made.t === "str" ? made.v.replaceAll("\n", " ") : "v" in made ? String(made.v) : "";
  }
}

const WORDS = ["ann", "bob", "the", "a", "cat"];

/** A line of text with repeated words, capitals and punctuation. */
const prose = (rng: Random): string =>
  Array.from({ length: rng.int(1, 6) }, () => {
    const word = rng.pick(WORDS);
    return (rng.chance(0.2) ? word.toUpperCase() : word) + (rng.chance(0.2) ? rng.pick([",", ".", "!"]) : "");
  }).join(" ");

const flattened = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step) => (step.kind === "loop" ? [step, ...flattened(step.steps)] : [step]));

/** Whether a program turns a line, or all its parts, into numbers. */
function isOfNumbers({ root: { uses, split } }: Term): boolean {
  if (split === null) return uses.has("digits");
  const { positions, item, value } = split.parts.root;
  const all = [...positions, item, value].filter((part) => part !== null);
  return all.length > 0 && all.every((part) => part.root.uses.has("digits"));
}

class Planner {
  readonly #program: Program;
  readonly #read: ReadonlyMap<Node, Term>;
  readonly #each: Term | null;
  readonly #functions: ReadonlyMap<string, Node>;
  #left = MOST_STEPS;
  #visited = 0;
  #level = 0;

  constructor(
    program: Program,
    read: ReadonlyMap<Node, Term>,
    each: Term | null,
    functions: ReadonlyMap<string, Node>,
  ) {
    this.#program = program;
    this.#read = read;
    this.#each = each;
    this.#functions = functions;
  }

  /** The steps of a part of the program, in the order of its text. */
  stepsIn(node: Node, depth: number): Step[] {
    if (depth > DEEPEST || this.#level >= MOST_LEVELS) return [];
    this.#level += 1;
    const steps = node.children.flatMap((child) => this.#stepsOf(child, depth));
    this.#level -= 1;
    return steps;
  }

  #stepsOf(node: Node, depth: number): Step[] {
    this.#visited += 1;
    if (this.#left <= 0 || this.#visited > MOST_VISITED) return [];
    if (node.type === "function_definition" || node.type === "lambda") return [];
    if (LOOPS.test(node.type)) return this.#loop(node, depth);
    if (COMPREHENSION.test(node.type)) return this.#comprehension(node, depth);
    const inside = this.stepsIn(node, depth);
    if (node.type === "assignment" && inside.some(({ kind }) => kind === "read")) {
      const left = field(node, "left");
      const names = left === undefined ? [] : left.type === "identifier" ? [left] : parts(left);
      return inside.at(-1)?.kind === "read"
        ? [...inside, { kind: "assign", names: names.map((one) => textOf(this.#program, one)) }]
        : inside;
    }
    if (node.type === "call" && /^sys\.stdin\.(?:read|readlines)\(\)$/.test(this.#textOf(node)))
      return [{ kind: "rest" }];
    const term = this.#read.get(node);
    if (term !== undefined) {
      this.#left -= 1;
      return [...inside, { kind: "read", term }];
    }
    if (node.type !== "call") return inside;
    const called = this.#functions.get(textOf(this.#program, field(node, "function") ?? node));
    const body = called && field(called, "body");
    return body === undefined ? inside : [...inside, ...this.stepsIn(body, depth + 1)];
  }

  #loop(node: Node, depth: number): Step[] {
    const [head, body] =
      node.type === "for_statement" ? [field(node, "right"), field(node, "body")] : [undefined, node];
    const before = head === undefined ? [] : this.#stepsOf(head, depth);
    const isEach = this.#each !== null && /^(?:sys\.)?stdin$/.test(this.#textOf(head));
    const inside = body === undefined ? [] : this.stepsIn(body, depth);
    const steps: Step[] = isEach ? [{ kind: "read", term: this.#each! }, ...inside] : inside;
    if (!flattened(steps).some(({ kind }) => kind === "read")) return [...before, ...steps];
    const count = head === undefined ? null : this.#countOf(head, before);
    const ends = node.type === "while_statement" ? this.#endsOf(node) : [];
    return [...before, ...(count?.named ?? []), { kind: "loop", count: count?.count ?? null, ends, steps }];
  }

  #comprehension(node: Node, depth: number): Step[] {
    const body = field(node, "body");
    const clause = node.children.find(({ type }) => type === "for_in_clause");
    const head = clause && field(clause, "right");
    const before = head === undefined ? [] : this.#stepsOf(head, depth);
    const steps = body === undefined ? [] : this.#stepsOf(body, depth);
    if (steps.length === 0) return before;
    const count = head === undefined ? null : this.#countOf(head, before);
    return [...before, ...(count?.named ?? []), { kind: "loop", count: count?.count ?? null, ends: [], steps }];
  }

  /** The count of `range(n)`, `range(n - 1)`, `range(3)` and `range(int(input()))`. */
  #countOf(head: Node, before: readonly Step[]): { count: Count; named: readonly Step[] } | null {
    const text = textOf(this.#program, head).slice(0, 80);
    const found = /^range\((?:[01], ?)?(?:(\d{1,3})|([A-Za-z_]\w{0,40})(?: ?([-+]) ?(\d{1,2}))?)\)$/.exec(text);
    if (found !== null) {
      const [, number, name, sign, plus] = found;
      if (number !== undefined) return { count: { name: null, plus: Number(number) }, named: [] };
      return { count: { name: name!, plus: sign === undefined ? 0 : Number(`${sign}${plus}`) }, named: [] };
    }
    if (before.at(-1)?.kind !== "read" || !text.startsWith("range(")) return null;
    const name = `range at ${head.start}`;
    return { count: { name, plus: 0 }, named: [{ kind: "assign", names: [name] }] };
  }

  /** The lines that end a `while` loop: `if line == "quit": break`, `while line != "end"`, `if not line: break`. */
  #endsOf(loop: Node): string[] {
    const condition = field(loop, "condition");
    const asked = descendants(loop)
      .filter(({ type }) => type === "if_statement")
      .filter((node) => enclosing(node, "for_statement", "while_statement") === loop)
      .filter((node) => /^(?:break|return)\b/.test(this.#textOf(field(node, "consequence"))))
      .map((node) => this.#textOf(field(node, "condition")));
    const while_ = this.#textOf(condition);
    const equal = asked.flatMap((text) => [...text.matchAll(/(?:==|\bin [([{]?) ?["']([^"'\n]{0,30})["']/g)]);
    const unequal = [...while_.matchAll(/!= ?["']([^"'\n]{0,30})["']/g)];
    const isForever = /^(?:True|1)$/.test(while_);
    const isEmpty = isForever
      ? asked.some((text) => /^not \w{1,30}(?:\.strip\(\))?$/.test(text))
      : /^\w{1,30}$/.test(while_);
    return [...[...equal, ...unequal].map(([, text]) => text!), ...(isEmpty ? [""] : [])];
  }

  #textOf(node: Node | undefined): string {
    return node === undefined ? "" : textOf(this.#program, node).slice(0, 200);
  }
}
