import { describe, expect, it } from "vitest";
import {
  type CallOutcome,
  differenceOf,
  globalDifference,
  isTelling,
  readOutcomes,
} from "../../../src/rtc/synthesis/replays.ts";

const outcome = (over: Partial<CallOutcome>): CallOutcome => ({
  ...(over.raised === undefined && { value: "1" }),
  after: [],
  printed: "",
  cpu: 0,
  ...over,
});
const line = (row: unknown): string => JSON.stringify(row);

describe("what a replay wrote", () => {
  const lines = [line(outcome({})), line({ NAME: "2" }), ""];
  it("is read", () => {
    expect(readOutcomes({ end: "answered", lines }, 1)).toEqual({ calls: [outcome({})], globals: { NAME: "2" } });
  });

  it.each<[string, string[]]>([
    ["too few lines", lines.slice(1)],
    ["too many lines", [lines[0]!, ...lines]],
    ["half a line", [lines[0]!, line({ NAME: "2" }).slice(0, 4), ""]],
    ["no line end", [lines[0]!, line({}), "x"]],
    ["a number as the value", [line(outcome({ value: 1 as never })), "{}", ""]],
    ["a value and an exception", [line({ ...outcome({}), raised: "E" }), "{}", ""]],
    ["arguments that are none", [line(outcome({ after: [1] as never })), "{}", ""]],
    ["data that are none", [lines[0]!, line({ NAME: 2 }), ""]],
    ["no object", ["null", "{}", ""]],
    ["depth", [`${"[".repeat(1e6)}`, "{}", ""]],
  ])("is no answer with %s", (_, those) => expect(readOutcomes({ end: "answered", lines: those }, 1)).toBeNull());

  it.each(["late", "chokes", "crashed"] as const)("is no answer of one that ended %s", (end) =>
    expect(readOutcomes({ end, lines }, 1)).toBeNull(),
  );
});

describe("how outcomes differ", () => {
  it.each<[Partial<CallOutcome>, Partial<CallOutcome>, string | null]>([
    [{ value: "1" }, { value: '["f","1.0"]' }, null],
    [{ value: '["f","0.30000000000000004"]' }, { value: '["f","0.3"]' }, null],
    [{ value: '["l",[1]]' }, { value: '["t",[1]]' }, "[1] instead of (1,)"],
    [{ value: "no canonical text" }, { value: "1" }, "no canonical text instead of 1"],
    [{ value: null }, { value: "1" }, "something unreadable instead of 1"],
    [{ raised: "ValueError" }, { raised: "ValueError" }, null],
    [{ raised: "KeyError" }, { raised: "ValueError" }, "raises KeyError instead of raises ValueError"],
    [{ raised: "KeyError" }, { value: "1" }, "raises KeyError instead of 1"],
    [{ printed: "a" }, { printed: "b" }, "it prints something else"],
    [{ after: ["1", "2"] }, { after: ["1", "3"] }, "argument 2 is 2 afterwards instead of 3"],
    [{ after: [] }, { after: ["1"] }, "it has other arguments"],
    // A value that does not equal itself proves nothing.
    [{ after: ["1"] }, { after: ['["o","function",""]'] }, null],
  ])("%j and %j: %j", (got, expected, difference) =>
    expect(differenceOf(outcome(got), outcome(expected))).toBe(difference),
  );

  it("in a module's data, where these equal themselves", () => {
    const functions = '["d",[["f",["o","function",""]]]]';
    expect(globalDifference({ A: "1", F: "2" }, { A: "1", F: functions })).toBeNull();
    expect(globalDifference({ A: "2" }, { A: "1" })).toBe("the module's A differs afterwards");
    expect(globalDifference({}, { toString: "1" })).toBe("the module's toString differs afterwards");
  });

  it("only where they can be told apart", () => {
    expect(isTelling(outcome({ value: '["o","function",""]' }))).toBe(false);
    expect(isTelling(outcome({ value: null }))).toBe(false);
    expect(isTelling(outcome({ raised: "E" }))).toBe(true);
  });
});
