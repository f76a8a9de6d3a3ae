import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { sanitizeVerb } from "../../src/cli/sanitize.ts";
import { loadSanitizer, type Sanitize } from "../../src/problems/index.ts";
import type { Problem } from "../../src/types.ts";
import { oneProblem, tempFolder, writeRows } from "./helpers.ts";

const f = "def f(x):\n    return x + 1\n";
const prompt = 'from typing import List\n\n\ndef f(x: List[int]) -> int:\n    """ Add. """\n';
const row = {
  task_id: "A/1",
  prompt,
  entry_point: "f",
  canonical_solution: "    return 1\n",
  test: "def check(candidate): pass",
};

let sanitize: Sanitize;
let problem: Problem;
beforeAll(async () => {
  sanitize = await loadSanitizer();
  problem = await oneProblem(row);
});

const sample = (text: string, kind: "program" | "completion" = "program") =>
  ({ taskId: "A/1", sampleId: "s", madeBy: "m", kind, text }) as const;
const program = (text: string, entryPoint: string | null = "f") => sanitize(sample(text), { ...problem, entryPoint });

describe("an answer", () => {
  it.each([
    ["in a fence", `Sure:\n\n\`\`\`python\n${f}\`\`\`\nHope this helps!`, f],
    ["in a fence without a language", `\`\`\`\n${f}\`\`\``, f],
    ["in a fence of tildes", `~~~py\n${f}~~~`, f],
    ["in a longer fence that holds one", `\`\`\`\`python\n${f}s = '''\n\`\`\`\n'''\n\`\`\`\``, f],
    ["in a fence that does not end", `Here:\n\`\`\`Python3\n${f}`, f],
    ["in a fence that began in the prompt", `${f}\`\`\`\nThis function adds.`, f],
    ["in an indented fence", `1. First:\n   \`\`\`python\n   def f(x):\n       return x + 1\n   \`\`\`\n`, f],
    ["with Windows line ends", `\`\`\`python\r\n${f.replaceAll("\n", "\r\n")}\`\`\`\r\n`, f],
    ["after a fence in another language", `\`\`\`bash\npip install f\n\`\`\`\n\`\`\`python\n${f}\`\`\``, f],
    ["before a fence with tests", `\`\`\`python\n${f}\`\`\`\nTest it:\n\`\`\`python\nprint(f(1))\n\`\`\``, f],
    ["after a fence with a sketch", `\`\`\`python\nx = 1\n\`\`\`\nThen:\n\`\`\`python\n${f}\`\`\``, f],
    ["twice: the first counts", `\`\`\`python\n${f}\`\`\`\nor\n\`\`\`python\ndef f(x):\n    return 1 + x\n\`\`\``, f],
  ])("is taken out %s", (_, text, expected) => {
    expect(program(text)).toMatchObject({ change: "extracted" });
    expect(program(text).program.trimEnd()).toBe(expected.trimEnd());
  });

  it.each([
    ["prose before and after", `Here is the code you asked for:\n\n${f}\nIt's simple, isn't it?\n`, f],
    [
      "prose between imports and function",
      `import math\nNow, the function itself:\ndef f(x):\n    return math.pi\n`,
      "import math\ndef f(x):\n    return math.pi\n",
    ],
    ["a second function that was cut off", `${f}\ndef g(x):\n    return [x for`, f],
    [
      "its own tail cut off",
      "def f(x):\n    if x:\n        return 1\n    return [x for",
      "def f(x):\n    if x:\n        return 1",
    ],
    [
      "its own tail cut off in a bracket over lines",
      "def f(x):\n    y = 1\n    return [\n  x,\n  y,",
      "def f(x):\n    y = 1",
    ],
    ["a tail cut off inside of a text", `${f}\ndef g():\n    """ Some text that\nends nowhere`, f],
    ["a cut off repetition of itself", `${f}\n\ndef f(x):\n    """`, f],
    ["broken code between", `${f}x = = 1\nclass D:\n`, f],
  ])("loses %s", (_, text, expected) => {
    expect(program(text)).toMatchObject({ change: "cut" });
    expect(program(text).program.trimEnd()).toBe(expected.trimEnd());
  });

  it.each([
    ["nothing but prose", "I am sorry, I cannot do that."],
    ["nothing", ""],
    ["another function", "def g(x):\n    return x\n"],
    ["no more than a docstring before it was cut off", 'def f(x):\n    """ Add. """\n    return [x for'],
    ["indentation lost", "def f(x):\n for y in x:\n if y:\n return y\n return 0\n"],
    ["Python 2", "def f(x):\n    print x\n    return x\n"],
  ])("stays as it is when it holds %s", (_, text) => {
    expect(program(text)).toEqual({ change: "unmended", program: text });
  });

  it("of a program that reads stdin keeps its main part and its prints", () => {
    const main = "def main():\n    print(input())\n\nif __name__ == '__main__':\n    main()\n";
    expect(program(main, null)).toEqual({ change: "unchanged", program: main });
    expect(program(`Sure!\n\`\`\`python\n${main}\`\`\``, null)).toEqual({
      change: "extracted",
      program: main.trimEnd(),
    });
    expect(program("Sure", null)).toEqual({ change: "unmended", program: "Sure" });
  });
});

describe("what the entry point needs", () => {
  it.each([
    ["helpers, of helpers too", "def h(): return g()\ndef g(): return 1\ndef f(): return h()\n"],
    ["helpers without return", "def g(a): a.append(1)\ndef f(a): g(a)\n"],
    [
      "decorators and what they need",
      "import functools\ndef d(g): return g\n@d\n@functools.cache\ndef f(n): return n\n",
    ],
    [
      "a base class and what its methods use",
      "K = 1\nclass B:\n    x = K\nclass f(B):\n    def g(self): return h()\ndef h(): return 1\n",
    ],
    ["every definition of a name", "def g(): return 1\ndef f(): return g()\ndef g(): return 2\n"],
    ["a wrapped function", "def f(n): return n\nf = memo = (lambda g: g)(f)\n"],
    ["an alias", "def solve(n): return n\nf = solve\n"],
    ["several names at once", "a, (b, *c) = 1, (2, 3)\ndef f(): return b\n"],
    ["a constant with a type", "LIMIT: int = 10\ndef f(): return LIMIT\n"],
    ["a table filled by a loop", "t = [0] * 9\nfor i in range(9):\n    t[i] = i * i\ndef f(i): return t[i]\n"],
    [
      "a table filled by a call",
      "t = []\ndef fill():\n    for i in range(9): t.append(i)\nfill()\ndef f(i): return t[i]\n",
    ],
    ["a global set by a call", "n = 0\ndef init():\n    global n\n    n = 5\ninit()\ndef f(): return n\n"],
    ["changes of a value", "m = {}\nm[0] = 1\nm.update({1: 1})\ndef f(n): return m[n]\n"],
    ["attributes of functions", "def f(n): return f.cache[n]\nf.cache = {}\n"],
    [
      "imports in try",
      "try:\n    from math import comb\nexcept ImportError:\n    comb = None\ndef f(n): return comb(n, 1)\n",
    ],
    [
      "imports by other names",
      "import os.path as p, re\nimport collections.abc\ndef f(n): return p, re, collections\n",
    ],
    [
      "star imports and those from the future",
      "from __future__ import annotations\nfrom math import *\ndef f(n): return sqrt(n)\n",
    ],
    ["settings of the interpreter", "import sys\nsys.setrecursionlimit(10 ** 6)\ndef f(n): return n\n"],
    ["defaults and annotations", "class N: pass\nD = 1\ndef f(n: N = D): return n\n"],
    ["names that are looked up by text", "def g(): return 1\ndef f(): return globals()['g']()\n"],
    [
      "conditional definitions",
      "import sys\nif sys.version_info > (3,):\n    def f(): return 1\nelse:\n    def f(): return 2\n",
    ],
    [
      "a global function that a nested one shadows elsewhere",
      "def g(): return 1\ndef f():\n    def h(g): return g\n    return h(g)\n",
    ],
  ])("includes %s", (_, code) => {
    expect(program(code)).toEqual({ change: "unchanged", program: code });
  });

  it.each([
    ["prints", `${f}print(f(1))\n`],
    ["tests", `${f}assert f(1) == 2\nassert f(2) == 3, "three"\n`],
    ["a main part", `${f}if __name__ == "__main__":\n    print(f(int(input())))\n`],
    ["a main part the other way round", `${f}if '__main__' == __name__:\n    f(1)\n`],
    ["functions that test it, and their calls", `${f}def test():\n    assert f(1) == 2\n\ntest()\n`],
    [
      "imports for tests",
      `import unittest\n${f}class T(unittest.TestCase):\n    def test(self): f(1)\nunittest.main()\n`,
    ],
    // evalplus/evalplus#188: a variable of a test has the name of a local variable
    ["variables of tests that share a name with locals", `${f}x = 5\nprint(f(x))\n`],
    ["loops that try it", `${f}for x in [1, 2]:\n    print(f(x))\n`],
    ["input that is read", `n = int(input())\n${f}`],
    ["docstrings and stray expressions", `"""Adds."""\n${f}f\n1 + 1\n`],
  ])("does not include %s", (_, code) => {
    expect(program(code)).toEqual({ change: "pruned", program: f });
  });

  it("is a class where the entry point is its method", () => {
    const code = "class Solution:\n    def f(self, x):\n        return g(x)\n\ndef g(x):\n    return x\n";
    expect(program(`${code}\nprint(Solution().f(1))\n`, "Solution().f")).toEqual({ change: "pruned", program: code });
  });
});

describe("a completion", () => {
  const completion = (text: string) => sanitize(sample(text, "completion"), problem);

  it("that continues the prompt becomes a whole program, cut where the model ran on", () => {
    expect(completion("    return sum(x)\n")).toEqual({ change: "unchanged", program: `${prompt}    return sum(x)\n` });
    expect(completion("    return sum(x)\n\nprint(f([1]))\n")).toEqual({
      change: "pruned",
      program: `${prompt}    return sum(x)\n`,
    });
    expect(completion("    return sum(x)\n\ndef g(").program).toBe(`${prompt}    return sum(x)\n`);
  });

  it("that lost the indentation of its first line or of all gets it back", () => {
    expect(completion("y = x\n    return y").program).toBe(`${prompt}    y = x\n    return y`);
    expect(completion("```python\ny = x\nreturn y\n```").program).toBe(`${prompt}    y = x\n    return y`);
  });

  it("that is a chat's answer stands alone, with the prompt's imports and helpers that it lacks", async () => {
    const answer = "Sure:\n```python\ndef f(x: List[int]) -> int:\n    return sum(x)\n```";
    expect(completion(answer)).toEqual({
      change: "extracted",
      program: "from typing import List\ndef f(x: List[int]) -> int:\n    return sum(x)",
    });
    expect(completion("```python\ndef f(x):\n    return 1\n```").program).toBe("def f(x):\n    return 1");
  });

  it("of prose leaves no empty function behind", () => {
    expect(completion("Sorry, I can't do that.\n")).toMatchObject({ change: "unmended" });
  });
});

it("is given for any text, and given again for what it gave", () => {
  const pieces = fc.constantFrom(
    f,
    "```python\n",
    "```\n",
    "print(f(1))\n",
    "Sure, here it is:\n",
    "def g(\n",
    '"""\n',
    "    x\n",
    "import os\n",
    "\n",
    "x = [\n",
    "f(1)",
  );
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 8 }),
      fc.constantFrom("program" as const, "completion" as const),
      (parts, kind) => {
        const first = sanitize(sample(parts.join(""), kind), problem);
        if (first.change === "unmended") return;
        expect(sanitize(sample(first.program), problem)).toEqual({ change: "unchanged", program: first.program });
      },
    ),
    { numRuns: 150 },
  );
});

it("the verb writes every row, in order, with its other fields; what it cannot mend unchanged", async () => {
  const problems = writeRows([row], "problems.jsonl");
  const rows = [
    { task_id: "A/1", completion: `\`\`\`python\n${f}\`\`\``, model: "m" },
    { task_id: "A/1", completion: "Sorry.", n: 1 },
    { task_id: "B/1", code: "```x```" },
    { task_id: "A/1", solution: "", code: f },
  ];
  const output = join(tempFolder(), "out.jsonl");
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  await sanitizeVerb().parseAsync([writeRows(rows), "--problems", problems, "--output", output], { from: "user" });
  const said = stderr.mock.calls.join("");
  stderr.mockRestore();
  expect(said).toContain("could not be fixed: 1 sample\n");
  expect(said).toContain("of tasks that are in no problem file: 1 sample\n");
  expect(
    readFileSync(output, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([{ task_id: "A/1", model: "m", solution: f.trimEnd() }, rows[1], rows[2], { task_id: "A/1", solution: f }]);
});
