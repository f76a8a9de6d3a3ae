import { describe, expect, it } from "vitest";
import { toInputRow, toScoreRow } from "../../src/score/index.ts";
import { proseOf } from "../../src/score/rows.ts";

describe("a row to be scored", () => {
  const all = { candidate: "c", reference: "r", description: "d" };

  it.each([
    ["ours", { candidate: "c", reference: "r", description: "d", source: "mbpp" }, all],
    ["CodeScore's", { generated_code: "c", golden_code: "r", source: "d", passed: 1 }, all],
    ["a candidate beside CodeScore's reference", { candidate: "c", golden_code: "r", source: "d" }, all],
    ["CodeScore's candidate beside a reference", { generated_code: "c", reference: "r", description: "d" }, all],
    ["both names, of which ours wins", { ...all, generated_code: "x", golden_code: "y", source: "z" }, all],
    [
      "a candidate alone, of which `source` is no description",
      { candidate: "c", source: "mbpp" },
      { candidate: "c", reference: null, description: null },
    ],
  ])("may have the names of %s", (_, value, expected) => {
    expect(toScoreRow({ value, where: "here" }, 7)).toEqual({ id: 7, ...expected });
  });
});

describe("a row of a file", () => {
  const given = { candidate: "c", reference: "r" };

  it.each([
    ["a task that is a list", { task_id: [1] }, "expected `task_id` to be a string or a number, got array"],
    ["an entry point that is a number", { entry_point: 5 }, "expected `entry_point` to name a function (`f`) or"],
    ["an entry point that is code", { entry_point: "f)(" }, 'a method (`Solution().f`), got "f)("'],
  ])("with %s has an error", (_, more, message) => {
    const { id, error } = toInputRow({ value: { ...given, id: "a", ...more }, where: "x.jsonl:1" }, 0);
    expect([id, error?.message]).toEqual(["a", expect.stringContaining(message)]);
    expect(error?.message).toMatch(/^x\.jsonl:1: /);
  });

  it("may name its task by a number, and leave its entry point empty", () => {
    const row = toInputRow({ value: { ...given, task_id: 5, entry_point: "" }, where: "x" }, 0);
    expect([row.task, row.entryPoint, row.error]).toEqual(["5", undefined, undefined]);
  });
});

describe("what a description says", () => {
  const imports = "from typing import List\n\n\n";
  it.each([
    [
      "a prompt its docstring",
      `${imports}def f(a: int) -> int:\n    """ Adds.\n    Twice.\n    """\n`,
      "Adds.\nTwice.",
    ],
    ["several functions that of the last", 'def g(x):\n    """Helps."""\n\ndef f(x):\n    """Does."""\n', "Does."],
    ["a function without one itself", "def f(x):\n    # adds\n", "def f(x):\n    # adds\n"],
    ["prose itself", 'Write\n\ndef f(x):\n    """Does."""\n', 'Write\n\ndef f(x):\n    """Does."""\n'],
    ["an empty docstring the whole", 'def f(x):\n    """"""\n', 'def f(x):\n    """"""\n'],
    [
      "a docstring that never ends its beginning",
      `def f(x):\n    """Does.${"\n    x".repeat(5000)}`,
      expect.any(String),
    ],
  ])("is of %s", (_, description, said) => {
    expect(proseOf(description)).toEqual(said);
  });
});

describe("toScoreRow", () => {
  const prompt = 'def add(a, b):\n    """Adds."""\n';
  it.each([
    [
      "an index for a missing id",
      { candidate: "x", reference: "y" },
      { id: 7, candidate: "x", reference: "y", description: null },
    ],
    [
      "CodeScore's own names",
      { generated_code: "x", golden_code: "y", source: "z" },
      { id: 7, candidate: "x", reference: "y", description: "z" },
    ],
    [
      "a data set's name, which is no description",
      { candidate: "x", reference: "y", source: "mbpp" },
      { id: 7, candidate: "x", reference: "y", description: null },
    ],
    [
      "a body that continues the prompt",
      { prompt, candidate: "    return a\n", reference: "    return b\n" },
      { id: 7, candidate: `${prompt}    return a\n`, reference: `${prompt}    return b\n`, description: null },
    ],
    [
      "an empty reference beside a prompt as none",
      { prompt, candidate: "    return a\n", reference: "" },
      { id: 7, candidate: `${prompt}    return a\n`, reference: null, description: null },
    ],
    [
      "an id of any type as it came",
      { id: true, candidate: "x" },
      { id: true, candidate: "x", reference: null, description: null },
    ],
    [
      "a whole program beside a prompt",
      { id: "q", prompt, candidate: "import re\ndef add(a, b):\n    return a\n" },
      { id: "q", candidate: "import re\ndef add(a, b):\n    return a\n", reference: null, description: null },
    ],
  ])("takes %s", (_, value, expected) => {
    expect(toScoreRow({ value, where: "x:1" }, 7)).toEqual(expected);
  });
});
