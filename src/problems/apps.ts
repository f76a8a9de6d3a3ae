/**
 * APPS problems (Hendrycks et al. 2021, "Measuring Coding Challenge Competence With APPS"). Reads the JSON lines of the Hugging
 * Face hub, where `solutions` and `input_output` are JSON inside JSON, and the original folders. With `fn_name` the tests call a
 * function with JSON arguments. Without it the program reads stdin and writes stdout.
 */
import { basename, join } from "node:path";
import { CodescoreError } from "../errors.ts";
import { printLiteral } from "../languages/python/literals/index.ts";
import type { Problem, PyValue, TestCase } from "../types.ts";
import { exists } from "../util/files.ts";
import { optionalString, stringField } from "../util/jsonl.ts";
import { callArguments, distinct, extendedOr, stringList, taskId } from "./fields.ts";
import { parseExact, type Row, readText, rowOfFields } from "./rows.ts";

/** Reads a row of the hub's file. */
export function appsProblem(row: Row): Problem {
  const io = nested(row, "input_output");
  const starter = optionalString(row, "starter_code") ?? "";
  const solutions = nested(row, "solutions");
  const references = distinct([...stringsIn(row, "solutions", solutions), ...stringList(row, "references")]);
  const name = io === null ? null : get(io, "fn_name");
  const fnName = name?.t === "str" ? name.v : null;
  const inClass = /^[ \t]*class\s+Solution\b/m;
  const method = inClass.test(starter) || (references.length > 0 && references.every((code) => inClass.test(code)));
  return {
    id: taskId(row, "APPS", "task_id", "problem_id", "id"),
    description: stringField(row, "question").trim(),
    prompt: "",
    entryPoint: fnName !== null && method ? `Solution().${fnName}` : fnName,
    references,
    ...extendedOr(row, io === null ? [] : ioTests(io, fnName !== null, row.where)),
    setup: "",
    contract: "",
    source: optionalString(row, "source") ?? "apps",
  };
}

/** Whether a folder holds one APPS problem. */
export const isAppsFolder = (folder: string): Promise<boolean> => exists(join(folder, "question.txt"));

/** The files of a problem's folder that are read, if they exist. */
export async function appsFiles(folder: string): Promise<string[]> {
  const names = ["question.txt", "solutions.json", "input_output.json", "starter_code.py"];
  const paths = names.map((name) => join(folder, name));
  const there = await Promise.all(paths.map(exists));
  return paths.filter((_, i) => there[i]);
}

/** Reads the folder of one APPS problem. The folder's name is the problem's number. */
export async function* appsFolderProblem(folder: string): AsyncGenerator<Problem> {
  const value: Record<string, unknown> = { task_id: basename(folder) };
  for (const path of await appsFiles(folder)) value[basename(path).replace(/\.\w+$/, "")] = await readText(path);
  yield appsProblem(rowOfFields(value, folder));
}

/** A field that holds JSON as text, or in some copies the JSON itself; null if it is missing or empty. */
function nested(row: Row, name: string): PyValue | null {
  const field = row.value[name];
  if (field === undefined || field === null || field === "") return null;
  return typeof field === "string" ? parseExact(field, `${row.where}, \`${name}\``) : row.exact(name);
}

function stringsIn(row: Row, name: string, field: PyValue | null): string[] {
  if (field === null) return [];
  if (field.t === "list" && field.v.every((item) => item.t === "str")) return field.v.map((item) => textOf(item) ?? "");
  throw new CodescoreError("input", `${row.where}: expected \`${name}\` to be a list of programs`);
}

const get = (dict: PyValue, name: string): PyValue | null =>
  (dict.t === "dict" ? dict.v.find(([key]) => key.t === "str" && key.v === name)?.[1] : null) ?? null;

function ioTests(io: PyValue, call: boolean, where: string): TestCase[] {
  const inputs = get(io, "inputs");
  const outputs = get(io, "outputs");
  if (inputs?.t !== "list" || outputs?.t !== "list" || inputs.v.length !== outputs.v.length) {
    throw new CodescoreError("input", `${where}: expected \`input_output\` with as many \`inputs\` as \`outputs\``);
  }
  const expected = call ? unwrapped(outputs.v) : outputs.v;
  return inputs.v.map((input, i) => {
    const output = expected[i] as PyValue;
    if (!call) {
      return {
        id: `test-${i}`,
        origin: "given",
        kind: "stdio",
        stdin: lines(input, where),
        expected: lines(output, where),
      };
    }
    if (input.t !== "list")
      throw new CodescoreError("input", `${where}: expected input ${i} to be a list of arguments`);
    const args = callArguments({ t: "list", v: input.v.map(withIntegerKeys) });
    return callTest(i, args, withIntegerKeys(output));
  });
}

/** A call test with a JSON answer, compared exactly. */
export const callTest = (i: number, args: string, expected: PyValue): TestCase => ({
  id: `test-${i}`,
  origin: "given",
  kind: "call",
  args,
  expected: printLiteral(expected),
  tolerance: 0,
});

/**
 * Unwraps answers that APPS wraps in a list of one element. APPS does so for all tests of a problem or for none, and its own
 * judge accepts both readings. Here the wrapping is removed only if every answer has it.
 */
export function unwrapped(outputs: readonly PyValue[]): readonly PyValue[] {
  const inner = outputs.map((output) => (output.t === "list" && output.v.length === 1 ? output.v[0] : undefined));
  return inner.every((item) => item !== undefined) ? inner : outputs;
}

/** Restores integer keys, which JSON turns into strings. Like APPS's judge, does so only if all keys are integers. */
export function withIntegerKeys(value: PyValue): PyValue {
  if (value.t !== "dict" || value.v.length === 0) return value;
  if (!value.v.every(([key]) => key.t === "str" && /^-?\d+$/.test(key.v))) return value;
  return { t: "dict", v: value.v.map(([key, item]) => [{ t: "int", v: BigInt(textOf(key) ?? 0) }, item] as const) };
}

const textOf = (value: PyValue): string | null => (value.t === "str" ? value.v : null);

/** The text that a program reads or writes, from a text, a list of lines or a number. */
export function lines(value: PyValue, where: string): string {
  if (value.t === "str") return value.v;
  if (value.t === "list") return value.v.map((item) => textOf(item) ?? printLiteral(item)).join("\n");
  if (value.t === "int" || value.t === "float") return printLiteral(value);
  throw new CodescoreError("input", `${where}: expected an input or output as a string, got a ${value.t}`);
}
