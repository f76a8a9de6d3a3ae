/**
 * Finds the program in a part of an LLM's answer (languages/fences.ts): the lines that parse. Source that does not parse as a
 * whole is split into stretches of top-level statements that do parse. A definition cut off by the token limit is cut back to its
 * last complete statement. tree-sitter decides whether source parses. Extra checks make it as strict as Python (empty bodies,
 * uneven indentation, `print x`, `return` outside a function).
 * Compare EvalPlus' `code_extract`, which takes the longest run of lines that parses. It tries every pair of lines, and loses
 * imports above a stretch of prose.
 */
import { blocks, indentOf } from "../languages/python/syntax/source.ts";
import { enclosing, type Node, type Parse, parts } from "../languages/python/syntax/walk.ts";

/** Whether Python would compile the source, judged by the grammar. */
export function parses(parse: Parse, code: string): boolean {
  const program = parse(code);
  return !program.broken && program.nodes.every((node) => isSound(node, code));
}

const BODIES = new Set(["block", "module"]);
/** Statements that need a body. `match x:` holds cases and a decorated definition holds its definition, so they are not here. */
const NEEDS_BODY =
  /^(?:function_definition|class_definition|if_statement|elif_clause|else_clause|for_statement|while_statement|try_statement|except_clause|finally_clause|with_statement|case_clause)$/;

function isSound(node: Node, code: string): boolean {
  if (node.type === "print_statement" || node.type === "exec_statement") return false;
  if (NEEDS_BODY.test(node.type)) {
    const body = node.children.find(({ type }) => type === "block");
    if (body === undefined || parts(body).length === 0) return false;
  }
  if (BODIES.has(node.type) && !isEven(node, code)) return false;
  if (node.type === "return_statement" || node.type === "yield") {
    if (enclosing(node, "function_definition", "lambda") === null) return false;
  }
  return true;
}

/** Whether statements that begin their line have the same indentation, in a module none. */
function isEven(body: Node, code: string): boolean {
  const depths = parts(body)
    .map(
      ({ start }) =>
        /(?:^|\n)([ \t]*)$/.exec(code.slice(Math.max(0, start - 400), start))?.[1]?.replaceAll("\t", "        ").length,
    )
    .filter((depth) => depth !== undefined);
  return depths.every((depth) => depth === (body.type === "module" ? 0 : depths[0]));
}

/**
 * The lines of the source that parse, in order: stretches of whole top-level statements, and the head of a broken definition up
 * to its last statement that parses. Null if there are none.
 */
export function parsingPart(parse: Parse, code: string): string | null {
  if (parses(parse, code)) return code;
  const lines = code.split("\n");
  const starts = lines.flatMap((line, i) => (/^[^\s)\]}#]/.test(line) ? [i] : [])); // where a statement may begin
  const ends = [...starts, lines.length];
  const kept: string[] = [];
  let at = 0;
  while (at < starts.length) {
    const stretch = longestStretch(parse, lines, starts[at] as number, ends.slice(at + 1));
    if (stretch !== null) {
      kept.push(lines.slice(starts[at], stretch).join("\n"));
      at = ends.indexOf(stretch);
      continue;
    }
    const [from, to] = [starts[at] as number, ends[at + 1] as number];
    const head = headOfDefinition(parse, lines.slice(from, to));
    if (head !== null) kept.push(head);
    at += 1;
  }
  return kept.length === 0 ? null : kept.join("\n");
}

/** The farthest end up to which the lines parse; null if there is none. */
function longestStretch(parse: Parse, lines: readonly string[], from: number, ends: readonly number[]): number | null {
  let best: number | null = null;
  // Extend by one statement at a time. Lines after a break cannot repair it, except for brackets and strings that are still open.
  for (const [i, end] of ends.entries()) {
    if (parses(parse, lines.slice(from, end).join("\n"))) best = end;
    else if (best !== null || i >= OPEN_STATEMENTS) return best;
  }
  return best;
}

/** Maximum number of unindented lines that one statement may span (a string in triple quotes). The search for its end then stops. */
const OPEN_STATEMENTS = 40;

/**
 * Cuts a broken `def` or `class` (with decorators) back to its last complete statement. Null if that removes more than one
 * statement: then it is not a truncated tail, and the head alone would be another program.
 */
function headOfDefinition(parse: Parse, lines: readonly string[]): string | null {
  if (!/^(?:async\s+def|def|class|@)/.test(lines[0] ?? "")) return null;
  for (let end = lines.length - 1; end > 1; end--) {
    if (lines[end - 1]?.trim() === "") continue;
    const head = lines.slice(0, end).join("\n");
    if (parses(parse, head)) return isOneStatement(lines.slice(end).join("\n")) ? head : null;
  }
  return null;
}

function isOneStatement(tail: string): boolean {
  const indent = indentOf(tail);
  for (let depth = 0; depth <= indent; depth++) {
    const found = blocks(tail, depth).length;
    if (depth < indent ? found > 0 : found > 1) return false;
  }
  return true;
}
