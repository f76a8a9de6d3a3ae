import { afterAll, expect, it } from "vitest";
import { heldConstants, saidNumbers } from "../../src/behaviour/constants.ts";
import { closeExecutor, inputsOf, observe } from "./run.ts";

afterAll(closeExecutor);

const TABLE =
  "[(1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'), (100, 'C'), (90, 'XC'), (50, 'L'), (40, 'XL'), (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')]";
const roman = (table: string): string =>
  `def to_roman(n: int) -> str:\n    out = ''\n    for value, letters in ${table}:\n        while n >= value:\n            out += letters\n            n -= value\n    return out`;

it("inputs hold the constants of the reference", async () => {
  const wrong = roman(TABLE.replace("(400, 'CD'), ", ""));
  const ran = await observe({ reference: roman(TABLE), candidates: [wrong] }, 40);
  expect(inputsOf(ran)).toEqual(expect.arrayContaining(["40", "90", "100", "400", "500", "900", "1000"]));
  expect(ran.observed.candidates[0]!.agrees).toContain(false);
});

it("inputs hold the numbers of the description, a quarter of them at most", async () => {
  const description = "Return the price. Orders of 250 or more are free, others cost 7. Constraints: 1 <= total <= 777";
  const reference = "def price(total: int) -> int:\n    return 0 if total // 50 >= 5 else 7";
  const wrong = "def price(total: int) -> int:\n    return 0 if total > 250 else 7";
  const ran = await observe({ reference, description, candidates: [wrong] }, 40);
  expect(inputsOf(ran)).toContain("250");
  expect(ran.observed.candidates[0]!.agrees).toContain(false);
  const many = roman(
    `[${Array.from({ length: 80 }, (_, i) => `(${900 - 11 * i}, '${"x".repeat((i % 7) + 1)}')`).join(", ")}]`,
  );
  const large = inputsOf(await observe({ reference: many }, 40)).filter((args) => (900 - Number(args)) % 11 === 0);
  expect(large.length).toBeLessThan(25);
});

it("numbers of constraints and examples are no constants", () => {
  const text = "Years after 1752 count.\n\nExample 1:\nInput: n = 321\nOutput: 7\n\nConstraints:\n- 1 <= n <= 5000";
  expect(saidNumbers(text)).toEqual([1752]);
  const reference = "def f(n):\n    return n == 365 or n == 'ab'";
  const held = heldConstants({ reference, description: text, candidates: [] }, ["Ben Jonson"]);
  expect(held({ args: "[1752, 365, 5000], 'cab', 'Ben Jonson'" })).toEqual(["1752", "365", "ab", "Ben Jonson"]);
});
