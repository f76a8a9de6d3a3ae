/** Rows read in several threads give the same scores in the same order, and each row its own error. */
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { CodeScorer, type ScoreResult, type ScorerOptions } from "../../src/score/index.ts";
import type { ScoreInput } from "../../src/types.ts";
import { makeModel } from "./model.ts";

const references = readFileSync("datasets/starter/mbpp-style.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line) => (JSON.parse(line) as { code: string }).code);

/** More rows than one thread reads alone. Some of them are not programs. */
const rows: ScoreInput[] = Array.from({ length: 240 }, (_, i) => ({
  candidate: `${references[(i * 7) % references.length]}# ${i}\n`,
  reference: references[i % references.length]!,
  description: "What the reference does.",
}));
rows[130] = { candidate: "x = 1\n" };
rows[180] = { ...rows[180]!, candidate: "fn add(a: i32) -> i32 {\n    let b = a;\n    return b;\n}\n" };
rows[220] = { ...rows[220]!, candidate: `${"[".repeat(5000)}\n` };

async function load(options: ScorerOptions): Promise<CodeScorer> {
  const scorer = await CodeScorer.load(model, options);
  onTestFinished(() => scorer.close());
  return scorer;
}

/** The results with one thread, for all tests. */
let alone: ScoreResult[];
let model: string;
beforeAll(async () => {
  model = await makeModel();
  const scorer = await CodeScorer.load(model, { threads: 1 });
  alone = await scorer.scoreAll(rows);
  await scorer.close();
});
afterAll(() => rm(model, { recursive: true }));

it.each([
  ["three threads", { threads: 3 }],
  ["two threads beside this one", { threads: 2, readElsewhere: true }],
])("gives the same in %s", async (_, options) => {
  const together = await (await load(options)).scoreAll(rows);
  expect(together).toEqual(alone);
  expect(alone[130]).toMatchObject({ error: { code: "input" } });
  expect(alone[180]).toMatchObject({ error: { message: expect.stringContaining("looks like Rust") } });
  expect(alone.filter((result) => "error" in result)).toHaveLength(2);
});

it("reads nothing of rows that nobody waits for", async () => {
  const scorer = await load({ threads: 3 });
  const results = await scorer.scoreAll(rows.slice(0, 160), { isGone: (row) => row === rows[120] });
  expect(results[120]).toMatchObject({ error: { code: "infra", message: expect.stringContaining("cancelled") } });
  expect(results[121]).toHaveProperty("score");
});
