import { expect, it } from "vitest";
import { argumentsByUse } from "../../src/behaviour/uses/index.ts";
import { readSignature } from "../../src/expand/index.ts";
import { parseArguments } from "../../src/languages/python/literals/index.ts";

const made = (reference: string, description: string): Promise<string[]> =>
  argumentsByUse(reference, "f", readSignature(reference, "f")!, {
    count: 30,
    seed: 0,
    description,
    shown: ["sku", "qty"],
    isSigned: false,
  });

const READS = 'def f(lines):\n    return sum(line["qty"] for line in lines if not line["free"])\n';

it("gives records the fields that the description names beside those that the code reads, with their types", async () => {
  const all = await made(
    READS,
    'Each line is a dict with the fields "sku" (str), "qty" (int), "free" (bool) and "kind" ("a" or "b").',
  );
  const records = all.flatMap((args) => {
    const [list] = parseArguments(args).positional;
    return list?.t === "list" ? list.v : [];
  });
  expect(records.length).toBeGreaterThan(20);
  for (const record of records) {
    const fields = new Map(
      record.t === "dict" ? record.v.map(([key, { t }]) => [key.t === "str" ? key.v : "", t]) : [],
    );
    expect([...fields.keys()].sort()).toEqual(["free", "kind", "qty", "sku"]);
    expect([fields.get("free"), fields.get("qty"), fields.get("sku")]).toEqual(["bool", "int", "str"]);
  }
  expect(all.join()).not.toContain("'sku': 'qty'");
});

it.each([
  'Each line has the fields "qty" (int) and "free" (bool). "sku" may be missing.',
  'Each line is a dict with the optional fields "sku" (str) and "qty".',
  'The answer is "sku" or "qty".',
])("adds none for %j", async (description) => {
  for (const args of await made(READS, description)) expect(args).not.toContain("'sku':");
});

it("takes keys, with the types of their values, from a record in braces, and not the values", async () => {
  const all = await made(
    'def f(cart, prices):\n    return sum(prices[item["sku"]] for item in cart if item["sku"] in prices)\n',
    'A cart is a list of dicts like {"sku": "A1", "price": 1000, "name": "x"}.',
  );
  const values = all.map((args) => parseArguments(args).positional);
  const records = values.flatMap(([list]) => (list?.t === "list" ? list.v : []));
  expect(records.length).toBeGreaterThan(20);
  for (const record of records) {
    const types = record.t === "dict" ? record.v.map(([key, { t }]) => `${key.t === "str" ? key.v : ""} ${t}`) : [];
    expect(types.sort()).toEqual(["name str", "price int", "sku str"]);
  }
  // What a key is asked for and taken from is a dictionary.
  for (const [, prices] of values) expect(prices!.t).toBe("dict");
});

it("passes no None for what the program itself begins with None", async () => {
  const code = (start: string): string =>
    `def f(rows):\n    best = ${start}\n    for row in rows:\n        if best is None or row["qty"] > best["qty"]:\n            best = row\n    return best\n`;
  for (const args of await made(code("None"), "")) expect(args).not.toContain("None");
  expect((await made(code("rows[0]"), "")).filter((args) => args.includes("None")).length).toBeGreaterThan(3);
});
