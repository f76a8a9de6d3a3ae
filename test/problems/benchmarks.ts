/** Rows of benchmarks in their released format, with our own problems, each with a right and a wrong program. */
import { execFileSync } from "node:child_process";
import { deflateSync } from "node:zlib";

/** The result of Python's `pickle.dumps(text, protocol)`, for texts under 256 bytes and for longer ones, also with old protocols. */
export function pickled(text: string, protocol = 4): Buffer {
  const bytes = Buffer.from(text, "utf8");
  const length = Buffer.alloc(bytes.length < 256 && protocol >= 4 ? 1 : 4);
  length.writeUIntLE(bytes.length, 0, length.length);
  const body = Buffer.concat([Buffer.from([length.length === 1 ? 0x8c : 0x58]), length, bytes]);
  if (protocol < 4) return Buffer.concat([Buffer.from([0x80, protocol]), body, Buffer.from("q\0.", "latin1")]);
  const frame = Buffer.alloc(9, 0x95);
  frame.writeBigUInt64LE(BigInt(body.length + 2), 1);
  return Buffer.concat([Buffer.from([0x80, protocol]), frame, body, Buffer.from([0x94, 0x2e])]);
}

export const packed = (tests: unknown, protocol?: number): string =>
  deflateSync(pickled(JSON.stringify(tests), protocol)).toString("base64");

/** Packed by Python; null if there is no Python. */
export function packedByPython(tests: unknown): string | null {
  const code =
    "import base64, json, pickle, sys, zlib; print(base64.b64encode(zlib.compress(pickle.dumps(json.dumps(json.load(sys.stdin))))).decode())";
  try {
    return execFileSync("python3", ["-c", code], { input: JSON.stringify(tests), stdio: "pipe", timeout: 20_000 })
      .toString()
      .trim();
  } catch {
    return null;
  }
}

const stdin = (input: string, output: string) => ({ input, output, testtype: "stdin" });
const functional = (input: string, output: string) => ({ input, output, testtype: "functional" });

export const liveCodeBench = {
  question_title: "Halves",
  question_content: "Print the half of each number.",
  platform: "atcoder",
  question_id: "abc900_a",
  contest_id: "abc900",
  contest_date: "2024-01-01T00:00:00",
  starter_code: "",
  difficulty: "easy",
  public_test_cases: JSON.stringify([stdin("2\n3\n5\n", "1.5\n2.5\n")]),
  private_test_cases: packed([stdin("1\n4\n", "2"), stdin("0\n", "")]),
  metadata: "{}",
};

export const liveCodeBenchCall = {
  ...liveCodeBench,
  question_id: "9001",
  platform: "leetcode",
  starter_code: "class Solution:\n    def ends(self, xs: List[int], k: int) -> List[int]:\n        ",
  public_test_cases: JSON.stringify([functional("[1, 2, 3]\n1", "[1, 3]")]),
  private_test_cases: packed([functional("[4, 5]\n2", "[4, 5, 4, 5]")]),
  metadata: '{"func_name": "ends"}',
};

const prompt = 'def half(x: float) -> float:\n    """ Half of x.\n    >>> half(3)\n    1.5\n    """\n';

export const humanEvalPack = {
  task_id: "Python/900",
  prompt,
  declaration: "def half(x: float) -> float:\n",
  canonical_solution: "    return x / 2\n",
  buggy_solution: "    return x * 2\n",
  bug_type: "operator misuse",
  failure_symptoms: "incorrect output",
  entry_point: "half",
  import: "",
  test_setup: "",
  test: "def check(half):\n    assert half(3) == 1.5\n    assert half(0) == 0\n\ncheck(half)",
  example_test: "",
  signature: "half(x: float) -> float",
  docstring: "Half of x.",
  instruction: "Write a function.",
};

export const evoEval = {
  task_id: "EvoEval/900",
  prompt,
  entry_point: "half",
  canonical_solution: "    return x / 2\n",
  inputs: ["3", "0.1 + 0.2", "x=7"],
  parent: "HumanEval/900",
  main: "",
  helpers: "",
};

export const classEval = {
  task_id: "ClassEval_900",
  skeleton: 'from math import pi\n\nclass Disc:\n    """A disc."""\n    def area(self):\n        """Its area."""\n',
  test: `import unittest

class DiscTestArea(unittest.TestCase):
    def setUp(self):
        self.disc = Disc(2)
    def test_area(self):
        self.assertAlmostEqual(self.disc.area(), 4 * pi)

class DiscTestMain(unittest.TestCase):
    def test_radius(self):
        self.assertEqual(Disc(3).radius, 3)
`,
  solution_code:
    "class Disc:\n    def __init__(self, radius):\n        self.radius = radius\n    def area(self):\n        return pi * self.radius ** 2\n",
  import_statement: ["from math import pi"],
  class_description: '    """A disc."""',
  class_name: "Disc",
  test_classes: ["DiscTestArea", "DiscTestMain"],
  class_constructor: "class Disc: \n",
  fields: ["self.radius"],
  methods_info: [],
};

/** Uses no library, so that it runs everywhere. */
export const ds1000 = {
  prompt: "Problem:\nI have numbers; I want their sum in `result`, without a loop.\nBEGIN SOLUTION\n<code>",
  reference_code: "result = sum(xs)",
  metadata: {
    problem_id: 900,
    library_problem_id: 900,
    library: "Numpy",
    test_case_cnt: 2,
    perturbation_type: "Origin",
    perturbation_origin_id: 900,
  },
  code_context: `import copy


def generate_test_case(test_case_id):
    xs = [1, 2, 3] if test_case_id == 1 else [-1]
    return xs, sum(copy.deepcopy(xs))


def exec_test(result, ans):
    assert result == ans
    return 1


exec_context = r"""
xs = test_input
[insert]
"""


def test_execution(solution: str):
    code = exec_context.replace("[insert]", solution)
    for i in range(2):
        test_input, expected_result = generate_test_case(i + 1)
        test_env = {"test_input": test_input}
        exec(code, test_env)
        assert exec_test(test_env["result"], expected_result)


def test_string(solution: str):
    assert "for" not in solution.split()
`,
};

const plus = (entry_point: string, task_id: string, parameters: string, body: string, base: string, more: string) =>
  `{"task_id": "${task_id}", "prompt": "", "entry_point": "${entry_point}", "atol": 0, "contract": "",
    "canonical_solution": ${JSON.stringify(`def ${entry_point}(${parameters}):\n    return ${body}\n`)},
    "base_input": ${base}, "plus_input": ${more}}`.replaceAll("\n", " ");

/** Rows of EvalPlus whose functions have special oracles, with our own functions. */
export const evalPlus = {
  set: plus(
    "similar_elements",
    "Mbpp/2",
    "a, b",
    "tuple(sorted(set(a) & set(b)))",
    "[[[1, 2], [2, 3]]]",
    "[[[1, 2, 3], [3, 2]]]",
  ),
  any: plus("are_equivalent", "Mbpp/164", "a, b", "a == b", "[[1, 2]]", "[[2, 2]]"),
  isThere: plus("check_str", "Mbpp/461", "s", "__import__('re').search('^a', s)", '[["abc"]]', '[["bc"]]'),
  zero: plus("sum_div", "Mbpp/295", "n", "n + 1", "[[4]]", "[[5]]"),
  surface: plus("surface_Area", "Mbpp/581", "b, s", "2 * b * s + b ** 2", "[[3, 4]]", "[[4, 5]]"),
  digits: plus("digit_distance_nums", "Mbpp/558", "a, b", "abs(a - b)", "[[1, 23]]", "[[123, 256]]"),
  root: plus("find_zero", "HumanEval/32", "xs", "-xs[0] / xs[1]", "[[[1, 2]]]", "[[[-4, 0, 1]]]")
    .replace('"atol": 0', '"atol": 0.0001')
    .replace("-xs[0] / xs[1]", "2.0 if xs[1] == 0 else -xs[0] / xs[1]"),
};
