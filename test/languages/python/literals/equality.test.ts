import { describe, expect, it } from "vitest";
import { equalityKey, parseLiteral } from "../../../../src/languages/python/literals/index.ts";
import { askPython, python } from "../../../util/python.ts";

describe("equalityKey", () => {
  it.skipIf(!python)("agrees with == on every pair of a table", () => {
    const texts = [
      "1",
      "1.0",
      "True",
      "(1+0j)",
      "0",
      "-0.0",
      "False",
      "None",
      "'1'",
      "b'1'",
      "[1]",
      "(1,)",
      "{1}",
      "frozenset({1})",
      "{1: 2}",
      "{True: 2.0}",
      "10**3".replace("10**3", "1000"),
      "1e3",
      "1j",
      "complex(-0.0, 1)",
      "complex(-0.5, 2)",
      "complex(0.5, 2)",
      "[]",
      "()",
      "set()",
      "{}",
      "frozenset()",
      "0.1",
      "9007199254740993",
      "9007199254740992.0",
      "[1, 2]",
      "[12]",
    ];
    const keys = texts.map((t) => equalityKey(parseLiteral(t)));
    const theirs = askPython(
      "values = [eval(t) for t in data]\nout = [[a == b for b in values] for a in values]",
      texts,
    );
    expect(keys.map((a) => keys.map((b) => a === b))).toEqual(theirs);
  });
});
