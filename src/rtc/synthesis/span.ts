/**
 * Spans of a Python file that can make a round trip: one or more consecutive statements of one block, 32 to 384 characters. The
 * probability of a span is proportional to the sum over its characters of 1 / (number of spans that contain the character)
 * (Allamanis et al. 2024, section 4.2). Source: tree-sitter-python. Runs nothing.
 */
import { lineNumber } from "../../languages/python/syntax/parse.ts";
import { enclosing, field, loadParser, type Node, type Program } from "../../languages/python/syntax/walk.ts";
import { Random } from "../../util/random.ts";
import { lineStart } from "./region.ts";

export interface SourceFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly text: string;
}

export interface Span {
  readonly file: SourceFile;
  /** `path:first-last`, with lines from 1. */
  readonly id: string;
  /** Offsets of whole lines in the file's text, without the last line break. */
  readonly start: number;
  readonly end: number;
  /** White space before the first line. */
  readonly indent: string;
  /** Whether the span is all of its block, which must not be left empty. */
  readonly wholeBlock: boolean;
  /** Proportional to the probability that the span is drawn. */
  readonly weight: number;
  /** The text around the span that is compared with it. See `surroundings`. */
  readonly unit: Unit;
}

/** The whole statements of its function around a span that fit into its context. Outside of functions, the span alone. */
export interface Unit {
  readonly start: number;
  readonly end: number;
  /** Start and end of the signature of the function around them. Null if they are the whole function, or in none. */
  readonly signature: { readonly start: number; readonly end: number } | null;
}

export interface SpanOptions {
  /** Minimum and maximum characters of a span. @default 32 and 384 */
  readonly least?: number;
  readonly most?: number;
  /** Maximum characters of the whole lines shown before and after, together. @default 1024 */
  readonly context?: number;
}

export const spanDefaults = { least: 32, most: 384, context: 1024 } as const;

/** All spans of a file, ordered by start. None if the file does not parse. Tests in the file are left out. */
export async function findSpans(file: SourceFile, options: SpanOptions = {}): Promise<Span[]> {
  const { least, most, context } = { ...spanDefaults, ...options };
  const program = (await loadParser())(file.text);
  if (program.broken) return [];
  const runs: { from: Node; to: Node; whole: boolean }[] = [];
  for (const block of blocksOf(program)) {
    block.forEach((from, i) => {
      for (let j = i; j < block.length; j++) {
        const to = block[j]!;
        if (to.end - from.start > most || !standsAlone(file.text, to) || isTest(program, to)) break;
        if (!standsAlone(file.text, from) || to.end - from.start < least) continue;
        runs.push({ from, to, whole: i === 0 && j === block.length - 1 && from.parent!.type === "block" });
      }
    });
  }
  const shares = sharesOf(
    file.text.length,
    runs.map(({ from, to }) => ({ start: from.start, end: to.end })),
  );
  return runs
    .sort((a, b) => a.from.start - b.from.start || a.to.end - b.to.end)
    .map(({ from, to, whole }) => {
      const start = lineStart(file.text, from.start);
      const end = lineEnd(file.text, to.end);
      return {
        file,
        id: `${file.path}:${lineNumber(file.text, start)}-${lineNumber(file.text, end)}`,
        start,
        end,
        indent: file.text.slice(start, from.start),
        wholeBlock: whole,
        weight: shares[to.end]! - shares[from.start]!,
        unit: unitAround(file.text, { from, to }, windowAround(file.text, { start, end }, context)),
      };
    });
}

/** All spans in the order of a weighted draw without replacement. The same seed gives the same order. */
export function drawSpans(spans: readonly Span[], seed: number): Span[] {
  const rng = new Random(seed);
  // Efraimidis and Spirakis 2006: largest u^(1/w) first.
  return spans
    .map((span) => ({ span, key: Math.log(1 - rng.float()) / span.weight }))
    .sort((a, b) => b.key - a.key)
    .map(({ span }) => span);
}

/** The whole file with `code` in place of the span. */
export const putInto = ({ file, start, end }: Span, code: string): string =>
  file.text.slice(0, start) + code + file.text.slice(end);

/** The whole file without the span. If the span is a whole block, `pass` replaces it. */
export const withoutSpan = (span: Span): string => putInto(span, span.wholeBlock ? `${span.indent}pass` : "");

export const spanText = ({ file, start, end }: Span): string => file.text.slice(start, end);

/** The whole lines before and after the span that a model sees. */
export function contextOf(span: Span, context: number = spanDefaults.context): { before: string; after: string } {
  const { text } = span.file;
  const window = windowAround(text, span, context);
  return { before: text.slice(window.start, span.start), after: text.slice(span.end, window.end) };
}

/**
 * The text that stands for a span, or for other code in its place, in comparisons: as many whole statements of its function as
 * the context has, so that it parses. The function's signature comes first if the statements are not the whole function.
 */
export function surroundings({ file: { text }, start, end, unit }: Span, code: string): string {
  const body = text.slice(unit.start, start) + code + text.slice(end, unit.end);
  const depth = indentAt(text, unit.start).length;
  const shift = (lines: string, cut: number, indent: string): string =>
    lines
      .split("\n")
      .map((line) => (line.trim() === "" ? "" : indent + line.slice(Math.min(cut, /^[ \t]*/.exec(line)![0].length))))
      .join("\n");
  if (unit.signature === null) return `${shift(body, depth, "")}\n`;
  const { start: from, end: to } = unit.signature;
  const signature = shift(text.slice(lineStart(text, from), to), indentAt(text, from).length, "");
  return `${signature}\n${shift(body, depth, "    ")}\n`;
}

/** The statements, in order, of the module and of every block outside tests. */
function blocksOf(program: Program): Node[][] {
  return program.nodes
    .filter((node) => (node.type === "module" || node.type === "block") && !inTest(program, node))
    .map((node) => node.children.filter(({ named, type }) => named && type !== "comment"));
}

function inTest(program: Program, node: Node): boolean {
  for (let at: Node | null = node; at; at = at.parent) if (isTest(program, at)) return true;
  return false;
}

/** Whether pytest or unittest would collect a function or class. */
function isTest({ code }: Program, node: Node): boolean {
  const definition = node.type === "decorated_definition" ? node.children.at(-1)! : node;
  const name = field(definition, "name");
  if (!name) return false;
  const text = code.slice(name.start, name.end);
  return definition.type === "function_definition"
    ? /^test/.test(text)
    : definition.type === "class_definition" && /^Test/.test(text);
}

/** Whether no other statement is on its lines. */
const standsAlone = (text: string, { start, end }: { start: number; end: number }): boolean =>
  text.slice(lineStart(text, start), start).trim() === "" && /^\s*(?:#.*)?$/.test(text.slice(end, lineEnd(text, end)));

/** For each offset: the sum, over the characters before it, of 1 / (number of runs that contain the character). */
function sharesOf(length: number, runs: readonly { start: number; end: number }[]): Float64Array {
  const change = new Int32Array(length + 1);
  for (const { start, end } of runs) {
    change[start]! += 1;
    change[end]! -= 1;
  }
  const sums = new Float64Array(length + 1);
  let covered = 0;
  for (let i = 0; i < length; i++) {
    covered += change[i]!;
    sums[i + 1] = sums[i]! + (covered > 0 ? 1 / covered : 0);
  }
  return sums;
}

/** The whole lines around a span, nearest first. Each side gets half of the characters. One side may use what the other leaves. */
function windowAround(
  text: string,
  { start, end }: { start: number; end: number },
  most: number,
): { start: number; end: number } {
  const back = (budget: number): number => {
    let at = start;
    while (at > 0 && start - lineStart(text, at - 1) <= budget) at = lineStart(text, at - 1);
    return at;
  };
  const forth = (budget: number): number => {
    let at = end;
    while (at < text.length && lineEnd(text, at + 1) - end <= budget) at = lineEnd(text, at + 1);
    return at;
  };
  const behind = forth(most - (start - back(Math.floor(most / 2))));
  return { start: back(most - (behind - end)), end: behind };
}

/** Grows from the span towards its whole function, statement by statement, within the window. */
function unitAround(
  text: string,
  { from, to }: { from: Node; to: Node },
  window: { start: number; end: number },
): Unit {
  const around = enclosing(from, "function_definition");
  let [first, last] = [from, to];
  const fits = (node: Node): boolean =>
    lineStart(text, node.start) >= window.start && node.end <= window.end && standsAlone(text, node);
  for (let inside = around; inside !== null; ) {
    const statements = first.parent!.children.filter(({ named, type }) => named && type !== "comment");
    let [i, j] = [statements.indexOf(first), statements.indexOf(last)];
    while (i > 0 && fits(statements[i - 1]!)) i -= 1;
    while (j + 1 < statements.length && fits(statements[j + 1]!)) j += 1;
    [first, last] = [statements[i]!, statements[j]!];
    const outer = statementAround(first);
    if (outer === null || !fits(outer)) break;
    if (outer === inside || outer === inside.parent) inside = null;
    [first, last] = [outer, outer];
  }
  const whole = around !== null && first.start <= around.start;
  const colon = whole ? undefined : around?.children.findLast(({ type }) => type === ":");
  return {
    start: lineStart(text, first.start),
    end: lineEnd(text, last.end),
    signature: around && colon ? { start: around.start, end: colon.end } : null,
  };
}

/** The statement that contains the block of a node. Null at the top level. */
function statementAround(node: Node): Node | null {
  let at = node.parent?.parent ?? null;
  while (at?.parent && !/^(?:module|block)$/.test(at.parent.type)) at = at.parent;
  return at?.parent ? at : null;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

const indentAt = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, at)))![0];
