/**
 * DS-1000 (Lai et al. 2023) in its simplified form of 2024 (xlangai/DS-1000): `code_context` puts a program, a few lines, into code of its own
 * by `test_execution(solution)` and looks at its text by `test_string(solution)`, where it has that; both must hold (its test_ds1000.py). So a
 * program is a text here. The libraries that a task wants come with `--python`.
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
      `${row.where}: expected \`code_context\` to define test_execution(solution), as in DS-1000's form of 2024; its form of folders is not read`,
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
