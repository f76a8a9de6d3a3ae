/** The journal of a long run: everything saved is read back, regardless of its size, and an incomplete last line is ignored. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { Journal } from "../../src/dataset/journal.ts";

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "codescore-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "deep", "run.journal.jsonl");
}

it("gives back what was put, before and after it is opened again, the last value of a key", async () => {
  const path = place();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "é"), fc.jsonValue())), async (puts) => {
      const journal = await Journal.open(path);
      for (const [key, value] of puts) journal.put(key, value);
      const last = new Map(puts.map(([key, value]) => [key, JSON.parse(JSON.stringify(value))]));
      for (const [key, value] of last) expect(journal.get(key)).toEqual(value);
      await journal.close();
      const again = await Journal.open(path);
      for (const [key, value] of last) expect(again.get(key)).toEqual(value);
      await again.close();
    }),
    { numRuns: 30 },
  );
});

it("reads values that are longer than its blocks, with lines of every length around them", async () => {
  const path = place();
  const journal = await Journal.open(path);
  const values = Array.from({ length: 60 }, (_, i) => "é\n".repeat(i * i * 40));
  values.forEach((value, i) => {
    journal.put(`${i}`, value);
  });
  await journal.close();
  const again = await Journal.open(path);
  expect(again.size).toBe(60);
  values.forEach((value, i) => {
    expect(again.get(`${i}`)).toBe(value);
  });
  await again.remove();
});

it("drops a line that a kill cut short and goes on after the last whole one", async () => {
  const path = place();
  const journal = await Journal.open(path);
  journal.put("a", 1);
  await journal.close();
  appendFileSync(path, '{"key":"b","value":[1,');
  const again = await Journal.open(path);
  expect(again.get("b")).toBeUndefined();
  again.put("c", 3);
  expect([again.get("a"), again.get("c"), again.size]).toEqual([1, 3, 2]);
  await again.close();
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(3);
});
