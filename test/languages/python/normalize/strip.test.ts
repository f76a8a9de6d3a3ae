import { describe, expect, it } from "vitest";
import { stripPython } from "../../../../src/languages/python/index.ts";

describe("stripPython", () => {
  it.each([
    ["drops comments", "x = 1  # one\n# two\ny = 2\n", "x = 1\ny = 2\n"],
    ["drops a docstring", 'def f(a):\n    """Adds\n    one."""\n    return a + 1\n', "def f(a):\n    return a + 1\n"],
    [
      "keeps a body for a function that had only a docstring",
      "def f(a):\n    'no body'\nx = 1\n",
      "def f(a):\n pass\nx = 1\n",
    ],
    ["keeps one at the end too", 'def f(a):\n  """d"""', "def f(a):\n pass\n"],
    ["keeps a hash in a string", "x = '# no comment' # yes\n", "x = '# no comment'\n"],
    ["keeps strings that are a list's lines", 'x = [\n  "a",\n  "b"\n]\n', 'x = [\n  "a",\n  "b"\n]\n'],
    ["keeps a joined line", 'x = \\\n  "abc"\n', 'x = \\\n  "abc"\n'],
    ["keeps an unclosed string as it is", 'x = "abc\ny = 1\n', 'x = "abc\ny = 1\n'],
    ["drops blank lines and trailing space", "a = 1   \n\n\nb = 2", "a = 1\nb = 2\n"],
    ["leaves nothing of nothing", "# only\n", ""],
  ])("%s", (_, source, expected) => {
    expect(stripPython(source)).toBe(expected);
  });
});
