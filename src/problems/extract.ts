/**
 * Finds the program in a part of an LLM's answer (languages/fences.ts): the lines that parse. Source that does not parse as
 * a whole is taken apart into the stretches of whole top-level statements that do; a definition cut off by the token limit is cut
 * back to its last complete statement. Whether source parses is tree-sitter's word, made as strict as Python where
 * tree-sitter is not (empty bodies, uneven indentation, `print x`, `return` outside of a function).
 * Compare EvalPlus' `code_extract`, which takes the longest run of lines that parses: it tries every pair of lines, and
 * loses imports above a stretch of prose.
 */
import { blocks, indentOf } from "../languages/python/syntax/source.ts";
import { enclosing, type Node, type Parse, parts } from "../languages/python/syntax/walk.ts";

/** True for source that Python would compile, as far as the grammar tells. */
export function parses(parse: Parse, code: string): boolean {
  const program = parse(code);
  return !program.broken && program.nodes.every((node) => isSound(node, code));
}

const BODIES = new Set(["block", "module"]);
/** `match x:` holds cases, a decorated definition its definition; every other statement with a colon needs a body. */
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

/** Statements that begin their line stand at one depth, the module's at none. */
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
 * The lines of the source that parse, in order: stretches of whole top-level statements, and of a definition that is
 * broken its head up to the last statement that parses. Null when there are none.
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

/** The farthest of the ends up to which the lines parse; null when not even the first does. */
function longestStretch(parse: Parse, lines: readonly string[], from: number, ends: readonly number[]): number | null {
  let best: number | null = null;
  // Statement by statement: what follows a break cannot mend it, but for brackets and strings left open over the next.
  for (const [i, end] of ends.entries()) {
    if (parses(parse, lines.slice(from, end).join("\n"))) best = end;
    else if (best !== null || i >= OPEN_STATEMENTS) return best;
  }
  return best;
}

/** Lines at no depth that one statement may span (a text in triple quotes): more are not waited for. */
const OPEN_STATEMENTS = 40;

/**
 * A broken `def` or `class` (with its decorators) cut back to its last complete statement. Null where more than one
 * statement would go: that is no truncated tail, and the head alone would be another program.
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
