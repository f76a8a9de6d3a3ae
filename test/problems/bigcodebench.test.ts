import { describe, expect, it } from "vitest";
import { oneProblem } from "./helpers.ts";

const test = `import unittest
from unittest.mock import patch
LIMIT = 3
class Helper:
    def test_nothing(self):
        pass
class TestCases(unittest.TestCase):
    """
    def test_in_text(self):
    """
    def setUp(self):
        self.n = 1
    # at the left, as released files have it
# def test_commented(self):
    @patch("random.random", return_value=0.5)
    def test_a(self, _random):
        def test_inner():
            return 1
        self.assertEqual(task_func(1), """
text at the left
""")
    def test_b(self):
        pass
    def test_b(self):
        self.assertEqual(task_func(2), 2)
    async def test_c(self):
        pass
`;
const row = {
  task_id: "BigCodeBench/900",
  complete_prompt: 'import random\nSIZE = 2\n\ndef task_func(n):\n    """\n    Double n.\n    """\n',
  instruct_prompt: "Double n.\nYou should write self-contained code.",
  code_prompt: "import random\nSIZE = 2\ndef task_func(n):\n",
  canonical_solution: "    return SIZE * n",
  test,
  entry_point: "task_func",
  libs: "['random']",
};

describe("BigCodeBench rows", () => {
  it("become problems with a test a method, whose programs continue the prompt or are whole", async () => {
    const problem = await oneProblem(row);
    expect(problem).toMatchObject({
      id: "BigCodeBench/900",
      description: "Double n.",
      prompt: row.complete_prompt,
      entryPoint: "task_func",
      references: ["import random\nSIZE = 2\ndef task_func(n):\n    return SIZE * n"],
      setup: "import random\nSIZE = 2\n",
      source: "bigcodebench",
    });
    expect(problem.tests.map(({ id }) => id)).toEqual(["TestCases.test_a", "TestCases.test_b", "TestCases.test_c"]);
    for (const one of problem.tests) expect(one).toMatchObject({ kind: "assert", whole: true, origin: "given" });
  });

  it("are read without a reference, and without `code_prompt`", async () => {
    const { canonical_solution: _, code_prompt: __, ...bare } = row;
    expect(await oneProblem(bare)).toMatchObject({ references: [], setup: "import random\nSIZE = 2\n\n" });
  });
});
