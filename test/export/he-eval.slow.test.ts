/** A score depends only on its own row: on every eighth pair of he-eval-dev and in every form. Needs `CODESCORE_DATA`. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FORMS, type Form } from "../../src/export/index.ts";
import { CodeScorer } from "../../src/score/index.ts";
import type { Score, ScoreInput } from "../../src/types.ts";
import { readJsonLines } from "../../src/util/jsonl.ts";
import { Random } from "../../src/util/random.ts";
import { every } from "../every.ts";
import { makeFolder } from "./folder.ts";

const data = process.env.CODESCORE_DATA;
const EVERY = every(8);

describe.skipIf(data === undefined)("on he-eval-dev (needs CODESCORE_DATA)", () => {
  let folder: string;
  const rows: ScoreInput[] = [];
  beforeAll(async () => {
    folder = await makeFolder("wide");
    const references = new Map<unknown, [prompt: string, solution: string]>();
    for await (const { value } of readJsonLines(join(data!, "he-eval-dev", "problems.jsonl.gz"))) {
      references.set(value.task_id, [value.prompt as string, value.canonical_solution as string]);
    }
    let sample = 0;
    for await (const { value } of readJsonLines(join(data!, "he-eval-dev", "samples.jsonl.gz"))) {
      if (sample++ % EVERY !== 0) continue;
      const [prompt, solution] = references.get(value.task_id)!;
      // Without prompts, which would fill the small model's sequences.
      rows.push({ candidate: `pass\n${value.completion}`, reference: solution, description: prompt.slice(0, 60) });
    }
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Scores in the order of the rows, with at most this many tokens per batch (1: each row alone). */
  async function scores(precision: Form, batchTokens: number, order: readonly number[]): Promise<Score[]> {
    const scorer = await CodeScorer.load(folder, { precision, batchTokens, threads: 1 });
    const results = await scorer.scoreAll(order.map((i) => rows[i]!));
    await scorer.close();
    const sorted = new Array<Score>(rows.length);
    for (const [place, i] of order.entries()) sorted[i] = results[place] as Score;
    return sorted;
  }

  it.each(Object.keys(FORMS) as Form[])(
    "%s gives each pair one score in any order and company",
    async (form) => {
      const inOrder = rows.map((_, i) => i);
      const alone = await scores(form, 1, inOrder);
      expect(new Set(alone.map(({ score }) => score)).size).toBeGreaterThan(rows.length / 2);
      for (const [seed, batchTokens] of [2048, 320 * 64].entries()) {
        const shuffled = await scores(form, batchTokens, new Random(seed).shuffle(inOrder));
        const apart = shuffled.map(({ score, exec }, i) =>
          Math.max(Math.abs(score - alone[i]!.score), Math.abs(exec - alone[i]!.exec)),
        );
        expect(Math.max(...apart)).toBeLessThan(1e-6);
      }
    },
    600_000,
  );
});
