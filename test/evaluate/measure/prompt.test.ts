import { expect, test } from "vitest";
import { stripSharedPrompt } from "../../../src/evaluate/index.ts";

const head =
  'from typing import List\n\n\ndef f(xs: List[int]) -> int:\n    """ Sums.\n    >>> f([1])\n    1\n    """\n';

test.each([
  ["the prompt goes, the bodies stay", head, "    return sum(xs)\n", "    total = 0\n    return total\n"],
  ["equal first lines of the bodies stay", head, "    t = 0\n    return t\n", "    t = 0\n    return t + 1\n"],
  ["equal bodies stay whole", head, "    return 1\n", "    return 1\n"],
  ["an empty candidate is empty", head, "", "    return 1\n"],
  ["a signature alone", "def f(x):\n", "    return x", "    return 1"],
  ["a docstring of one line", 'def f(x):\n    """One line."""\n', "    return x", "    return 1"],
  ["single quotes, raw", "def f(x):\n    r'''One\n    two'''\n", "    return x", "    return 1"],
  ["a method", 'class S:\n    def f(self, x):\n        """One."""\n', "        return x", "        return 1"],
  [
    "a helper inside the body stays",
    "def f(x):\n",
    "    def g(y):\n        return y",
    "    def g(y):\n        return 1",
  ],
  [
    "a statement that is no docstring stays",
    "def f(x):\n",
    '    s = """a"""\n    return s',
    '    s = """a"""\n    return 1',
  ],
])("%s", (_, prompt, candidate, reference) => {
  expect(stripSharedPrompt(prompt + candidate, prompt + reference)).toEqual([candidate, reference]);
});

test.each([
  ["different heads", "def f(x):\n    return x", "def f(y):\n    return y"],
  ["a reference that is all head", "def f(x):\n    return x", "def f(x):\n"],
  ["a docstring that only one of them closes", 'def f(x):\n    """a\n    b', 'x = """a\n    b"""\n'],
  ["another language", "function f(x) {\n  return x;\n}", "function f(x) {\n  return 1;\n}"],
  ["nothing at all", "", ""],
])("left whole: %s", (_, candidate, reference) => {
  expect(stripSharedPrompt(candidate, reference)).toEqual([candidate, reference]);
});
