/**
 * HumanEval (Chen et al. 2021) and sets derived from it: HumanEval-ET, EvalPlus (evalplus.ts), HumanEvalPack (Muennighoff et al.
 * 2023, "OctoPack"; bigcode/humanevalpack) and EvoEval (Xia et al. 2024; EvoEval's README and evaluate.py).
 */
import { CodescoreError } from "../errors.ts";
import { docstring } from "../languages/python/syntax/source.ts";
import type { Problem, TestCase } from "../types.ts";
import { optionalString, stringField } from "../util/jsonl.ts";
import { FLOAT_TOLERANCE, inputTests, scriptTests } from "./evalplus.ts";
import { withEvalPlusRule } from "./evalplus-rules.ts";
import { distinct, extendedAsserts, extendedOr, originally, stringList, taskId } from "./fields.ts";
import { rulesOf } from "./oracles.ts";
import { parseExact, type Row } from "./rows.ts";

export function humanEvalProblem(row: Row): Problem {
  const prompt = stringField(row, "prompt");
  const entryPoint = stringField(row, "entry_point");
  const check = optionalString(row, "test") ?? "";
  const own: TestCase[] =
    check.trim() === "" ? [] : (scriptTests(check) ?? [{ id: "test-0", origin: "given", kind: "check", code: check }]);
  return {
    id: taskId(row, "HumanEval"),
    description: docstring(prompt, entryPoint) ?? prompt.trim(),
    prompt,
    entryPoint,
    references: continuedReferences(row, prompt),
    ...extendedOr(row, own),
    ...rulesOf(row),
    setup: "",
    contract: optionalString(row, "contract") ?? "",
    source: optionalString(row, "source") ?? "humaneval",
  };
}

/** EvalPlus gives inputs only. The expected answer is the reference's, floats within `atol`. */
export function evalPlusProblem(row: Row): Problem {
  const problem = { ...humanEvalProblem(row), source: optionalString(row, "source") ?? "evalplus" };
  if (extendedAsserts(row).length > 0) return problem;
  const inputs = inputTests(row, stringField(row, "entry_point"));
  const base = inputs.filter(({ id }) => id.startsWith("base-"));
  return withEvalPlusRule({
    ...problem,
    tests: inputs,
    ...(base.length < inputs.length ? originally(base) : {}),
  });
}

/** The imports that HumanEvalPack's harness runs before a program (bigcode_eval/tasks/humanevalpack.py), without numpy. */
const PACK_IMPORTS = `import math, re, sys, copy, datetime, itertools, collections, heapq, statistics, functools, hashlib, string
from typing import *
from collections import *
`;

/** HumanEval tests, with imports before each program. Programs may continue `declaration`, which is the prompt without its docstring. */
export const humanEvalPackProblem = (row: Row): Problem => ({
  ...humanEvalProblem(row),
  setup: PACK_IMPORTS,
  source: optionalString(row, "source") ?? "humanevalpack",
});

/**
 * EvoEval. `inputs` are argument lists as source. The expected answer is the reference's, of the same types, floats within 1e-6.
 * EvoEval has special judges for some tasks (difficult 10 and 32, creative 26, 30 and 69, subtle 32) and accepts other correct
 * answers there. Here their answers must equal the reference's.
 */
export function evoEvalProblem(row: Row): Problem {
  const tests = sources(row).map(
    (args, i): TestCase => ({
      id: `test-${i}`,
      origin: "given",
      kind: "call",
      args,
      expected: null,
      tolerance: FLOAT_TOLERANCE,
    }),
  );
  return {
    oracle: "types",
    ...humanEvalProblem(row),
    id: taskId(row, "EvoEval"),
    references: continuedReferences(row, `${stringField(row, "prompt")}\n`),
    tests,
    source: optionalString(row, "source") ?? "evoeval",
  };
}

/** The field `inputs`: a list of texts, or such a list as JSON text. */
function sources(row: Row): string[] {
  const { inputs } = row.value;
  if (typeof inputs !== "string") return stringList(row, "inputs");
  const list = parseExact(inputs, `${row.where}, \`inputs\``);
  const texts = list.t === "list" ? list.v.flatMap((item) => (item.t === "str" ? [item.v] : [])) : [];
  if (list.t === "list" && texts.length === list.v.length) return texts;
  throw new CodescoreError("input", `${row.where}: expected \`inputs\` to be a list of argument lists as source`);
}

function continuedReferences(row: Row, prompt: string): string[] {
  const body = optionalString(row, "canonical_solution");
  return distinct([...(body === null ? [] : [prompt + body]), ...stringList(row, "references")]);
}
