/**
 * BigCodeBench (Zhuo et al. 2025) as released: functions to write with the help of libraries, tested by a `unittest.TestCase`. A
 * program continues `complete_prompt`, or is whole (the instruct variant). Both get the code before the function in
 * `code_prompt`, as in BigCodeBench's own harness.
 */
import { docstring, unixNewlines } from "../languages/python/syntax/source.ts";
import type { Problem } from "../types.ts";
import { optionalString, stringField } from "../util/jsonl.ts";
import { distinct, taskId } from "./fields.ts";
import type { Row } from "./rows.ts";
import { wholeTests } from "./unittest.ts";

export function bigCodeBenchProblem(row: Row): Problem {
  const prompt = unixNewlines(stringField(row, "complete_prompt"));
  const entryPoint = stringField(row, "entry_point");
  const head = unixNewlines(optionalString(row, "code_prompt") ?? prompt);
  const body = optionalString(row, "canonical_solution");
  return {
    id: taskId(row, "BigCodeBench"),
    description: docstring(prompt, entryPoint) ?? optionalString(row, "instruct_prompt") ?? prompt.trim(),
    prompt,
    entryPoint,
    references: body === null ? [] : distinct([head + body]),
    tests: wholeTests(stringField(row, "test")),
    setup: before(head, entryPoint),
    contract: "",
    source: optionalString(row, "source") ?? "bigcodebench",
  };
}

/** The imports and constants before the function. */
function before(head: string, entryPoint: string): string {
  const at = head.search(new RegExp(`^def\\s+${entryPoint}\\b`, "m"));
  return at < 0 ? "" : head.slice(0, at);
}
