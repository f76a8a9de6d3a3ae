/** Tests that run whole in the program's process, one after another, as `unittest` runs a file (BigCodeBench). */
import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import { wholeTests } from "../../src/problems/unittest.ts";
import { every } from "../every.ts";
import { openShared, problem, sandboxes } from "./open.ts";

const file = (body: string): string => `import os\nimport unittest\nfrom unittest.mock import patch\n${body}`;
const methods = (...bodies: string[]): string =>
  file(
    `class TestCases(unittest.TestCase):\n${bodies.map((body, i) => `    def test_${i}(self):\n        ${body.replaceAll("\n", "\n        ")}\n`).join("")}`,
  );

/** Topic, test file, program, and the outcomes in order. */
const cases: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    "right and wrong answers, and exceptions",
    methods(
      "self.assertEqual(f(1), 2)",
      "self.assertEqual(f(2), 4)",
      "f(None)",
      "self.assertRaises(TypeError, f, None)",
    ),
    "def f(n):\n    return n + 1",
    ["pass", "fail", "error:TypeError", "pass"],
  ],
  [
    "patches of modules",
    methods(
      'with patch("random.random", return_value=0.5):\n    self.assertEqual(f(), 0.5)',
      "self.assertNotEqual(f(), 0.5)",
    ),
    "import random\ndef f():\n    return random.random()",
    ["pass", "pass"],
  ],
  [
    "fixtures, those of the class and of the module's own names too",
    file(`class TestCases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.base = 1
    def setUp(self):
        self.n = self.base + 1
    def tearDown(self):
        del self.n
    def test_0(self):
        self.assertEqual(f(self.n), 2)
    def test_1(self):
        for n in range(3):
            with self.subTest(n=n):
                self.assertEqual(f(n), n)
    @unittest.skip("not here")
    def test_2(self):
        self.fail()
`),
    "def f(n):\n    return n",
    ["pass", "pass", "pass"],
  ],
  [
    "state that goes from one test to the next",
    methods("self.assertEqual(f(), 1)", "self.assertEqual(f(), 2)"),
    "calls = 0\ndef f():\n    global calls\n    calls += 1\n    return calls",
    ["pass", "pass"],
  ],
  [
    "state of the file, which is run once",
    file(`left = [1, 2, 3]
class TestCases(unittest.TestCase):
    seen = []
    def test_0(self):
        self.seen.append(left.pop(0))
        self.assertEqual(f(left), 2)
    def test_1(self):
        self.seen.append(left.pop(0))
        self.assertEqual((f(left), self.seen), (1, [1, 2]))
`),
    "def f(xs):\n    return len(xs)",
    ["pass", "pass"],
  ],
  [
    "a file that raises an exception, in every test",
    file(`raise ValueError
class TestCases(unittest.TestCase):
    def test_0(self):
        pass
    def test_1(self):
        pass
`),
    "def f():\n    return 1",
    ["error:ValueError", "error:ValueError"],
  ],
  [
    "names that the file imports for the program",
    methods("self.assertEqual(f(), os.sep)"),
    "def f():\n    return os.sep",
    ["pass"],
  ],
];

/** Not in WebAssembly, where the process is the worker and a sleeping one is ended. */
const forked: typeof cases = [
  [
    "a test that sleeps for a second and more",
    methods("import time\ntime.sleep(1.3)\nself.assertEqual(f(), 1)"),
    "def f():\n    return 1",
    ["pass"],
  ],
  [
    "a program that ends the process: the others run in a new one",
    methods("self.assertEqual(f(0), 0)", "f(1)", "self.assertEqual(f(0), 0)"),
    "import os\ndef f(n):\n    if n:\n        os._exit(0)\n    return n",
    ["pass", "error:Exit", "pass"],
  ],
  [
    "a program that never ends: the others run in a new one",
    methods("self.assertEqual(f(0), 0)", "f(1)", "self.assertEqual(f(0), 0)"),
    "def f(n):\n    while n:\n        pass\n    return n",
    ["pass", "timeout", "pass"],
  ],
  [
    "files, which are gone for the next program",
    methods('self.assertEqual(f(), [])\nopen("left", "w").close()', 'self.assertEqual(f(), ["left"])'),
    'import os\ndef f():\n    return [name for name in os.listdir(".") if name == "left"]',
    ["pass", "pass"],
  ],
];

describe.each(sandboxes)("a unittest file in %s", { timeout: 120_000 }, (sandbox) => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await openShared(sandbox);
  });

  // WebAssembly loads unittest again for each program: every third case there, and each program only once. CODESCORE_EVERY=1 uses all.
  const isSlow = sandbox === "wasm" && every(3) !== 1;
  const once = new Set(forked.slice(0, 3)); // what they do takes seconds
  const fitting = sandbox === "wasm" ? cases.filter((_, i) => i % every(3) === 0) : [...cases, ...forked];
  it.each(fitting.map((one) => [...one, isSlow || once.has(one) ? 1 : 2] as const))("has %s", async (...one) => {
    const [_what, tests, program, expected, times] = one;
    const task = problem("f", wholeTests(tests));
    for (let again = 0; again < times; again++) {
      const { verdicts } = await executor.execute(task, `${program}\n# ${again}`);
      expect(verdicts.map(({ outcome, errorType }) => (errorType ? `${outcome}:${errorType}` : outcome))).toEqual(
        expected,
      );
      expect(verdicts.every(({ opaque }) => opaque === true)).toBe(true);
    }
  });

  it("has a program wait for as long as its reference does", async () => {
    const count = sandbox === "wasm" ? 2_000_000 : 6_000_000; // longer than the minimum time of a test
    const slow = `def f():\n    return sum(range(${count})) and 1`;
    const task = problem("f", wholeTests(methods("self.assertEqual(f(), 1)")), { references: [slow] });
    expect((await executor.execute(task, slow)).passRatio).toBe(1);
  });

  it("that is no Python, or has no tests, gives no label", async () => {
    const broken = problem("f", [{ id: "t", origin: "given", kind: "assert", whole: true, code: "def" }]);
    expect(await executor.execute(broken, "def f(): pass")).toMatchObject({ status: "no_label" });
    expect(wholeTests("import unittest\n")).toEqual([]);
  });
});
