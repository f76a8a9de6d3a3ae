import { afterAll, describe, expect, it } from "vitest";
import { isInAnyOrder, ordered, orderedExample } from "../../src/behaviour/any-order.ts";
import type { Answer } from "../../src/execute/index.ts";
import { decodeValue } from "../../src/execute/value.ts";
import { closeExecutor, observe } from "./run.ts";

afterAll(closeExecutor);

it.each([
  ["You may return the answer in any order.", true],
  ["Return all pairs of numbers.\nThe output can be in any order.", true],
  ["The order of the results does not matter.", true],
  ["Return True if the letters, taken in any order, spell a word.", true], // its answer is not a list
  ["The words come in any order. Return the longest.", false],
  ["Return the sum.\nItems are given in any order.", false],
  ["Return the list in order.", false],
  [null, false],
])("reads of %j whether answers come in any order", (description, expected) => {
  expect(isInAnyOrder(description)).toBe(expected);
});

const answer = (text: string): Answer => ({ outcome: "ok", text, value: decodeValue(text), cpuS: 0 });

it("brings lists into one order, and nothing else", () => {
  const [a, b] = ['["l",[["l",[1,2]],["l",[0,5]]]]', '["l",[["l",[0,5]],["l",[1,2]]]]'].map((text) =>
    ordered(answer(text)),
  );
  expect(a).toEqual(b);
  expect(ordered(answer('["l",[["l",[2,1]],["l",[0,5]]]]'))).not.toEqual(a);
  for (const text of ['["t",[2,1]]', '"ba"', '["s",[2,1]]']) expect(ordered(answer(text))).toEqual(answer(text));
  const error: Answer = { outcome: "error", errorType: "ValueError", message: "" };
  expect(ordered(error)).toBe(error);
  expect(orderedExample({ input: { args: "1" }, expected: "['b', 'a']" }).expected).toBe("['a', 'b']");
});

describe("a task whose answer comes in any order", () => {
  const reference = "def f(xs):\n    return sorted(set(xs))";
  const reversed = "def f(xs):\n    return sorted(set(xs), reverse=True)";
  const twice = "def f(xs):\n    return sorted(xs)";
  const examples = ">>> f([3, 1, 3])\n[3, 1]\n>>> f([2, 2])\n[2]";

  it("counts another order as agreement, and other items not", async () => {
    const ran = await observe({
      reference,
      candidates: [reversed, twice],
      description: `Return the different numbers in any order.\n${examples}`,
    });
    const [same, other] = ran.observed.candidates;
    expect(same!.agrees).not.toContain(false);
    expect(same!.examples).toEqual({ passed: 2, total: 2 });
    expect(other!.agrees).toContain(false);
  });

  it("is one that says so", async () => {
    const ran = await observe({ reference, candidates: [reversed], description: "Return the different numbers." });
    expect(ran.observed.candidates[0]!.agrees).toContain(false);
  });
});
