/**
 * Converts one row of a problem file into a `Problem`. Recognises the format by the row's fields alone, never by task ids or
 * names of data sets. To support a new format, add an entry to `FORMATS`.
 * Formats: HumanEval and sets derived from it (humaneval.ts), EvalPlus (Liu et al. 2023; evalplus.ts) as released and as on the
 * hub, MBPP (Austin et al. 2021) plain, sanitized and ET, APPS (Hendrycks et al. 2021; apps.ts), BigCodeBench, CodeContests,
 * ClassEval, DS-1000 and LiveCodeBench (files of these names), collected training rows with `tests_kind` (collected.ts), and
 * codescore's own format (generic.ts).
 */
import { CodescoreError } from "../errors.ts";
import { calledFunction, unixNewlines } from "../languages/python/syntax/source.ts";
import type { Problem } from "../types.ts";
import { optionalString, stringField } from "../util/jsonl.ts";
import { appsProblem } from "./apps.ts";
import { bigCodeBenchProblem } from "./bigcodebench.ts";
import { classEvalProblem } from "./classeval.ts";
import { codeContestsProblem } from "./codecontests.ts";
import { collectedProblem } from "./collected.ts";
import { ds1000Problem } from "./ds1000.ts";
import { scriptTests } from "./evalplus.ts";
import { withEvalPlusRule } from "./evalplus-rules.ts";
import {
  distinct,
  extendedAsserts,
  extendedOr,
  type LeaveOut,
  originally,
  stringList,
  taskId,
  textTests,
} from "./fields.ts";
import { genericProblem } from "./generic.ts";
import { evalPlusProblem, evoEvalProblem, humanEvalPackProblem, humanEvalProblem } from "./humaneval.ts";
import { liveCodeBenchProblem } from "./livecodebench.ts";
import { rulesOf } from "./oracles.ts";
import type { Row } from "./rows.ts";

interface Format {
  readonly name: string;
  /** Fields that every row of this format has. `a|b` means either. */
  readonly fields: readonly string[];
  /** Fields that no row of this format has. */
  readonly without?: readonly string[];
  readonly read: (row: Row, leaveOut: LeaveOut) => Problem;
}

/** Fields that mark a row as a program for a problem, not a problem. */
const OF_SAMPLES = ["candidate", "generated_code", "completion", "solution", "sample_id"];

/** The first format whose fields a row has reads it, so the order matters. */
const FORMATS: readonly Format[] = [
  { name: "collected training rows", fields: ["task_id", "nl", "tests_kind"], read: collectedProblem },
  { name: "EvalPlus", fields: ["task_id", "prompt", "entry_point", "base_input|plus_input"], read: evalPlusProblem },
  {
    name: "HumanEvalPack",
    fields: ["task_id", "prompt", "entry_point", "declaration", "buggy_solution", "test"],
    read: humanEvalPackProblem,
  },
  { name: "HumanEval", fields: ["task_id", "prompt", "entry_point", "test|test_case_list"], read: humanEvalProblem },
  {
    name: "EvoEval",
    fields: ["task_id", "prompt", "entry_point", "canonical_solution", "inputs"],
    read: evoEvalProblem,
  },
  { name: "BigCodeBench", fields: ["task_id", "complete_prompt", "entry_point", "test"], read: bigCodeBenchProblem },
  { name: "ClassEval", fields: ["task_id", "skeleton", "solution_code", "test"], read: classEvalProblem },
  { name: "DS-1000", fields: ["prompt", "code_context", "metadata|task_id"], read: ds1000Problem },
  {
    name: "LiveCodeBench",
    fields: ["question_id", "question_content", "public_test_cases|private_test_cases"],
    read: liveCodeBenchProblem,
  },
  { name: "MBPP", fields: ["task_id", "text|prompt", "code", "test_list|test_case_list"], read: mbppProblem },
  { name: "APPS", fields: ["question", "input_output|solutions"], read: (row) => appsProblem(row) },
  {
    name: "CodeContests",
    fields: ["description", "public_tests|private_tests|generated_tests"],
    read: codeContestsProblem,
  },
  { name: "codescore", fields: ["task_id", "description"], without: OF_SAMPLES, read: genericProblem },
  {
    name: "HumanEval without tests",
    fields: ["task_id", "prompt", "entry_point"],
    without: OF_SAMPLES,
    read: humanEvalProblem,
  },
];

/** Whether a row has any of the fields `a|b`. Parquet gives every column to every row, so a null field counts as missing. */
const hasField =
  ({ value }: Row) =>
  (field: string): boolean =>
    field.split("|").some((name) => (value[name] ?? null) !== null);

function formatOf(row: Row): Format | undefined {
  const has = hasField(row);
  return FORMATS.find(({ fields, without = [] }) => fields.every(has) && !without.some(has));
}

/** Whether a row is in codescore's own format. */
export const isCodescore = (row: Row): boolean => formatOf(row)?.read === genericProblem;

/** Throws `CodescoreError("input")` if a row fits no format, or its fields have the wrong type. */
export function problemOf(row: Row, leaveOut: LeaveOut): Problem {
  const has = hasField(row);
  const format = formatOf(row);
  if (format !== undefined) return format.read(row, leaveOut);
  const known = FORMATS.map(({ name, fields }) => `${name} (${fields.join(", ")})`).join("; ");
  const fields = Object.keys(row.value).slice(0, 12).join(", ") || "none";
  if (has("task_id") && [...OF_SAMPLES, "code"].some(has)) {
    const mend = "give samples by --samples, problems by --problems";
    throw new CodescoreError(
      "input",
      `${row.where}: expected a problem, got a sample (a program for a task): ${mend}; fields here: ${fields}`,
    );
  }
  throw new CodescoreError(
    "input",
    `${row.where}: not a problem of a known format; fields here: ${fields}; known: ${known}`,
  );
}

function mbppProblem(row: Row): Problem {
  const code = unixNewlines(stringField(row, "code"));
  const extended = extendedAsserts(row);
  const own = [...stringList(row, "test_list"), ...stringList(row, "challenge_test_list")];
  const script = optionalString(row, "test"); // MBPP+ on the hub
  const plus = extended.length > 0 || script === null ? null : scriptTests(script);
  const problem: Problem = {
    id: taskId(row, "MBPP"),
    description: stringField(row, "text", "prompt").trim(),
    prompt: "",
    entryPoint: optionalString(row, "entry_point") ?? calledFunction(extended.length > 0 ? extended : own, code),
    references: distinct([code, ...stringList(row, "references")]),
    ...(plus === null ? extendedOr(row, textTests(own)) : { tests: plus, ...originally(textTests(own)) }),
    ...rulesOf(row),
    setup: unixNewlines(optionalString(row, "test_setup_code") ?? stringList(row, "test_imports").join("\n")),
    contract: optionalString(row, "contract") ?? "",
    source: optionalString(row, "source") ?? "mbpp",
  };
  return plus === null ? problem : withEvalPlusRule(problem);
}
