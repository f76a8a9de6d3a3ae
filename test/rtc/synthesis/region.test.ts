import { describe, expect, it } from "vitest";
import { placeAnswer } from "../../../src/rtc/synthesis/place.ts";
import { compose, cutRegion, lineStart } from "../../../src/rtc/synthesis/region.ts";

const helper = "import math\n\n\ndef half(x):\n    return x / 2";
const program = `"""What all of this is for \u{1f600}."""
${helper}


@traced
def mean(
    values: list,
) -> float:  # the average
    """The mean of the values."""
    # add them up
    total = 0
    for value in values:
        total += value
    return total / len(values)


if __name__ == "__main__":
    print(mean([1]))
`;

describe("the region of a program", () => {
  it("is the body of the function without its docstring, between what stands around it", async () => {
    const region = await cutRegion(program, "mean");
    expect(region).toEqual({
      context: helper,
      header: "@traced\ndef mean(\n    values: list,\n) -> float:  # the average",
      target:
        "    # add them up\n    total = 0\n    for value in values:\n        total += value\n    return total / len(values)",
      after: 'if __name__ == "__main__":\n    print(mean([1]))',
      top: "mean",
      afterTop: 'if __name__ == "__main__":\n    print(mean([1]))',
      indent: "    ",
      entry: "mean",
    });
    expect(compose(region, region.target)).toBe(
      program.replace(/^.*\n/, "").replace('    """The mean of the values."""\n', ""),
    );
  });

  it.each<[string, string, string, string]>([
    ["a body on the line of its signature", "def f(x): return x\n", "def f(x):", "    return x"],
    ["two statements on that line", "def f(x): x += 1; return x\n", "def f(x):", "    x += 1; return x"],
    [
      "code on the docstring's last line",
      'def f(x):\n  """D."""; y = x\n  return y\n',
      "def f(x):",
      "  y = x\n  return y",
    ],
    [
      "a docstring of joined strings",
      'def f(x):\n    ("a"\n     "b")\n    "c" "d"\n    return x\n',
      "def f(x):",
      '    ("a"\n     "b")\n    "c" "d"\n    return x',
    ],
    [
      "a string that is used",
      'def f(x):\n    "a".join(x)\n    return x\n',
      "def f(x):",
      '    "a".join(x)\n    return x',
    ],
    ["a raw docstring", "def f(x):\n    r'''D \\d'''\n\n    return x\n", "def f(x):", "    return x"],
    ["tabs and Windows line ends", "def f(x):\r\n\t'D'\r\n\treturn x\r\n", "def f(x):", "\treturn x"],
    ["no line end at all", "def f(x):\n    return x", "def f(x):", "    return x"],
    ["two definitions: the last", "def f(x):\n    return 1\n\ndef f(y):\n    return 2\n", "def f(y):", "    return 2"],
  ])("%s", async (_, source, header, target) => {
    expect(await cutRegion(source, "f")).toMatchObject({ header, target });
  });

  it("of a method has its class in the header and the rest of the class after it", async () => {
    const source =
      "class Solution:\n    def f(self, x):\n        '''D'''\n        return x\n\n    def g(self):\n        return 1\n";
    const region = await cutRegion(source, "Solution().f");
    expect(region).toMatchObject({
      header: "class Solution:\n    def f(self, x):",
      target: "        return x",
      after: "    def g(self):\n        return 1",
    });
    expect(compose(region, "        return 0")).toContain("        return 0\n\n\n    def g(self):");
  });

  it("of a program that reads and writes is all of it but its docstring", async () => {
    const region = await cutRegion('"""Adds."""\n\nn = int(input())\nprint(n + 1)\n', null);
    expect(region.target).toBe("n = int(input())\nprint(n + 1)");
    expect(compose(region, region.target)).toBe("n = int(input())\nprint(n + 1)\n");
  });

  it.each([
    ["does not parse", "def f(:\n", "f", "not valid Python"],
    ["lacks the function", "def g():\n    return 1\n", "f", "no function `f`"],
    ["has a docstring only", 'def f():\n    """D."""\n', "f", "only a docstring"],
    ["has a docstring and a comment only", 'def f():\n    """D."""\n    # later\n', "f", "only a docstring"],
  ])("is refused when the reference %s", async (_, source, entry, message) => {
    await expect(cutRegion(source, entry)).rejects.toThrow(message);
  });
});

describe("the start of a line", () => {
  it.each([
    ["\nx", 0, 0],
    ["\nx", 1, 1],
    ["\n\nx", 1, 1],
    ["x\ny", 1, 0],
    ["x\ny", 3, 2],
    ["", 0, 0],
  ])("in %j at place %i is at %i", (text, at, start) => {
    expect(lineStart(text, at)).toBe(start);
  });
});

describe("an answer takes the place of the target", () => {
  const placed = async (answer: string, source = program, entry: string | null = "mean") =>
    placeAnswer(await cutRegion(source, entry), answer);
  const expected = program
    .replace(/^.*\n/, "")
    .replace(/ {4}"""The mean[\s\S]*?len\(values\)/, "    if not values:\n        return 0\n    return sum(values)");

  it.each([
    ["indented as asked, in a fence", "```python\n    if not values:\n        return 0\n    return sum(values)\n```"],
    ["not indented", "if not values:\n    return 0\nreturn sum(values)"],
    [
      "too deep, with words around the fence",
      "Sure:\n```\n        if not values:\n            return 0\n        return sum(values)\n```\nDone.",
    ],
    ["in a fence that was cut off", "```py\n    if not values:\n        return 0\n    return sum(values)"],
    ["with Windows line ends", "```\r\n    if not values:\r\n        return 0\r\n    return sum(values)\r\n```"],
  ])("a body %s", async (_, answer) => {
    expect(await placed(answer)).toBe(expected);
  });

  it("a body whose first line lost its white space", async () => {
    expect(await placed("total = sum(values)\n    return total")).toContain(
      "# the average\n    total = sum(values)\n    return total\n",
    );
  });

  it("prose without a fence is no code", async () => {
    expect(await placed("I am sorry, but I cannot write this function for you.")).toBe("");
    expect(await placed("The function returns the mean\nof the values in the list.")).toBe("");
    expect(await placed("I would write this:\nreturn sum(values) / len(values")).not.toBe("");
  });

  it("a function replaces the function, decorators included, and keeps what stands around it", async () => {
    const answer = "```python\nimport statistics\n\ndef mean(values):\n    return statistics.mean(values)\n```";
    expect(await placed(answer)).toBe(
      `import math\ndef half(x):\n    return x / 2\n\n\nimport statistics\n\n\ndef mean(values):\n    return statistics.mean(values)\n\n\nif __name__ == "__main__":\n    print(mean([1]))\n`,
    );
  });

  it("a whole program stands alone: nothing that it has itself is put beside it", async () => {
    const whole = `${helper}\n\n\ndef mean(values):\n    return half(2 * sum(values)) / len(values)\n\n\nif __name__ == "__main__":\n    print(mean([1]))\n`;
    expect(await placed(whole)).toBe(whole);
  });

  it("a function loses its docstring, as the reference did", async () => {
    const answer = 'def twice(x):\n    """Doubles."""\n    return 2 * x\n';
    expect(await placed(answer, answer, "twice")).toBe("def twice(x):\n    return 2 * x\n");
  });

  // Gemma 3 270M answers like this when it copies the question.
  it.each([
    ["the question's comment", "```python\n    # TODO: Implement.\n```\n"],
    [
      "the function with the question's comment",
      "```python\ndef mean(values: list) -> float:\n    # TODO: Implement.\n\n```\n",
    ],
    ["the function with its docstring", '```python\ndef mean(values: list) -> float:\n    """The mean."""\n```\n'],
    ["an empty fence", "```python\n```\n"],
    ["nothing", ""],
  ])("no code comes of %s", async (_, answer) => {
    expect(await placed(answer)).toBe("");
  });

  it("code with comments is code, and so is a body that only passes", async () => {
    expect(await placed("# mean\nreturn 1")).toContain("    # mean\n    return 1\n");
    expect(await placed("pass")).toContain("    pass\n");
  });

  it("of several fences, the one that defines the function", async () => {
    const answer = "Use it so:\n```\nmean([1])\n```\nwith\n```\ndef mean(v):\n    return 1\n```";
    expect(await placed(answer, "def mean(v):\n    return sum(v)\n")).toBe("def mean(v):\n    return 1\n");
  });

  it("a function's body goes into a method", async () => {
    const source = "class S:\n    def f(self, x):\n        return x\n\n    def g(self):\n        return 1\n";
    const answer = "```python\ndef f(self, x):\n    y = x\n    return y\n```";
    expect(await placed(answer, source, "S.f")).toBe(
      "class S:\n    def f(self, x):\n        y = x\n        return y\n\n\n    def g(self):\n        return 1\n",
    );
    expect(await placed("class S:\n    def f(self, x):\n        return 2\n", source, "S.f")).toBe(
      "class S:\n    def f(self, x):\n        return 2\n",
    );
  });

  it("a program replaces a program", async () => {
    expect(await placed("```python\nprint(int(input()) + 1)\n```", "print(1 + int(input()))\n", null)).toBe(
      "print(int(input()) + 1)\n",
    );
  });

  it.each(["", "   \n", "```python\n```"])("no code at all is no program: %j", async (answer) => {
    expect(await placed(answer)).toBe("");
  });

  it("broken code is kept as broken as it is", async () => {
    expect(await placed("```\nfor x in (:\n    retrun\n```", "def f(x):\n    return x\n", "f")).toBe(
      "def f(x):\n    for x in (:\n        retrun\n",
    );
  });
});
