/** What several formats share: ids, lists of strings, tests given as source text, arguments given as JSON. */
import { CodescoreError } from "../errors.ts";
import type { PyValue, TestCase } from "../types.ts";
import type { JsonLine } from "../util/jsonl.ts";
import { printLiteral } from "../util/python.ts";
import { unixNewlines } from "./python.ts";

/** The row's `task_id`; a bare number N, as MBPP and the hub's APPS have it, becomes `FAMILY/N`. */
export function taskId({ value, where }: JsonLine, family: string, ...names: string[]): string {
  for (const name of names.length > 0 ? names : ["task_id"]) {
    const id = value[name];
    if (typeof id === "number") return `${family}/${id}`;
    if (typeof id === "string" && id.trim() !== "") return /^\d+$/.test(id) ? `${family}/${Number(id)}` : id;
  }
  throw new CodescoreError("input", `${where}: expected \`${names[0] ?? "task_id"}\` to be a name or a number`);
}

/** A field that is a list of strings; empty when it is missing or null. */
export function stringList({ value, where }: JsonLine, name: string): string[] {
  const list = value[name] ?? [];
  if (!Array.isArray(list) || list.some((item) => typeof item !== "string")) {
    throw new CodescoreError("input", `${where}: expected \`${name}\` to be a list of strings`);
  }
  return list as string[];
}

/** The long list of asserts that goes before a row's own tests: `test_case_list`, else `tests_et`; empty without either. */
export function extendedAsserts(row: JsonLine): string[] {
  const list = stringList(row, "test_case_list");
  return list.length > 0 ? list : stringList(row, "tests_et");
}

/** Programs without repeats (compared trimmed) and without empty ones, in order. */
export function distinct(programs: readonly string[]): string[] {
  const byText = new Map<string, string>();
  for (const program of programs.map(unixNewlines)) {
    const key = program.trim();
    if (key !== "" && !byText.has(key)) byText.set(key, program);
  }
  return [...byText.values()];
}

/** Tests given as source: one that defines `check(candidate)` is HumanEval's, the others are asserts. */
export function textTests(sources: readonly string[]): TestCase[] {
  return sources
    .filter((source) => source.trim() !== "")
    .map((source, i) => ({
      id: `test-${i}`,
      origin: "given",
      kind: /^def\s+check\s*\(\s*candidate\b/m.test(source) ? "check" : "assert",
      code: unixNewlines(source),
    }));
}

/** A list of arguments as the source between a call's parentheses. */
export const callArguments = (list: PyValue): string => (list.t === "list" ? list.v.map(printLiteral).join(", ") : "");
