/**
 * A program with one of its lines out of sight, once for every line that says something by itself. The rest still parses:
 * a statement is taken away with its lines, or becomes `pass` where it is its block's only one; what heads a block becomes
 * `if True:` (`elif True:`, `except Exception:`). Programs that do not parse lose their lines as they are.
 */
import { loadParser, type Node, type Program } from "../languages/python/syntax/parse.ts";

export interface Occluded {
  /** First line of the statement, from 1. */
  readonly line: number;
  /** Its lines, joined by `\n`. */
  readonly text: string;
  /** The program without it. */
  readonly code: string;
}

/** What replaces the source from `start` to `end`; it stands for the lines `from` to `to` (from 0). */
interface Cut {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Longer texts are hardly programs, and no model sees their end. */
const MAX_PARSED = 50_000;

const HEADS: Readonly<Record<string, string>> = {
  if_statement: "if True:",
  for_statement: "if True:",
  while_statement: "if True:",
  with_statement: "if True:",
  elif_clause: "elif True:",
  except_clause: "except Exception:",
};

/** In the order of the program. @param limit variants at most, the first ones */
export async function occlude(code: string, limit: number): Promise<Occluded[]> {
  const lines = new Lines(code);
  const program = await parse(code);
  const variants: Occluded[] = [];
  for (const cut of program === null || program.broken ? lineCuts(lines) : statementCuts(program, lines)) {
    if (variants.length >= limit) break;
    const left = code.slice(0, cut.start) + cut.text + code.slice(cut.end);
    if (left === code) continue; // it was `pass`
    variants.push({
      line: cut.from + 1,
      text: lines.text(cut.from, cut.to),
      code: left.trim() === "" ? "pass\n" : left,
    });
  }
  return variants;
}

/** Null where the parser cannot hold the program: too long, or nested too deeply. */
async function parse(code: string): Promise<Program | null> {
  if (code.length > MAX_PARSED) return null;
  const parser = await loadParser();
  try {
    return parser(code);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function* lineCuts(lines: Lines): Generator<Cut> {
  for (let at = 0; at < lines.count; at++) {
    if (lines.text(at, at).trim() !== "") yield { ...lines.span(at, at), from: at, to: at, text: "" };
  }
}

function* statementCuts({ root, code }: Program, lines: Lines): Generator<Cut> {
  yield* blockCuts(root);

  function* blockCuts(block: Node): Generator<Cut> {
    const groups = onOwnLines(block.children.filter(({ named }) => named));
    const working = groups.filter((group) => group.some(({ type }) => type !== "comment"));
    for (const group of groups) {
      const [first, last] = [group[0]!, group.at(-1)!];
      if (group.length === 1 && hasOwnBlock(first)) yield* compoundCuts(first);
      else {
        const only = working.length === 1 && working[0] === group && block !== root;
        yield cut(first, last, only ? "pass" : null);
      }
    }
  }

  /** The heads of a compound statement and what its blocks hold. */
  function* compoundCuts(node: Node): Generator<Cut> {
    const colon = node.children.find(({ type }) => type === ":");
    const head = HEADS[node.type];
    if (head !== undefined && colon) {
      const [from, to] = [lines.at(node.start), lines.at(colon.start)];
      yield { from, to, start: node.start, end: colon.end, text: head };
    }
    for (const child of node.children) {
      if (child.type === "decorator") yield cut(child, child, null);
      else if (child.type === "block") yield* blockCuts(child);
      else if (child.type === "comment" && lines.isAlone(child)) yield cut(child, child, null);
      else if (isPart(child) && hasOwnBlock(child)) yield* compoundCuts(child);
      else if (child.type === "elif_clause" || child.type === "else_clause") yield cut(child, child, null);
    }
  }

  /** @param text in the place of the nodes; null: their lines go, too */
  function cut(first: Node, last: Node, text: string | null): Cut {
    const end = Math.max(last.start, trimmedEnd(last));
    const [from, to] = [lines.at(first.start), lines.at(end)];
    if (text !== null) return { from, to, start: first.start, end, text };
    return { from, to, ...lines.span(from, to), text: "" };
  }

  /** tree-sitter ends some nodes behind the newline that follows them. */
  function trimmedEnd({ start, end }: Node): number {
    return start + code.slice(start, end).trimEnd().length;
  }

  /** Statements that share a line go together (`a = 1; b = 2`, `x = 1  # note`). */
  function onOwnLines(nodes: readonly Node[]): Node[][] {
    const groups: Node[][] = [];
    let reached = -1;
    for (const node of nodes) {
      if (lines.at(node.start) === reached) groups.at(-1)!.push(node);
      else groups.push([node]);
      reached = lines.at(trimmedEnd(node));
    }
    return groups;
  }

  /** Its block begins on a line of its own: there is a head and a body. */
  function hasOwnBlock(node: Node): boolean {
    return node.children.some((child) => (child.type === "block" ? lines.isAlone(child) : isDefinition(child)));
  }
}

/** What is below a decorator. */
const isDefinition = ({ type }: Node): boolean => type === "function_definition" || type === "class_definition";
const isPart = (node: Node): boolean => node.type.endsWith("_clause") || isDefinition(node);

/** The lines of a text and where they begin. */
class Lines {
  readonly #code: string;
  readonly #starts: number[] = [0];

  constructor(code: string) {
    this.#code = code;
    for (let at = code.indexOf("\n"); at !== -1; at = code.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  get count(): number {
    return this.#starts.length;
  }

  /** The line, from 0, that an offset lies on. */
  at(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low;
  }

  /** From the first line's start to the last one's end, its newline included. */
  span(from: number, to: number): { start: number; end: number } {
    return { start: this.#starts[from]!, end: this.#starts[to + 1] ?? this.#code.length };
  }

  text(from: number, to: number): string {
    const { start, end } = this.span(from, to);
    return this.#code
      .slice(start, end)
      .replace(/\r?\n$/, "")
      .replaceAll("\r\n", "\n");
  }

  /** Nothing stands before it on its line. */
  isAlone({ start }: Node): boolean {
    return this.#code.slice(this.#starts[this.at(start)]!, start).trim() === "";
  }
}
