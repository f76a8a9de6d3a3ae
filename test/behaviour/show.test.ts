import { expect, it } from "vitest";
import { showAnswer, showCounterexample, showInput, showValue } from "../../src/behaviour/show.ts";
import type { PyValue } from "../../src/types.ts";

it("shows inputs as calls, and what is read as it is", () => {
  expect(showInput({ args: "9" }, { kind: "call", name: "is_prime" })).toBe("is_prime(9)");
  expect(showInput({ args: "[1], k=2" }, { kind: "call", name: "Solution().f" })).toBe("f([1], k=2)");
  expect(showInput({ stdin: "3\n1 2 3\n\n" }, { kind: "stdin" })).toBe("3\n1 2 3");
});

it.each<[string, PyValue, string]>([
  ["None", { t: "none" }, "None"],
  ["a text", { t: "str", v: "a'\n" }, `"a'\\n"`],
  ["a float", { t: "float", v: 1e300 }, "1e+300"],
  ["a tuple of one", { t: "tuple", v: [{ t: "int", v: 1n }] }, "(1,)"],
  ["an object", { t: "object", type: "decimal.Decimal", form: "Decimal('1.5')" }, "Decimal('1.5')"],
  ["an object of which only the class is known", { t: "object", type: "Node", form: "" }, "<Node>"],
  ["an object by its attributes", { t: "object", type: "Node", form: '{"n":1}' }, 'Node({"n":1})'],
  ["an object in a list", { t: "list", v: [{ t: "object", type: "Node", form: "" }] }, "[<Node>]"],
  ["an object in a set", { t: "set", v: [{ t: "object", type: "Node", form: "" }] }, "{<Node>}"],
  [
    "an object in a dict",
    {
      t: "dict",
      v: [
        [
          { t: "int", v: 1n },
          { t: "object", type: "Node", form: "" },
        ],
      ],
    },
    "{1: <Node>}",
  ],
  [
    "empty sets",
    {
      t: "tuple",
      v: [
        { t: "set", v: [] },
        { t: "frozenset", v: [] },
      ],
    },
    "(set(), frozenset())",
  ],
])("shows %s", (_, value, expected) => {
  expect(showValue(value)).toBe(expected);
  expect(showAnswer({ outcome: "ok", value, text: "", cpuS: 0 })).toBe(expected);
});

it("shows what went wrong in words", () => {
  expect(showAnswer({ outcome: "timeout" })).toBe("no answer in time");
  expect(showAnswer({ outcome: "memory" })).toBe("out of memory");
  expect(showAnswer({ outcome: "error", errorType: "ValueError", message: "no" })).toBe("ValueError: no");
  expect(showAnswer({ outcome: "error", errorType: "AssertionError", message: "" })).toBe("AssertionError");
});

it("cuts what is long, and shows nothing that acts on a terminal", () => {
  expect(showValue({ t: "str", v: "a".repeat(1990) })).toHaveLength(1992);
  expect(showValue({ t: "str", v: "a".repeat(100_000) })).toHaveLength(2000);
  expect(showValue({ t: "list", v: new Array(100_000).fill({ t: "int", v: 7n }) })).toHaveLength(2000);
  expect(showValue({ t: "str", v: "a".repeat(1990) }, 120)).toBe(`'${"a".repeat(118)}…`);
  expect(showValue({ t: "str", v: "\u{1f600}".repeat(2000) }).isWellFormed()).toBe(true);
  expect(showAnswer({ outcome: "error", errorType: "E", message: "\u001b[31mred\u202e" })).toBe(
    "E: \ufffd[31mred\ufffd",
  );
  expect(showInput({ stdin: "1\u0007\n2\n" }, { kind: "stdin" })).toBe("1\ufffd\n2");
});

it("says a counterexample on one line", () => {
  expect(showCounterexample({ input: "is_prime(9)", expected: "False", got: "True" })).toBe(
    "is_prime(9): expected False, got True",
  );
  expect(showCounterexample({ input: "3\n1 2 3", expected: "'6'", got: "'5'" })).toBe(
    `"3\\n1 2 3": expected '6', got '5'`,
  );
});
