/** Descriptions, references and examples that are expensive to read are read in bounded time. Some of them once took minutes, or ended the run. */
import { describe, expect, it } from "vitest";
import { entryOf } from "../../src/behaviour/entry.ts";
import { readExamples, shownCalls } from "../../src/behaviour/examples.ts";
import { likelihoods } from "../../src/behaviour/kinds.ts";
import { showAnswer, showInput, showValue } from "../../src/behaviour/show.ts";
import { smaller } from "../../src/behaviour/shrink.ts";
import { Proposer } from "../../src/expand/index.ts";
import { parseLiteral } from "../../src/languages/python/literals/index.ts";
import { oneOperatorMutants } from "../../src/mutate/index.ts";
import type { Problem, PyValue } from "../../src/types.ts";
import { cpuS } from "../cpu.ts";

const SIZE = 100_000;
const fill = (part: string, size = SIZE): string => part.repeat(Math.ceil(size / part.length)).slice(0, size);
/** Maximum CPU seconds. Code with quadratic time would take minutes. */
const MOST_S = 3;

function inTime<T>(work: () => T): T {
  const began = cpuS();
  const done = work();
  expect(cpuS() - began).toBeLessThan(MOST_S);
  return done;
}

const problem = (text: string): Problem => ({
  id: "",
  description: text,
  prompt: text,
  entryPoint: "f",
  references: [text],
  tests: [],
  setup: "",
  contract: "",
  source: "",
});

const nested = (open: string, close: string, depth: number): string =>
  `def f(x: ${open.repeat(depth)}int${close.repeat(depth)}): pass`;

const texts: readonly (readonly [string, string])[] = [
  ["calls in calls", fill("f(")],
  ["calls in calls that end", `${fill("f(", SIZE / 2)}${fill(")", SIZE / 2)}`],
  ["a prompt with brackets", `>>> f${fill("(")}`],
  ["many prompts", fill(">>> f(\n")],
  ["many examples", fill(">>> f(1)\n2\n")],
  ["strings that begin in strings", fill("f('")],
  ["escaped quotes", `def f(${fill("\\'")}`],
  ["triple quotes", `f(${fill("'''")}`],
  ["blanks behind a call", `f(1)${fill(" ")}x`],
  ["blanks", fill(" ")],
  ["blank lines behind an input", `Input: x\n${fill("\n")}x`],
  ["blanks behind a heading", `Examples\nInput${fill(" ")}x\nOutput\n3`],
  ["digits behind a heading", `Examples\nInput${fill(" #1")}x`],
  ["stars", `Examples\nsample${fill("*")}x`],
  ["many headings", fill("Input:\n")],
  ["many named inputs", fill("Input: x = 1\nOutput: 2\n")],
  ["signs", `>>> f(${fill("-")}1)\n${fill("+-")}1`],
  ["digits", `>>> f(${fill("9")})\n${fill("9")}`],
  ["arrows", `f(1)${fill("->")}`],
  ["a long list", `>>> f([${fill("1,")}])\n0`],
  ["a deep list", `>>> f(${"[".repeat(60)}${"]".repeat(60)})\n0`],
  ["a type nested 10,000 deep", nested("Optional[", "]", SIZE / 10)],
  ["lists nested 30 deep", nested("List[", "]", 30)],
  ["dicts nested 30 deep", nested("Dict[str, ", "]", 30)],
  ["a type of 10,000 members", `def f(x: ${fill("int | ")}int): pass`],
  ["a tuple of tuples", nested("Tuple[int, ", "]", SIZE / 20)],
  ["many functions", Array.from({ length: SIZE / 20 }, (_, i) => `def f${i}(x): pass\n`).join("")],
  ["many parameters", `def f(${Array.from({ length: SIZE / 8 }, (_, i) => `a${i}`).join(", ")}): pass`],
];

describe("a text that is long to read", () => {
  it.each(texts)("%s", (_name, text) => {
    const call = { kind: "call", name: "f" } as const;
    const candidates = ["def f(x): return x", "def f(x): return -x", "def g(x): return f(x)"];
    inTime(() => entryOf({ reference: null, description: text, candidates }));
    inTime(() => entryOf({ reference: text, description: null, candidates: [text] }));
    const examples = inTime(() => readExamples(text, call));
    inTime(() => readExamples(`Examples\n${text}`, { kind: "stdin" }));
    inTime(() => shownCalls(text, call));
    inTime(() => likelihoods("x", text, text));
    const inputs = examples.map(({ input }) => input);
    inTime(() => new Proposer(problem(text), [], 0).next(80));
    inTime(() => {
      const proposer = new Proposer(problem(text), inputs, 0);
      const proposed = proposer.next(80);
      proposer.learn({ accepted: proposed.slice(0, 40), rejected: proposed.slice(40) });
      proposer.next(80);
    });
  });
});

it("inputs that are long or deep are shrunk", () => {
  const list = `[${Array.from({ length: 3000 }, (_, i) => i).join(", ")}]`;
  const dict = `{${Array.from({ length: 1000 }, (_, i) => `${i}: [${i}]`).join(", ")}}`;
  for (const args of [list, dict, `${"[".repeat(150)}${"]".repeat(150)}`, `'${"a".repeat(2000)}'`, "9".repeat(2000)])
    expect(inTime(() => smaller({ args })).length).toBeGreaterThan(0);
});

const f = (body: string): string => `def f(x):\n    ${body}\n`;
it.each([
  ["long", `${f("pass")}${fill("x = 1\n")}`],
  ["a sum of 20,000", f(`return ${fill("x+", 40_000)}x`)],
  ["nested in brackets", f(`return ${"(".repeat(20_000)}x${")".repeat(20_000)}`)],
  ["full of signs", f(`return ${fill("-")}x`)],
])("a reference that is %s has no mutants", async (_name, code) => {
  const began = cpuS();
  expect(await oneOperatorMutants(code, { count: 10, seed: 0, mostNodes: 3000 })).toEqual([]);
  expect(cpuS() - began).toBeLessThan(MOST_S);
});

describe("what is shown", () => {
  const object: PyValue = { t: "object", type: "E\u001b[2J\u202e\n", form: "" };
  const values: readonly PyValue[] = [
    object,
    {
      t: "list",
      v: [
        object,
        {
          t: "dict",
          v: [
            [
              { t: "int", v: 1n },
              { t: "tuple", v: [object] },
            ],
          ],
        },
      ],
    },
    { t: "object", type: "fractions.Fraction", form: "\u001b]0;x\u0007\r\n\u2066".repeat(1000) },
    { t: "str", v: "\u001b[2J\u009b31m\u200f\n".repeat(100_000) },
    { t: "str", v: `${"x".repeat(1997)}😀😀😀` },
  ];
  it.each(values.map((value) => ({ value })))("of $value.t is short and acts on no terminal", ({ value }) => {
    const shown = [
      showValue(value),
      showAnswer({ outcome: "ok", value, text: "", cpuS: 0 }),
      showAnswer({ outcome: "error", errorType: "E\u001b\n", message: "\u202e\u009b\r\n".repeat(10_000) }),
      showInput({ args: "'\u001b[2J\u202e'" }, { kind: "call", name: "f\u001b\n" }),
    ];
    for (const one of shown) {
      expect(one).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Cs}]/u);
      expect(one.length).toBeLessThanOrEqual(2000);
    }
  });

  it("of text that is read keeps its lines", () => {
    expect(showInput({ stdin: "3\n1\t2\u001b\n" }, { kind: "stdin" })).toBe("3\n1\t2\ufffd");
  });

  it("of an object says what it is", () => {
    expect(showValue({ t: "list", v: [{ t: "object", type: "A", form: "" }, parseLiteral("1")] })).toBe("[<A>, 1]");
    expect(showValue({ t: "object", type: "decimal.Decimal", form: "Decimal('1')" })).toBe("Decimal('1')");
  });
});
