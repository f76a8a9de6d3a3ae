import { describe, expect, it } from "vitest";
import { ofSplit } from "../../src/cli/rtc/problems.ts";
import { mbppSplitOf } from "../../src/problems/index.ts";
import type { Problem } from "../../src/types.ts";

describe("MBPP's splits", () => {
  // Austin et al. 2021, section 2.1: 1-10 for few-shot prompts, 11-510 test, 511-600 validation, 601-974 training.
  it.each([
    ["MBPP/1", "prompt"],
    ["MBPP/10", "prompt"],
    ["MBPP/11", "test"],
    ["Mbpp/510", "test"],
    ["MBPPT/511", "validation"],
    ["MBPP/600", "validation"],
    ["MBPP/601", "train"],
    ["MBPP/974", "train"],
    ["HumanEval/11", null],
    ["MBPP/x", null],
  ])("%s is of %s", (id, split) => {
    expect(mbppSplitOf(id)).toBe(split);
  });

  it("are chosen by name; none of it is an error", () => {
    const problems = ["MBPP/2", "MBPP/11", "MBPP/12"].map((id) => ({ id }) as Problem);
    expect(ofSplit(problems, "test").map(({ id }) => id)).toEqual(["MBPP/11", "MBPP/12"]);
    expect(ofSplit(problems, undefined)).toBe(problems);
    expect(() => ofSplit(problems, "train")).toThrow(
      "expected problems of MBPP's split `train`, got MBPP/2 and 2 others",
    );
  });
});
