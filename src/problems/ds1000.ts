/**
 * DS-1000 (Lai et al. 2023) in its simplified form of 2024 (xlangai/DS-1000). A program is a text of a few lines. `code_context`
 * inserts it into other code with `test_execution(solution)` and, if defined, checks its text with `test_string(solution)`. Both
 * must pass (test_ds1000.py of DS-1000). `--python` provides the libraries that tasks need.
 */
import { CodescoreError } from "../errors.ts";
import { unixNewlines } from "../languages/python/syntax/source.ts";
import type { Problem, TestCase } from "../types.ts";
import { optionalString, stringField } from "../util/jsonl.ts";
import { distinct, taskId } from "./fields.ts";
import { type Row, rowOfFields } from "./rows.ts";

export function ds1000Problem(row: Row): Problem {
  const context = unixNewlines(stringField(row, "code_context")).trimEnd();
  const functions = ["test_execution", "test_string"].filter((name) =>
    new RegExp(`^def ${name}\\(`, "m").test(context),
  );
  if (functions[0] !== "test_execution") {
    throw new CodescoreError(
      "input",
      `${row.where}: expected \`code_context\` to define test_execution(solution), as in DS-1000's format of 2024; its older format of folders is not supported`,
    );
  }
  const metadata =
    typeof row.value.metadata === "object" ? (row.value.metadata as Record<string, unknown> | null) : null;
  const named = row.value.task_id === undefined ? rowOfFields({ task_id: metadata?.problem_id }, row.where) : row;
  return {
    id: taskId(named, "DS-1000"),
    description: stringField(row, "prompt").trim(),
    prompt: "",
    entryPoint: null,
    references: distinct([optionalString(row, "reference_code") ?? ""]),
    tests: functions.map(
      (name): TestCase => ({
        id: name,
        origin: "given",
        kind: "assert",
        whole: true,
        code: `${context}\n\n${name}(solution)\n`,
      }),
    ),
    asText: true,
    setup: "",
    contract: "",
    source: optionalString(row, "source") ?? "ds1000",
  };
}
