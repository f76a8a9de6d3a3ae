import { expect, it } from "vitest";
import { fixed as printed } from "../../src/cli/rtc/output.ts";
import { fixed, formatCell } from "../../src/report/tables.ts";

it.each([
  [-0.0004, 3, "0.000"],
  [-0, 0, "0"],
  [-0.4, 0, "0"],
  [-0.0006, 3, "-0.001"],
  [-10, 0, "-10"],
  [0.5, 2, "0.50"],
])("%f with %i digits is %s", (value, digits, text) => {
  expect(fixed(value, digits)).toBe(text);
  expect(formatCell(value, { label: "x", digits })).toBe(text);
});

it("rtc prints no negative zero", () => {
  expect([-1e-17, -0.0004, -0.001, 0.5, null, undefined].map(printed)).toEqual([
    "0.000",
    "0.000",
    "-0.001",
    "0.500",
    "-",
    "-",
  ]);
});
