/** The shipped models' scores of 200 programs equal those recorded by scripts/record/shipped-scores.mjs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { CodeScorer } from "../../src/index.ts";

const recorded = fileURLToPath(new URL(join("..", "fixtures", "shipped-scores.jsonl.gz"), import.meta.url));
const rows = gunzipSync(readFileSync(recorded))
  .toString()
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

/** CPUs sum in different orders (without AVX-512 one score changes by 8e-5, its `low` by 4e-4). Another program or model changes the second digit. */
const TOLERANCE = 1e-3;

describe.each(["small", "tiny"])("the shipped model %s", (model) => {
  it("scores 200 programs as it did", async () => {
    const scorer = await CodeScorer.load(model, { threads: 1 }); // several threads would spin while they wait
    const results = await scorer.scoreAll(rows);
    await scorer.close();
    const moved = results.flatMap((result, i) => {
      const before = rows[i][model];
      const keys = ["score", "exec", "low", "high"] as const;
      const apart = keys.filter((key) => !(Math.abs((result as typeof before)[key] - before[key]) <= TOLERANCE));
      return apart.map((key) => `row ${i}: ${key} ${before[key]} -> ${(result as typeof before)[key]}`);
    });
    expect(rows).toHaveLength(200);
    expect(moved).toEqual([]);
  });
});
