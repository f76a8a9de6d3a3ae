/** Code blocks of an answer, for round trips and proposed inputs. program.test.ts tests which of them is the program. */
import { describe, expect, it } from "vitest";
import { answeredCode, candidatesIn, codeBlocks } from "../../src/languages/index.ts";

describe("codeBlocks", () => {
  it.each([
    ["one block", "Sure:\n```ruby\n  a = 1\n\n  b = 2\n```\nDone.", ["  a = 1\n\n  b = 2"]],
    ["Windows line ends", "```\r\na\r\nb\r\n```\r\n", ["a\nb"]],
    ["several, the last without its end", "```\na\n```\nand\n~~~py\nb\nc", ["a", "b\nc"]],
    [
      "fences within a longer one or another form",
      "````\n```\na\n```\n````\n~~~\n```\nb\n~~~",
      ["```\na\n```", "```\nb"],
    ],
    ["a fence with a tag within", "```\na\n```js\nb\n```", ["a\n```js\nb"]],
    ["an indented block, without its indentation", "1. So:\n   ```\n   if a:\n     b\n   ```", ["if a:\n  b"]],
    ["an empty block", "```\n```", [""]],
    ["ticks within a line", "Say ```a``` or\n``` `b` ```\n", []],
    ["none", "def f():\n    return 1\n", []],
  ])("reads %s", (_, answer, blocks) => {
    expect(codeBlocks(answer)).toEqual(blocks);
  });

  it("takes nothing before the first fence for a block, as `candidatesIn` does, whatever it looks like", () => {
    const answer = " Sure, here it is:\n```\na = 1\n```";
    expect(codeBlocks(answer)).toEqual(["a = 1"]);
    expect(candidatesIn("def f():\n    return 1\n```\nIt returns 1.")).toEqual(["def f():\n    return 1"]);
  });

  it("of an answer without a block gives the answer as it is", () => {
    expect(answeredCode("a\r\n")).toBe("a\r\n");
    expect(answeredCode("So:\n```\na\n```\n```\nb\n```")).toBe("a");
  });
});
