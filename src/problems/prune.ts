/**
 * Reduces a program to what its entry point needs. Keeps top-level statements that bind a name the entry point reaches, that
 * change such a name, or that configure a module or Python. Drops prints, asserts, calls of tests and `if __name__ == "__main__"`. Kept
 * statements stay unchanged and in order, with every definition of a name, because Python uses the last one.
 * Compare EvalPlus' `sanitize`, which keeps only imports, the first definition of each name and plain assignments. It loses
 * decorated and redefined functions, functions without `return`, `a, b = ...`, `memo[0] = 1`, `f.cache = {}`, imports in `try`,
 * loops that fill a table and `sys.setrecursionlimit`.
 */

import { namesOf } from "../languages/python/syntax/names.ts";
import { type Node, type Parse, parts } from "../languages/python/syntax/walk.ts";

interface Statement {
  readonly start: number;
  readonly end: number;
  /** Names it binds at the top level. */
  readonly binds: ReadonlySet<string>;
  /** Names whose value it may change. */
  readonly changes: ReadonlySet<string>;
  /** Names it mentions. */
  readonly uses: ReadonlySet<string>;
  readonly kind: "keep" | "drop" | "definition" | "call" | "other";
}

/** Names that look up other names by text. If a program uses one, no definition can be dropped as unused. */
const DYNAMIC = new Set(["eval", "exec", "globals", "locals", "vars", "__import__", "getattr"]);

/** Calls that change the interpreter or a whole module. */
const SETTINGS =
  /(?:^|\.)(?:setrecursionlimit|set_int_max_str_digits|stack_size|seed|setcontext|simplefilter|filterwarnings|setlocale)$/;

/** The source that `entry` needs; null if the program does not define it. `code` must parse. */
export function prune(parse: Parse, code: string, entry: string): string | null {
  const statements = statementsOf(parse, code);
  if (!statements.some(({ binds }) => binds.has(entry))) return null;
  const kept = reached(statements, entry);
  return kept.size === statements.length ? code : sourceOf(code, statements, kept);
}

/** The statements of `among` that define names which the program uses but does not define, and what these statements need. */
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

/** The source of the kept statements. Blank lines and comments between two adjacent kept statements stay. */
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
    // A bare call of a function that changes a reached name, for example to fill a table.
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
