/** Which faults are found, and where; and that the gate and the rule are based on them. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Find, loadFindings } from "../../../src/metrics/static/findings.ts";
import { gate } from "../../../src/metrics/static/gate.ts";
import { loadRule, ruled } from "../../../src/metrics/static/rule.ts";
import type { Finding } from "../../../src/types.ts";

const REFERENCE = "def add(a: int, b: int) -> int:\n    return a + b\n";
const LISTS = "def pick(xs: list, n: int) -> list:\n    return [x for x in xs if x > n]\n";

let find: Find;
beforeAll(async () => {
  await loadRule();
  find = await loadFindings();
});

const at = (line: number | null, what: string): Pick<Finding, "line" | "what"> => ({ line, what });

describe("findings", () => {
  it.each<[string, string, string, Pick<Finding, "line" | "what">[]]>([
    [
      "a syntax error that may be anywhere",
      "(x = 1\ny = 2\nz = 3\n",
      REFERENCE,
      [at(null, "Python cannot compile this")],
    ],
    ["a syntax error", "x = 1\ndef add(a, b:\n    return a\n", REFERENCE, [at(2, "Python cannot compile this")]],
    [
      "what Python refuses and the parser does not",
      "def add(a, b):\n    nonlocal c\n    return a\n",
      REFERENCE,
      [at(2, "Python cannot compile this: no function around it binds `c`")],
    ],
    [
      "names",
      "def add(a, b):\n    c = q\n    return p + q\n",
      REFERENCE,
      [at(2, "`q` is not defined"), at(3, "`p` is not defined")],
    ],
    [
      "modules",
      "import os\nimport numpy as np\n\ndef add(a, b):\n    return np.add(a, b)\n",
      REFERENCE,
      [
        at(
          2,
          "`numpy` is not in the standard library; use --run --python ENV/bin/python with an environment that has it",
        ),
      ],
    ],
    [
      "another name",
      "def plus(a, b):\n    return a + b\n",
      REFERENCE,
      [at(null, "it does not define `add`, but the reference does")],
    ],
    [
      "attributes",
      "class Solution:\n    def add(self, a, b):\n        return self.plus(a, b)\n",
      `class Solution:\n    def add(self, a, b):\n        return a + b\n`,
      [at(3, "attribute `plus` is read but never set")],
    ],
    [
      "answers of another kind",
      "def pick(xs, n):\n    # none\n    return len(xs)\n",
      LISTS,
      [at(1, "it returns number, the reference returns list")],
    ],
    [
      "no answer",
      "import os\n\ndef pick(xs, n):\n    xs.sort()\n",
      LISTS,
      [at(3, "it returns None, the reference returns list")],
    ],
    [
      "arguments",
      "def add(a):\n    return a + 1\n",
      REFERENCE,
      [at(1, "it takes 1 argument, the reference takes 2 arguments")],
    ],
    [
      "arguments that are not read",
      "def add(a, b):\n    return b + 1\n",
      REFERENCE,
      [at(1, "it does not use argument 1, but the reference does")],
    ],
    [
      "an end without an answer",
      "def pick(xs, n):\n    if n:\n        return [x for x in xs]\n",
      LISTS,
      [at(1, "it can end without returning a value")],
    ],
    [
      "a statement that fails always",
      "def add(a, b):\n    if a:\n        b += 1\n    total = str(a)\n    return (\n        total + b)\n",
      REFERENCE,
      [at(5, "this fails with arguments like the reference's: text + int")],
    ],
    [
      "one in a loop",
      "def pick(xs, n):\n    out = []\n    for x in xs:\n        out.push(x > n)\n    return out\n",
      LISTS,
      [at(4, "this fails with arguments like the reference's once the loop runs: list has no .push")],
    ],
    [
      "one in a branch, in a function that it calls",
      "def add(a, b):\n    if a:\n        return more(b)\n    return a + b\n\ndef more(b):\n    return len(3) + b\n",
      REFERENCE,
      [at(7, "this fails if it is reached: len(int)")],
    ],
  ])("name %s", (_, candidate, reference, wanted) => {
    const found = find(candidate, reference);
    expect(found.map(({ line, what }) => ({ line, what }))).toEqual(wanted);
    const { answers, fails } = ruled(candidate, reference);
    // A module may be installed on the machine that runs the tests.
    expect(found.some(({ certain }) => certain)).toBe(fails && !found.some(({ what }) => what.includes("--python")));
    expect(gate(candidate, reference) === 0 || answers < 1).toBe(true);
  });

  it.each([
    ["print(a < 'b')", "int < text"],
    ["print([a] < b)", "list < int"],
    ["for c in a: pass", "int, but an iterable is required"],
    ["print({[a]: b})", "list, but a hashable value is required"],
    ["print(a[0])", "int, but an indexable value is required"],
    ["print(abs('a'))", "abs(text)"],
    ["print(''.join(range(a)))", "int, but text is required"],
    ["print(c)\n    c = a", "a variable is read before it is assigned"],
    ["c, d = a, b, a", "3 values for 2 names"],
    ["print(add(a))", "the function takes 2 arguments, got 1"],
    ["[].append(a, b)", "wrong number or names of arguments"],
    ["{}.has_key(a)", "dict has no .has_key"],
    ["from math import squareroot", "math has no squareroot"],
    ["print(len(a + b))", "len(int)"],
  ])("say of `%s` what fails", (statement, what) => {
    expect(find(`def add(a, b):\n    ${statement}\n    return a + b\n`, REFERENCE)).toMatchObject([
      at(2, `this fails with arguments like the reference's: ${what}`),
    ]);
  });

  it("are none of the reference itself, nor of what it lacks as well", () => {
    for (const program of [REFERENCE, LISTS]) expect(find(program, program)).toEqual([]);
    const given = "def add(a, b):\n    return np.add(a, given)\n";
    expect(find(given, given)).toEqual([]);
    expect(find(given, null)).toMatchObject([at(2, "`given` is not defined"), at(2, "`np` is not defined")]);
  });

  it("go by the modules that there are", () => {
    const program = "import numpy\n\ndef add(a, b):\n    return numpy.add(a, b)\n";
    expect(find(program, REFERENCE, new Set(["numpy"]))).toEqual([]);
    expect(find(program, REFERENCE, new Set())).toMatchObject([
      at(
        1,
        "`numpy` is not in the standard library; use --run --python ENV/bin/python with an environment that has it",
      ),
    ]);
  });
});
