/**
 * Variants of a program, each with one line hidden, for every line that does something by itself. A variant still parses: a statement is
 * removed with its lines, or becomes `pass` if it is the only one in its block. The head of a block becomes `if True:` (`elif True:`,
 * `except Exception:`). Programs that do not parse lose single lines of text.
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

/** A replacement of the source from `start` to `end`, which covers the lines `from` to `to` (from 0). */
interface Cut {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Maximum characters to parse. Longer texts are hardly programs, and no model sees their end. */
const MAX_PARSED = 50_000;

const HEADS: Readonly<Record<string, string>> = {
  if_statement: "if True:",
  for_statement: "if True:",
  while_statement: "if True:",
  with_statement: "if True:",
  elif_clause: "elif True:",
  except_clause: "except Exception:",
};

/** In program order. @param limit maximum number of variants, from the top */
export async function occlude(code: string, limit: number): Promise<Occluded[]> {
  const lines = new Lines(code);
  const program = await parse(code);
  const variants: Occluded[] = [];
  for (const cut of program === null || program.broken ? lineCuts(lines) : statementCuts(program, lines)) {
    if (variants.length >= limit) break;
    const left = code.slice(0, cut.start) + cut.text + code.slice(cut.end);
    if (left === code) continue; // the statement was `pass`
    variants.push({
      line: cut.from + 1,
      text: lines.text(cut.from, cut.to),
      code: left.trim() === "" ? "pass\n" : left,
    });
  }
  return variants;
}

/** Null if the parser cannot handle the program: too long, or nested too deeply. */
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

  /** Cuts for the heads of a compound statement and for the statements in its blocks. */
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

  /** @param text replaces the nodes; null removes their whole lines */
  function cut(first: Node, last: Node, text: string | null): Cut {
    const end = Math.max(last.start, trimmedEnd(last));
    const [from, to] = [lines.at(first.start), lines.at(end)];
    if (text !== null) return { from, to, start: first.start, end, text };
    return { from, to, ...lines.span(from, to), text: "" };
  }

  /** The end of a node without trailing whitespace: tree-sitter ends some nodes after the next newline. */
  function trimmedEnd({ start, end }: Node): number {
    return start + code.slice(start, end).trimEnd().length;
  }

  /** Groups statements that share a line (`a = 1; b = 2`, `x = 1  # note`). */
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

  /** Whether its block begins on a separate line, so that head and body can be told apart. */
  function hasOwnBlock(node: Node): boolean {
    return node.children.some((child) => (child.type === "block" ? lines.isAlone(child) : isDefinition(child)));
  }
}

/** What a decorator applies to. */
const isDefinition = ({ type }: Node): boolean => type === "function_definition" || type === "class_definition";
const isPart = (node: Node): boolean => node.type.endsWith("_clause") || isDefinition(node);

/** The lines of a text and their start offsets. */
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

  /** The line, from 0, that contains an offset. */
  at(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low;
  }

  /** From the start of the first line to the end of the last, including its newline. */
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

  /** Whether only whitespace precedes the node on its line. */
  isAlone({ start }: Node): boolean {
    return this.#code.slice(this.#starts[this.at(start)]!, start).trim() === "";
  }
}
