/**
 * EvalPlus' special oracles (v0.3.1: `check_output` in evalplus/eval/__init__.py, and eval/_special_oracle.py). EvalPlus selects
 * them by data set and function, as this table does. A row's own `oracle` takes precedence.
 */
import type { Oracle, Problem, TestCase } from "../types.ts";

type Rule =
  | { readonly oracle: Oracle }
  /** Another correct answer to a call, as a Python expression of the call's arguments. */
  | { readonly also: (args: string) => string }
  /** An assert that replaces the test of a call. */
  | { readonly assert: (args: string, tolerance: number) => string };

const asSets: Rule = { oracle: "set" };
const isThere: Rule = { oracle: "not-none" };

const zeroOf: Rule = {
  assert: (args, tolerance) =>
    `assert abs((lambda x: sum(c * math.pow(x, i) for i, c in enumerate(*(${args},))))(find_zero(${args}))) <= ${tolerance}`,
};

/** Rules by the task name before the number, then by function. */
const RULES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  HumanEval: { find_zero: zeroOf },
  EvoEval: { find_zero: zeroOf }, // rewordings of HumanEval+, whose tests are inputs
  MBPP: {
    similar_elements: asSets,
    find_char_long: asSets,
    common_in_nested_lists: asSets,
    extract_singly: asSets,
    larg_nnum: asSets,
    intersection_array: asSets,
    find_dissimilar: asSets,
    Diff: asSets,
    check_str: isThere,
    text_match_three: isThere,
    text_starta_endb: isThere,
    are_equivalent: { oracle: "any" },
    sum_div: { also: () => "0" },
    // Also accepts the answer for h as the height of the pyramid instead of the slant height of its faces.
    surface_Area: {
      also: (args) => `(lambda b, h: round(b ** 2 + 4 * (b * math.sqrt((b / 2) ** 2 + h ** 2)) / 2))(${args})`,
    },
    // Also accepts the sum of digit by digit differences, with leading zeros in the shorter number.
    digit_distance_nums: {
      also: (args) =>
        `(lambda a, b, n: sum(abs(int(x) - int(y)) for x, y in zip(a.zfill(n), b.zfill(n))))(*(lambda a, b: (a, b, max(len(a), len(b))))(*map(str, (${args}))))`,
    },
  },
};

/** Adds EvalPlus' rule to a problem, if there is one. Use only for rows whose tests come from EvalPlus. */
export function withEvalPlusRule(problem: Problem): Problem {
  const family = problem.id.replace(/\/\d+$/, "").replace(/^mbpp$/i, "MBPP");
  const rules = Object.hasOwn(RULES, family) ? RULES[family] : undefined;
  const name = problem.entryPoint ?? "";
  const rule = rules !== undefined && Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule === undefined || problem.oracle !== undefined) return problem;
  if ("oracle" in rule) return { ...problem, oracle: rule.oracle };
  return { ...problem, tests: problem.tests.map((test) => withRule(test, rule)) };
}

function withRule(test: TestCase, rule: Exclude<Rule, { readonly oracle: Oracle }>): TestCase {
  if (test.kind !== "call") return test;
  if ("also" in rule) return { ...test, also: rule.also(test.args) };
  const { id, origin, added } = test;
  return { id, origin, ...(added && { added }), kind: "assert", code: rule.assert(test.args, test.tolerance) };
}
