/**
 * Turns a backward model's answer into a whole program. Models answer with a body, a function or a program, with or without a
 * code fence. Each is put where the target was. Only docstrings are dropped, and nothing is repaired.
 */
import escapeRegExp from "escape-string-regexp";
import { CodescoreError } from "../../errors.ts";
import { codeBlocks, isProse } from "../../languages/index.ts";
import { field, loadParser, type Node, type Program } from "../../languages/python/syntax/walk.ts";
import {
  compose,
  cutRegion,
  functionsNamed,
  joinParts,
  lineStart,
  named,
  nameOf,
  type Region,
  textOf,
} from "./region.ts";

/** The program with a region replaced by an answer. Empty if the answer has no code. */
export async function placeAnswer(region: Region, answer: string): Promise<string> {
  const { entry, top, context, afterTop, indent } = region;
  const code = codeOf(answer, entry);
  const program = (await loadParser())(code);
  if (isEmpty(program, entry) || (program.broken && isProse(code))) return "";
  if (entry === null) return withoutDocstring(code, null);
  const { root } = program;
  const names = new Set(named(root).map((statement) => nameOf(statement, code)));
  if (top !== null && names.has(top)) {
    const answered = await withoutDocstring(code, entry);
    return joinParts([await without(context, names), answered, await without(afterTop, names)]);
  }
  return compose(region, reindent(await bodyOf(code, entry), indent));
}

/** Removes the docstring, because the reference lost its own too. Code that does not parse stays as it is. */
async function withoutDocstring(code: string, entry: string | null): Promise<string> {
  try {
    const region = await cutRegion(code, entry);
    return compose(region, region.target);
  } catch (error) {
    if (!(error instanceof CodescoreError) || error.code !== "input") throw error;
    return joinParts([code]);
  }
}

/** The code in the first fence that defines the function, otherwise in the first fence, otherwise the whole answer. */
function codeOf(answer: string, entry: string | null): string {
  const fences = codeBlocks(answer);
  const defines = (code: string): boolean =>
    entry !== null && new RegExp(`\\bdef\\s+${escapeRegExp(entry)}\\b`).test(code);
  return fences.find(defines) ?? fences[0] ?? answer.replace(/\r\n?/g, "\n");
}

/** Whether an answer has no statements: only comments and a docstring, or a function with only these. Models may copy the question so. */
function isEmpty(program: Program, entry: string | null): boolean {
  const found = entry === null ? undefined : functionsNamed(program, entry).at(-1);
  const block = (found && field(found, "body")) ?? program.root;
  const statements = named(block).filter(({ type }) => type !== "comment");
  return statements.slice(isText(statements[0]) ? 1 : 0).length === 0;
}

/** Whether a statement is only a string. */
function isText(statement: Node | undefined): boolean {
  if (statement?.type !== "expression_statement") return false;
  const [only, ...more] = named(statement);
  return more.length === 0 && only?.type === "string";
}

/** The top-level statements of `source` that the answer does not define itself, without comments. */
async function without(source: string, defined: ReadonlySet<string>): Promise<string> {
  const { root } = (await loadParser())(source);
  return named(root)
    .filter((statement) => statement.type !== "comment" && !defined.has(nameOf(statement, source)))
    .map((statement) => textOf(statement, source))
    .join("\n");
}

/** The body of the function if the answer defines it (e.g. a method without its class), otherwise the whole answer. */
async function bodyOf(code: string, entry: string): Promise<string> {
  const found = functionsNamed((await loadParser())(code), entry).at(-1);
  const body = found && field(found, "body");
  if (!body) return code;
  const text = textOf(body, code);
  const lines = code.slice(lineStart(code, body.start), body.end);
  return lines.trimStart() === text ? lines : text;
}

/**
 * Moves lines so that the shallowest is at `indent`. The first line may lack its white space, because models continue right after
 * it. Then it is taken to be as deep as the rest.
 */
export function reindent(code: string, indent: string): string {
  const lines = code
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd()
    .split("\n");
  const depth = (line: string): number => /^[ \t]*/.exec(line)![0].length;
  const rest = lines
    .slice(1)
    .filter((line) => line.trim() !== "")
    .map(depth);
  const least = rest.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const first = lines[0]!;
  const lost = depth(first) < least && Number.isFinite(least) && !/:\s*(#.*)?$/.test(first);
  const cut = Math.min(lost ? least : depth(first), least);
  const moved = (line: string): string => (line.trim() === "" ? "" : indent + line.slice(Math.min(cut, depth(line))));
  return [lost ? indent + first.trimStart() : moved(first), ...lines.slice(1).map(moved)].join("\n");
}
