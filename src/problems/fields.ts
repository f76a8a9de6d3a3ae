/** Helpers that several formats share: ids, lists of strings, tests given as source text, arguments given as JSON. */
import { CodescoreError } from "../errors.ts";
import { printLiteral } from "../languages/python/literals/index.ts";
import { unixNewlines } from "../languages/python/syntax/source.ts";
import type { Problem, PyValue, TestCase } from "../types.ts";
import type { JsonLine } from "../util/jsonl.ts";
import type { Row } from "./rows.ts";

/**
 * The row's `task_id`, or the first of `names` that it has. With a `family`, a bare number N becomes `FAMILY/N`, for formats that
 * number their problems (MBPP, APPS on the hub).
 */
export function taskId(row: Row, family: string | null, ...names: string[]): string {
  for (const name of names.length > 0 ? names : ["task_id"]) {
    const id = idText(row, name);
    if (id === null) continue;
    return family !== null && /^\d+$/.test(id) ? `${family}/${BigInt(id)}` : id;
  }
  const [name = "task_id"] = names;
  const got =
    name in row.value
      ? JSON.stringify(row.value[name])?.slice(0, 60)
      : `the fields ${Object.keys(row.value).slice(0, 12).join(", ") || "none"}`;
  throw new CodescoreError("input", `${row.where}: expected \`${name}\` to be a name or a number, got ${got}`);
}

/** An id as text, with every digit of a number; null if there is none. */
export function idText({ value, exact }: Row, name: string): string | null {
  const id = value[name];
  if (typeof id === "string" && id.trim() !== "") return id;
  if (typeof id !== "number") return null;
  const whole = Number.isSafeInteger(id) ? null : exact(name);
  return whole?.t === "int" ? `${whole.v}` : `${id}`;
}

/** Called for a problem with tests that cannot be made runnable, with the reason. */
export type LeaveOut = (left: {
  readonly problem: string;
  readonly where: string;
  readonly tests: number;
  readonly why: string;
}) => void;

/** Number of tests that cannot be run, by reason. */
export type LeftOut = Readonly<Record<string, number>>;

/** Counts the tests that are left out. */
export function countingLeftOut(): { readonly leaveOut: LeaveOut; readonly counts: LeftOut } {
  const counts: Record<string, number> = {};
  const leaveOut: LeaveOut = ({ tests, why }) => {
    counts[why] = (counts[why] ?? 0) + tests;
  };
  return { leaveOut, counts };
}

/** A field that is a list of strings; empty when it is missing or null. */
export function stringList({ value, where }: JsonLine, name: string): string[] {
  const list = value[name] ?? [];
  if (!Array.isArray(list) || list.some((item) => typeof item !== "string")) {
    throw new CodescoreError("input", `${where}: expected \`${name}\` to be a list of strings`);
  }
  return list as string[];
}

/** The long list of asserts that replaces a row's own tests: `test_case_list`, otherwise `tests_et`; empty without both. */
export function extendedAsserts(row: JsonLine): string[] {
  const list = stringList(row, "test_case_list");
  return list.length > 0 ? list : stringList(row, "tests_et");
}

/** The tests of a row: the long list of asserts if it has one, otherwise its own. The number of its own tests is kept. */
export function extendedOr(row: JsonLine, own: readonly TestCase[]): Pick<Problem, "tests" | "originalTests"> {
  const extended = textTests(extendedAsserts(row));
  return extended.length === 0 ? { tests: own } : { tests: extended, ...originally(own) };
}

/** Records the number of original tests that other tests replace; nothing if there are none. */
export const originally = (own: readonly TestCase[]): Pick<Problem, "originalTests"> =>
  own.length === 0 ? {} : { originalTests: countTests(own) };

/** Number of tests a problem first came with, before expansion. Each assert of a `check` counts as one. */
export const originalTests = (problem: Problem): number =>
  problem.originalTests ?? countTests(problem.tests.filter(({ origin }) => origin === "given"));

function countTests(tests: readonly TestCase[]): number {
  const asserts = (code: string): number => code.match(/(?:^|[:;])[ \t]*assert\b/gm)?.length ?? 0;
  return tests.reduce((sum, test) => sum + (test.kind === "check" ? Math.max(1, asserts(test.code)) : 1), 0);
}

/** Removes empty and repeated programs (compared trimmed), keeps the order. */
export function distinct(programs: readonly string[]): string[] {
  const byText = new Map<string, string>();
  for (const program of programs.map(unixNewlines)) {
    const key = program.trim();
    if (key !== "" && !byText.has(key)) byText.set(key, program);
  }
  return [...byText.values()];
}

/** Tests given as source. Source that defines `check(candidate)` is a HumanEval test; anything else is asserts. */
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

/** Prints a list of arguments as the source between a call's parentheses. */
export const callArguments = (list: PyValue): string => (list.t === "list" ? list.v.map(printLiteral).join(", ") : "");
