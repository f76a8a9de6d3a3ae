/** The inferred answers of correct programs, compared with what the asserts of HumanEval, MBPP and others expect. */
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  loadForms,
  missingAttributes,
  returnsOf,
  type Term,
  typeErrorsOf,
  wantedBy,
} from "../../../../src/languages/python/index.ts";
import { loadParser } from "../../../../src/languages/python/syntax/parse.ts";
import { tryJsonLines } from "../../../../src/util/jsonl.ts";
import { every } from "../../../every.ts";

const data = process.env.CODESCORE_DATA;
const each = every(6);

function kindOf({ kind, text }: Term): string | null {
  if (/^(?:list|tuple|dict|set)$/.test(kind)) return kind;
  if (kind === "unary") return "number";
  if (kind !== "literal") return null;
  if (text === "None") return "None";
  return /^['"]/.test(text) ? "text" : /^(?:\d|True$|False$)/.test(text) ? "number" : null;
}

it.skipIf(data === undefined)("are of the kinds that tests expect", { timeout: 300_000 }, async () => {
  const [forms, parse] = await Promise.all([loadForms(), loadParser()]);
  const wrong: string[] = [];
  const lacking: string[] = [];
  const failing: string[] = [];
  let [checked, known] = [0, 0];
  const check = (reference: string, asserts: readonly string[]): void => {
    const { terms } = forms(reference).plain;
    const functions = returnsOf(terms);
    if (missingAttributes(terms).size > 0) lacking.push(reference);
    if (typeErrorsOf(terms, wantedBy(parse(reference), forms)).length > 0) failing.push(reference);
    for (const text of asserts) {
      const [statement] = forms(text).plain.terms?.items ?? [];
      const test = statement?.kind === "assert" ? statement.items[0] : undefined;
      if (test?.kind !== "compare" || test.text !== "==" || test.items[0].kind !== "call") continue;
      const [callee, { items }] = test.items[0].items;
      const answers = functions.get(callee.text);
      const expected = kindOf(test.items[1]);
      if (callee.kind !== "name" || answers === undefined || expected === null) continue;
      checked += 1;
      if (answers.families !== null) known += 1;
      const members = test.items[1].items.map(kindOf);
      const fits = (kinds: ReadonlySet<string> | null, kind: string | null): boolean =>
        kinds === null || kinds.size === 0 || kind === null || kinds.has(kind);
      const right =
        fits(answers.families, expected) &&
        (!/^(?:list|tuple|set)$/.test(expected) || members.every((kind) => fits(answers.members, kind))) &&
        answers.answers &&
        items.length >= answers.least &&
        items.length <= answers.most;
      if (!right && items.every(({ kind }) => kind !== "star" && kind !== "keyword")) wrong.push(text);
    }
  };
  const lines = async (path: string): Promise<Record<string, unknown>[]> => {
    const values: Record<string, unknown>[] = [];
    for await (const line of tryJsonLines(path)) if ("value" in line) values.push(line.value); // some contain -Infinity
    return values;
  };
  for (const { prompt, canonical_solution, test_case_list } of await lines(
    join(data!, "he-eval-dev", "problems.jsonl.gz"),
  )) {
    check(`${prompt}${canonical_solution}`, test_case_list as string[]);
  }
  for (const name of ["mbpp", "mbpp_typed", "leetcode_deepseek", "thealgorithms"]) {
    const problems = await lines(join(data!, "train", `problems_${name}.jsonl.gz`));
    for (const { references, tests } of problems.filter((_, i) => i % each === 0)) {
      const asserts = (tests as unknown[]).filter((test) => typeof test === "string");
      const [reference] = references as string[]; // the others there are not all correct
      if (reference !== undefined) check(reference, asserts);
    }
  }
  console.log(`  ${checked} asserts, kinds known for ${known}`);
  expect(checked).toBeGreaterThan(13_000 / each);
  expect(known).toBeGreaterThan(0.7 * checked);
  expect(wrong).toEqual([]);
  expect(lacking).toEqual([]);
  expect(failing).toEqual([]);
});
