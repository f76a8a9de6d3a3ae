/**
 * codescore's own format, one problem per JSON line: `{task_id, description, prompt?, entry_point?, references?, tests?, setup?,
 * contract?, source?, original_tests?, oracle?, as_text?, files?}`. A test is an assert's text, or a `TestCase` whose `id` and `origin`
 * may be missing. sources.ts reads the folder that `files` names. `genericProblem` reads back what `printProblem` writes, except for the turns of notebooks.
 */
import { CodescoreError } from "../errors.ts";
import type { Problem, TestCase } from "../types.ts";
import { type JsonLine, optionalString, stringField } from "../util/jsonl.ts";
import { extendedOr, stringList, taskId, textTests } from "./fields.ts";
import { rulesOf } from "./oracles.ts";
import type { Row } from "./rows.ts";

export function genericProblem(row: Row): Problem {
  const tests = row.value.tests ?? [];
  if (!Array.isArray(tests)) throw new CodescoreError("input", `${row.where}: expected \`tests\` to be a list`);
  const own = tests.map((test, i) => testOf(test, i, `${row.where}, test ${i}`));
  const original = row.value.original_tests ?? null;
  if (original !== null && !(Number.isSafeInteger(original) && Number(original) >= 0)) {
    throw new CodescoreError(
      "input",
      `${row.where}: expected \`original_tests\` to be a count, got ${JSON.stringify(original)}`,
    );
  }
  return {
    id: taskId(row, null),
    description: stringField(row, "description"),
    prompt: optionalString(row, "prompt") ?? "",
    entryPoint: optionalString(row, "entry_point"),
    references: stringList(row, "references").filter((code) => code.trim() !== ""),
    ...extendedOr(row, own),
    ...(original === null ? {} : { originalTests: Number(original) }),
    ...rulesOf(row),
    setup: optionalString(row, "setup") ?? "",
    contract: optionalString(row, "contract") ?? "",
    source: optionalString(row, "source") ?? "",
  };
}

/** Prints a problem as one JSON line, without the newline. The same problem always gives the same text. */
export function printProblem(problem: Problem): string {
  return JSON.stringify({
    task_id: problem.id,
    description: problem.description,
    prompt: problem.prompt,
    entry_point: problem.entryPoint,
    references: problem.references,
    tests: problem.tests,
    original_tests: problem.originalTests,
    oracle: problem.oracle,
    as_text: problem.asText,
    setup: problem.setup,
    contract: problem.contract,
    source: problem.source,
    files: problem.files?.folder,
    files_sha256: problem.files?.sha256,
    notebook: problem.notebook,
  });
}

function testOf(test: unknown, i: number, where: string): TestCase {
  const text = typeof test === "string" ? textTests([test])[0] : undefined;
  if (text !== undefined) return { ...text, id: `test-${i}` };
  if (typeof test !== "object" || test === null) {
    throw new CodescoreError("input", `${where}: expected an assert's text or an object with a \`kind\``);
  }
  const row: JsonLine = { value: test as Record<string, unknown>, where };
  const id = optionalString(row, "id") ?? `test-${i}`;
  const origin = optionalString(row, "origin") === "expanded" ? "expanded" : "given";
  const every = { id, origin, ...(row.value.added === true ? ({ added: true } as const) : {}) } as const;
  const kind = stringField(row, "kind");
  if (kind === "assert" && row.value.whole === true)
    return { ...every, kind, code: stringField(row, "code"), whole: true };
  if (kind === "assert" || kind === "check") return { ...every, kind, code: stringField(row, "code") };
  const expected = optionalString(row, "expected");
  if (kind === "stdio") return { ...every, kind, stdin: stringField(row, "stdin"), expected };
  if (kind !== "call") {
    throw new CodescoreError(
      "input",
      `${where}: expected \`kind\` to be call, stdio, assert or check, got \`${kind}\``,
    );
  }
  const tolerance = row.value.tolerance ?? 0;
  if (typeof tolerance !== "number" || !(tolerance >= 0)) {
    throw new CodescoreError("input", `${where}: expected \`tolerance\` to be a number of at least 0`);
  }
  const also = optionalString(row, "also");
  return { ...every, kind, args: stringField(row, "args"), expected, tolerance, ...(also !== null && { also }) };
}
