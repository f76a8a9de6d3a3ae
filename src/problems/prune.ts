/**
 * Leaves of a program what its entry point needs: the top-level statements that bind a name it reaches, that change one,
 * or that set up a module; not prints, asserts, calls of tests, `if __name__ == "__main__"`. What is kept stands as it
 * stood and in its order, every definition of a name included: Python's last one wins here as there.
 * Compare EvalPlus' `sanitize`, which keeps imports, the first definition of each name and plain assignments alone, and
 * so loses decorated and redefined functions, functions without `return`, `a, b = ...`, `memo[0] = 1`, `f.cache = {}`,
 * imports in `try`, loops that fill a table and `sys.setrecursionlimit`.
 */

import { namesOf } from "../languages/python/syntax/names.ts";
import { type Node, type Parse, parts } from "../languages/python/syntax/walk.ts";

interface Statement {
  readonly start: number;
  readonly end: number;
  /** Names it gives a value at the top level. */
  readonly binds: ReadonlySet<string>;
  /** Names whose value it may change. */
  readonly changes: ReadonlySet<string>;
  /** Names it mentions. */
  readonly uses: ReadonlySet<string>;
  readonly kind: "keep" | "drop" | "definition" | "call" | "other";
}

/** Names that look up others by text: nothing can be told to be unused beside them. */
const DYNAMIC = new Set(["eval", "exec", "globals", "locals", "vars", "__import__", "getattr"]);

/** Calls that change the interpreter or a module as a whole. */
const SETTINGS =
  /(?:^|\.)(?:setrecursionlimit|set_int_max_str_digits|stack_size|seed|setcontext|simplefilter|filterwarnings|setlocale)$/;

/** The source of what `entry` needs, or null when the program does not define it. `code` parses. */
export function prune(parse: Parse, code: string, entry: string): string | null {
  const statements = statementsOf(parse, code);
  if (!statements.some(({ binds }) => binds.has(entry))) return null;
  const kept = reached(statements, entry);
  return kept.size === statements.length ? code : sourceOf(code, statements, kept);
}

/** The statements of `among` that define what the program mentions and does not define itself, and what these need. */
export function missingFrom(parse: Parse, code: string, among: string): string {
  const own = statementsOf(parse, code);
  const bound = new Set(own.flatMap(({ binds }) => [...binds]));
  const wanted = new Set(own.flatMap(({ uses }) => [...uses]).filter((name) => !bound.has(name)));
  const offered = statementsOf(parse, among);
  const taken = new Set<Statement>();
  for (let before = -1; taken.size > before; ) {
    before = taken.size;
    for (const statement of offered) {
      if (taken.has(statement) || ![...statement.binds].some((name) => wanted.has(name))) continue;
      taken.add(statement);
      for (const name of statement.uses) if (!bound.has(name)) wanted.add(name);
    }
  }
  return sourceOf(among, offered, taken);
}

const statementsOf = (parse: Parse, code: string): Statement[] =>
  parts(parse(code).root).map((node) => statementOf(node, code));

/** The statements' source; what stands between two that follow each other (blank lines, comments) stays. */
function sourceOf(code: string, statements: readonly Statement[], kept: ReadonlySet<Statement>): string {
  const runs: { start: number; end: number }[] = [];
  for (const [i, statement] of statements.entries()) {
    if (!kept.has(statement)) continue;
    const before = statements[i - 1];
    if (before !== undefined && kept.has(before)) (runs.at(-1) as { end: number }).end = statement.end;
    else runs.push({ start: statement.start, end: statement.end });
  }
  return runs.map(({ start, end }) => `${code.slice(start, end).trimEnd()}\n`).join("");
}

function reached(statements: readonly Statement[], entry: string): ReadonlySet<Statement> {
  const names = new Set([entry]);
  const kept = new Set<Statement>();
  const byName = new Map<string, Statement[]>();
  for (const statement of statements) {
    for (const name of statement.binds) byName.set(name, [...(byName.get(name) ?? []), statement]);
  }
  const needed = (statement: Statement): boolean => {
    if (statement.kind === "keep") return true;
    if (statement.kind === "drop") return false;
    if ([...statement.binds].some((name) => names.has(name))) return true;
    if (statement.kind === "definition") return false;
    if ([...statement.changes].some((name) => names.has(name))) return true;
    // A bare call of a function that changes what is reached: it fills a table.
    return (
      statement.kind === "call" &&
      [...statement.uses].some((name) =>
        byName.get(name)?.some(({ changes }) => [...changes].some((n) => names.has(n) && byName.has(n))),
      )
    );
  };
  for (let before = -1; kept.size > before; ) {
    before = kept.size;
    for (const statement of statements) {
      if (kept.has(statement) || !needed(statement)) continue;
      kept.add(statement);
      for (const name of statement.uses) names.add(name);
    }
    if ([...names].some((name) => DYNAMIC.has(name) && !byName.has(name))) {
      for (const statement of statements) {
        if (statement.kind === "drop" || kept.has(statement) || statement.binds.size === 0) continue;
        kept.add(statement);
        for (const name of statement.uses) names.add(name);
      }
    }
  }
  return kept;
}

function statementOf(node: Node, code: string): Statement {
  const { binds, changes, uses } = namesOf(node, code);
  return { start: node.start, end: node.end, binds, changes, uses, kind: kindOf(node, code, binds) };
}

function kindOf(node: Node, code: string, binds: ReadonlySet<string>): Statement["kind"] {
  const text = code.slice(node.start, node.end);
  if (
    node.type === "future_import_statement" ||
    node.type === "wildcard_import" ||
    /^from\s[^\n]*import\s*\*/.test(text)
  )
    return "keep";
  if (node.type === "assert_statement" || node.type === "pass_statement") return "drop";
  if (node.type === "if_statement" && /^if\s*(?:\(\s*)?(?:__name__\s*==|["']__main__["']\s*==)/.test(text))
    return "drop";
  if (/^(?:function|class|decorated)_definition$/.test(node.type)) return "definition";
  if (node.type !== "expression_statement") return "other";
  const call = node.children[0];
  if (call?.type !== "call")
    return call?.type === "string" || (binds.size === 0 && !/assignment/.test(call?.type ?? "")) ? "drop" : "other";
  const callee = call.children[0];
  const name = callee === undefined ? "" : code.slice(callee.start, callee.end);
  if (SETTINGS.test(name)) return "keep";
  if (callee?.type === "attribute") return "other";
  return name === "print" || name === "input" ? "drop" : "call";
}
