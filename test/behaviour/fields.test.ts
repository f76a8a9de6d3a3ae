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
