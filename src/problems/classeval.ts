/**
 * ClassEval (Du et al. 2023) as released (`ClassEval_data.json`; see its README and test_pipeline.py): a whole class to write from its `skeleton`
 * (holistic generation), tested by `unittest` classes, one per method. Every program gets the imports of `import_statement`.
 */
import { unixNewlines } from "../languages/python/syntax/source.ts";
import type { Problem } from "../types.ts";
import { optionalString, stringField } from "../util/jsonl.ts";
import { distinct, stringList, taskId } from "./fields.ts";
import type { Row } from "./rows.ts";
import { wholeTests } from "./unittest.ts";

export function classEvalProblem(row: Row): Problem {
  const setup = unixNewlines(stringList(row, "import_statement").join("\n"));
  const solution = stringField(row, "solution_code");
  return {
    id: taskId(row, "ClassEval"),
    description: stringField(row, "skeleton").trim(),
    prompt: "",
    entryPoint: optionalString(row, "class_name"),
    references: distinct([setup === "" ? solution : `${setup}\n${solution}`]),
    tests: wholeTests(stringField(row, "test")),
    setup,
    contract: "",
    source: optionalString(row, "source") ?? "classeval",
  };
}
