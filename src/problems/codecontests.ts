/**
 * CodeContests (Li et al. 2022, "Competition-Level Code Generation with AlphaCode") and sets of the same form. Programs read
 * stdin. Fields: `public_tests`, `private_tests` and `generated_tests`, each `{input: [...], output: [...]}` (the hub's columns)
 * or a list of `{input, output}`, and `solutions` in many languages, of which Python 3 is kept.
 */
import { CodescoreError } from "../errors.ts";
import type { Problem, TestCase } from "../types.ts";
import { optionalString, stringField } from "../util/jsonl.ts";
import { distinct, type LeaveOut, originally, taskId } from "./fields.ts";
import type { Row } from "./rows.ts";

/** Python 3 in CodeContests' `Solution.Language` enum. The hub serves the number, other copies the name. */
const PYTHON3 = new Set<unknown>([3, "PYTHON3", "python3", "Python3", "python"]);

export function codeContestsProblem(row: Row, leaveOut: LeaveOut): Problem {
  // Tests of a problem that reads or writes named files cannot be run, because there is no stdin to give.
  const named = [row.value.input_file, row.value.output_file].some((name) => typeof name === "string" && name !== "");
  const id = taskId(row, null, "task_id", "name", "id");
  const given = ["public", "private"].flatMap((group) => testsOf(row, group));
  const made = testsOf(row, "generated").map((test) => ({ ...test, added: true }) as const);
  const why = "the problem reads or writes named files";
  if (named) leaveOut({ problem: id, where: row.where, tests: given.length + made.length, why });
  const [own, generated] = named ? [[], []] : [given, made];
  return {
    id,
    description: stringField(row, "description").trim(),
    prompt: "",
    entryPoint: null,
    references: distinct(
      pairs(row, "solutions", "language", "solution").flatMap(([language, code]) =>
        PYTHON3.has(language) && typeof code === "string" ? [code] : [],
      ),
    ),
    // AlphaCode derived the generated tests from the others, so they do not count as original.
    tests: [...own, ...generated],
    ...(generated.length > 0 ? originally(own) : {}),
    setup: "",
    contract: "",
    source: optionalString(typeof row.value.source === "string" ? row : NOWHERE, "source") ?? "codecontests",
  };
}

/** A row without fields. CodeContests' `source` is a number, the judge that the problem comes from, so it is ignored. */
const NOWHERE = { value: {}, where: "" };

function testsOf(row: Row, group: string): TestCase[] {
  const name = `${group}_tests`;
  return pairs(row, name, "input", "output").map(([stdin, expected], i) => {
    if (typeof stdin !== "string" || typeof expected !== "string") {
      throw new CodescoreError("input", `${row.where}, \`${name}\` ${i}: expected an input and an output as strings`);
    }
    return { id: `${group}-${i}`, origin: "given", kind: "stdio", stdin, expected };
  });
}

/** The pairs of a field that is a struct of two lists or a list of structs; empty if the field is missing. */
function pairs(row: Row, name: string, first: string, second: string): (readonly [unknown, unknown])[] {
  const field = row.value[name];
  if (field === undefined || field === null) return [];
  const fail = (): never => {
    throw new CodescoreError(
      "input",
      `${row.where}: expected \`${name}\` to be {${first}: [...], ${second}: [...]} of equal length, or a list of {${first}, ${second}}`,
    );
  };
  if (Array.isArray(field)) {
    return field.map((item) => {
      if (typeof item !== "object" || item === null) return fail();
      const struct = item as Record<string, unknown>;
      return [struct[first], struct[second]];
    });
  }
  if (typeof field !== "object") return fail();
  const { [first]: left, [second]: right } = field as Record<string, unknown>;
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return fail();
  return left.map((item, i) => [item, right[i]]);
}
