/**
 * LiveCodeBench (Jain et al. 2024) as released, `code_generation` and `code_generation_lite`. Fields hold JSON inside JSON.
 * Private tests are base64 of zlib of a pickled JSON text (its benchmarks/code_generation.py). With `func_name` the tests call a
 * method of `Solution` with JSON arguments, one per line. Without it the program reads stdin. Rules as in its
 * evaluation/testing_util.py: LeetCode's imports are available, a tuple equals a list, printed numbers are compared as numbers. A
 * program must pass public and private tests.
 */
import { inflateSync } from "node:zlib";
import { CodescoreError, messageOf } from "../errors.ts";
import { JUDGE_IMPORTS } from "../languages/python/syntax/judge.ts";
import type { Problem, PyValue, TestCase } from "../types.ts";
import { optionalString, stringField } from "../util/jsonl.ts";
import { callTest } from "./apps.ts";
import { callArguments, taskId } from "./fields.ts";
import { pickledText } from "./pickle.ts";
import { fieldOf, parseExact, type Row } from "./rows.ts";

/** Maximum size of unpacked private tests, in bytes (V8's maximum string length). */
const MOST = 2 ** 29 - 24;

export function liveCodeBenchProblem(row: Row): Problem {
  const name = functionName(row);
  const starter = optionalString(row, "starter_code") ?? "";
  const isMethod = /^class\s+Solution\b/m.test(starter) || starter.trim() === "";
  return {
    id: taskId(row, "LiveCodeBench", "question_id"),
    description: stringField(row, "question_content").trim(),
    prompt: "",
    entryPoint: name === null ? null : isMethod ? `Solution().${name}` : name,
    references: [],
    tests: ["public", "private"].flatMap((group) => testsOf(row, group, name !== null)),
    oracle: name === null ? "numbers" : "sequence",
    setup: `${JUDGE_IMPORTS}import io, json, statistics\nsys.setrecursionlimit(50000)\n`,
    contract: "",
    source: optionalString(row, "source") ?? "livecodebench",
  };
}

/** The function's name in `metadata`, which is JSON text or the object itself. */
function functionName(row: Row): string | null {
  const { metadata } = row.value;
  const found =
    typeof metadata === "string" && metadata.trim() !== "" ? parseExact(metadata, row.where) : row.exact("metadata");
  const name = found === null ? null : fieldOf(found, "func_name");
  return name?.t === "str" && name.v !== "" ? name.v : null;
}

function testsOf(row: Row, group: string, isCall: boolean): TestCase[] {
  const name = `${group}_test_cases`;
  const where = `${row.where}, \`${name}\``;
  const given = row.value[name] ?? "";
  const list =
    typeof given === "string" ? (given === "" ? null : parseExact(jsonOf(given, where), where)) : row.exact(name);
  const fail = (what: string): never => {
    throw new CodescoreError("input", `${where}: expected ${what}`);
  };
  if (list === null) return [];
  if (list.t !== "list") return fail("a list of {input, output, testtype}");
  return list.v.map((test, i): TestCase => {
    const [input, output] = [fieldOf(test, "input"), fieldOf(test, "output")];
    if (input?.t !== "str" || output?.t !== "str") return fail(`an input and an output as strings in test ${i}`);
    const id = `${group}-${i}`;
    if (!isCall) return { id, origin: "given", kind: "stdio", stdin: input.v, expected: output.v };
    const value = (text: string): PyValue => parseExact(text, `${where}, test ${i}`);
    const args = input.v
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map(value);
    return { ...callTest(i, callArguments({ t: "list", v: args }), value(output.v)), id };
  });
}

/** JSON text as it is, or unpacked. */
function jsonOf(text: string, where: string): string {
  if (/^\s*\[/.test(text)) return text;
  try {
    return pickledText(inflateSync(Buffer.from(text, "base64"), { maxOutputLength: MOST }));
  } catch (error) {
    throw new CodescoreError(
      "input",
      `${where}: expected JSON, or base64 of zlib of a pickled text of JSON, got ${text.slice(0, 40)}: ${messageOf(error)}; no other form of packed tests is supported`,
      { cause: error },
    );
  }
}
