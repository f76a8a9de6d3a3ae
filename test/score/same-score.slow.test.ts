/**
 * A score depends only on its row: on every 32nd program of he-eval-dev, with each shipped model, in batches of 1 to 64 rows in
 * any order. CODESCORE_EVERY=1 uses all programs.
 */
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { CodeScorer } from "../../src/score/index.ts";
import type { Score, ScoreInput } from "../../src/types.ts";
import { readJsonLines, stringField } from "../../src/util/jsonl.ts";
import { Random } from "../../src/util/random.ts";
import { every } from "../every.ts";

const data = process.env.CODESCORE_DATA;
const EVERY = every(32);

describe.skipIf(data === undefined)("the scores of he-eval-dev", () => {
  const all: ScoreInput[] = [];

  beforeAll(async () => {
    const problems = new Map<string, { prompt: string; reference: string }>();
    for await (const line of readJsonLines(join(data!, "he-eval-dev", "problems.jsonl.gz"))) {
      const prompt = stringField(line, "prompt");
      const reference = prompt + stringField(line, "canonical_solution");
      problems.set(stringField(line, "task_id"), { prompt, reference });
    }
    for await (const line of readJsonLines(join(data!, "he-eval-dev", "samples.jsonl.gz"))) {
      const { prompt, reference } = problems.get(stringField(line, "task_id"))!;
      const candidate = prompt + stringField(line, "completion");
      all.push({ candidate, reference, description: all.length % 2 === 0 ? prompt : null });
    }
  });

  it.each([
    ["small", "int8"],
    ["small", "fp16"],
    ["tiny", "auto"],
  ] as const)("are the same in any batch: %s, %s", { timeout: 3_600_000 }, async (model, precision) => {
    const rows = all.filter((_, i) => i % EVERY === 0);
    const usual = await CodeScorer.load(model, { precision });
    const expected = (await usual.scoreAll(rows)) as Score[];
    await usual.close();
    expect(new Set(expected.map(({ score }) => score)).size).toBeGreaterThan(rows.length / 2); // the rows differ
    const scorer = await CodeScorer.load(model, { precision, batchTokens: 1_000_000 }); // one batch per call
    for (const size of [1, 7, 64]) {
      const order = new Random(size).shuffle(rows.map((_, i) => i));
      let worst = 0;
      for (let from = 0; from < order.length; from += size) {
        const chosen = order.slice(from, from + size);
        const batch = (await scorer.scoreAll(chosen.map((i) => rows[i]!))) as Score[];
        for (const [i, { score, exec }] of batch.entries()) {
          const wanted = expected[chosen[i]!]!;
          worst = Math.max(worst, Math.abs(score - wanted.score), Math.abs(exec - wanted.exec));
        }
      }
      expect(worst, `batches of ${size}`).toBeLessThan(1e-6);
    }
    await scorer.close();
  });
});
