/** A made-up row of HumanEval and one of MBPP. */
export const humanEval = {
  task_id: "HumanEval/900",
  prompt:
    'from typing import List\n\n\ndef twice(xs: List[int]) -> List[int]:\n    """ Double every item.\n    >>> twice([1])\n    [2]\n    """\n',
  entry_point: "twice",
  canonical_solution: "    return [2 * x for x in xs]\n",
  test: "def check(candidate):\n    assert candidate([1]) == [2]\n",
};

export const mbpp = {
  task_id: 901,
  text: "Write a function to find the larger of two numbers.",
  code: "def helper(a, b):\r\n  return a if a > b else b\r\ndef larger(a, b):\r\n  return helper(a, b)",
  test_list: ["assert larger(1, 2) == 2", "assert set([larger(3, 2)]) == {3}"],
  test_setup_code: "",
  challenge_test_list: [],
};
