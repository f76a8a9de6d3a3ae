import { expect, it } from "vitest";
import { keepsChoices, keepsKeys } from "../../src/behaviour/keys.ts";

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

it("takes no key of a record for a choice", () => {
  const shown = [{ args: "[{'status': 'paid'}]" }];
  const isKept = keepsChoices(shown, new Set(["paid", "status"]), new Set(["open", "status"]));
  expect(isKept({ args: "[{'status': 'open'}]" })).toBe(true);
  expect(isKept({ args: "[{'status': 'status'}]" })).toBe(false);
});

it("keeps the keys of records, and invents none", () => {
  const reference = "def f(orders):\n    return [o['name'] for o in orders if o.get('paid')]\n";
  const isKept = keepsKeys(reference, [{ args: "[{'name': 'a', 'paid': True}]" }, { args: "[{'name': 'b'}]" }]);
  expect(isKept({ args: "[{'name': 'c'}, {'name': 'd', 'paid': False}]" })).toBe(true);
  expect(isKept({ args: "[{'name': 'c', 'x': 1}]" })).toBe(false);
  expect(isKept({ args: "[{'paid': True}]" })).toBe(false);
});
