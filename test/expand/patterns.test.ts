import { expect, it } from "vitest";
import { constantsIn, Proposer, withoutPatterns } from "../../src/expand/index.ts";
import type { Problem } from "../../src/types.ts";
import { problem } from "../dataset/doubling.ts";

const code = "import re\ndef f(s):\n    return re.sub(r'[a-z]+', '', s) if s != 'word' else '-'";

it("leaves regular expressions out of a program's data", () => {
  const texts = (source: string) => constantsIn(source).flatMap((value) => (value.t === "str" ? [value.v] : []));
  expect(texts(withoutPatterns(code))).toEqual(["", "", "word", "-"]);
  expect(withoutPatterns("def f(s): return s == '[a-z]+'")).toBe("def f(s): return s == '[a-z]+'");
});

it("proposes no input with them", () => {
  const own: Problem = { ...problem, references: [withoutPatterns(code)] };
  const inputs = new Proposer(own, [{ args: "'abc'" }, { args: "'PyTHon'" }], 0).next(300);
  expect(inputs.filter((input) => "args" in input && /[[\]+]/.test(input.args))).toEqual([]);
});
