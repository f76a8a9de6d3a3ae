import { expect, it } from "vitest";
import { keepsChoices } from "../../src/behaviour/keys.ts";

it("keeps choices where all inputs have a constant of the reference or a quoted text", () => {
  const shown = [{ args: "[{'name': 'Al', 'status': 'paid'}, {'name': 'Bo', 'status': 'refunded'}]" }];
  const isKept = keepsChoices(shown, new Set(["refunded", "cancelled"]), new Set(["Al", "Bo", "paid"]));
  expect(isKept({ args: "[{'name': 'xyz', 'status': 'cancelled'}]" })).toBe(true);
  expect(isKept({ args: "[{'name': 'Al', 'status': 'pai'}]" })).toBe(false);
});

it("keeps nothing where a text is neither", () => {
  const isKept = keepsChoices([{ args: "['paid', 'open']" }], new Set(["paid"]), new Set());
  expect(isKept({ args: "['x']" })).toBe(true);
});
