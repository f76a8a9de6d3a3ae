/**
 * One row of a problem file into a `Problem`. The format is recognised by the row's fields alone: no task-id lists and no
 * names of data sets. A new format is one more entry of `FORMATS`.
 *
 * Formats: HumanEval (Chen et al. 2021) and HumanEval-ET, EvalPlus (Liu et al. 2023), MBPP (Austin et al. 2021) plain,
 * sanitized and ET, APPS (Hendrycks et al. 2021; see apps.ts), collected training rows with `tests_kind` (see
 * collected.ts), and our own (see generic.ts).
 */
import { CodescoreError } from "../errors.ts";
import type { Problem, PyValue, TestCase } from "../types.ts";
import { optionalString, stringField } from "../util/jsonl.ts";
import { appsProblem } from "./apps.ts";
import { collectedProblem } from "./collected.ts";
import { callArguments, distinct, extendedAsserts, stringList, taskId, textTests } from "./fields.ts";
import { genericProblem } from "./generic.ts";
import { calledFunction, docstring, unixNewlines } from "./python.ts";
import type { Row } from "./rows.ts";

interface Format {
  readonly name: string;
  /** Fields that a row of this format has, all of them; `a|b` is either. */
  readonly fields: readonly string[];
  readonly read: (row: Row) => Problem;
}

/** In order: the first whose fields a row has reads it. */
const FORMATS: readonly Format[] = [
  { name: "collected training rows", fields: ["task_id", "nl", "tests_kind"], read: collectedProblem },
  { name: "EvalPlus", fields: ["task_id", "prompt", "entry_point", "base_input"], read: evalPlusProblem },
  { name: "HumanEval", fields: ["task_id", "prompt", "entry_point", "test|test_case_list"], read: humanEvalProblem },
  { name: "MBPP", fields: ["task_id", "text|prompt", "code", "test_list"], read: mbppProblem },
  { name: "APPS", fields: ["question", "input_output|solutions"], read: (row) => appsProblem(row) },
  { name: "codescore", fields: ["task_id", "description", "tests"], read: genericProblem },
];

/** Throws `CodescoreError("input")` for a row that fits no format, or whose fields have the wrong type. */
export function problemOf(row: Row): Problem {
  const has = (field: string) => field.split("|").some((name) => row.value[name] !== undefined);
  const format = FORMATS.find(({ fields }) => fields.every(has));
  if (format !== undefined) return format.read(row);
  const known = FORMATS.map(({ name, fields }) => `${name} (${fields.join(", ")})`).join("; ");
  const fields = Object.keys(row.value).slice(0, 12).join(", ") || "none";
  throw new CodescoreError(
    "input",
    `${row.where}: not a problem of a known format; fields here: ${fields}; known: ${known}`,
  );
}

function humanEvalProblem(row: Row): Problem {
  const prompt = stringField(row, "prompt");
  const entryPoint = stringField(row, "entry_point");
  const extended = textTests(extendedAsserts(row));
  const check = optionalString(row, "test");
  const own: TestCase[] = check === null ? [] : [{ id: "test-0", origin: "given", kind: "check", code: check }];
  return {
    id: taskId(row, "HumanEval"),
    description: docstring(prompt, entryPoint) ?? prompt.trim(),
    prompt,
    entryPoint,
    references: continuedReferences(row, prompt),
    tests: extended.length > 0 ? extended : own,
    setup: "",
    contract: optionalString(row, "contract") ?? "",
    source: optionalString(row, "source") ?? "humaneval",
  };
}

/** EvalPlus has inputs only: the answer is what the reference answers, floats within `atol`. */
function evalPlusProblem(row: Row): Problem {
  const tolerance = row.value.atol ?? 0;
  if (typeof tolerance !== "number" || tolerance < 0) {
    throw new CodescoreError("input", `${row.where}: expected \`atol\` to be a number of at least 0`);
  }
  const tests = (name: string, label: string): TestCase[] =>
    argumentLists(row, name).map((args, i) => ({
      id: `${label}-${i}`,
      origin: "given",
      kind: "call",
      args,
      expected: null,
      tolerance,
    }));
  const inputs = [...tests("base_input", "base"), ...tests("plus_input", "plus")];
  const { tests: extended, ...problem } = humanEvalProblem(row);
  const asserts = extendedAsserts(row).length > 0 ? extended : [];
  return {
    ...problem,
    tests: asserts.length > 0 ? asserts : inputs,
    source: optionalString(row, "source") ?? "evalplus",
  };
}

function argumentLists(row: Row, name: string): string[] {
  const field = row.exact(name);
  if (field === null || field.t === "none") return [];
  const lists: readonly PyValue[] = field.t === "list" ? field.v : [];
  if (field.t !== "list" || lists.some((list) => list.t !== "list")) {
    throw new CodescoreError("input", `${row.where}: expected \`${name}\` to be a list of argument lists`);
  }
  return lists.map((list) => callArguments(list));
}

function continuedReferences(row: Row, prompt: string): string[] {
  const body = optionalString(row, "canonical_solution");
  return distinct([...(body === null ? [] : [prompt + body]), ...stringList(row, "references")]);
}

function mbppProblem(row: Row): Problem {
  const code = unixNewlines(stringField(row, "code"));
  const extended = extendedAsserts(row);
  const own = [...stringList(row, "test_list"), ...stringList(row, "challenge_test_list")];
  const asserts = extended.length > 0 ? extended : own;
  return {
    id: taskId(row, "MBPP"),
    description: stringField(row, "text", "prompt").trim(),
    prompt: "",
    entryPoint: optionalString(row, "entry_point") ?? calledFunction(asserts, code),
    references: distinct([code, ...stringList(row, "references")]),
    tests: textTests(asserts),
    setup: unixNewlines(optionalString(row, "test_setup_code") ?? stringList(row, "test_imports").join("\n")),
    contract: optionalString(row, "contract") ?? "",
    source: optionalString(row, "source") ?? "mbpp",
  };
}
