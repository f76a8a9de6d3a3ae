/** A missing setting of a model's config means the same in scoring and in training. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/model/index.ts";
import { CodeScorer } from "../../src/score/index.ts";
import type { Score, ScoreInput } from "../../src/types.ts";
import { makeModel } from "./model.ts";

type Json = Record<string, unknown>;

const commented = 'def add(left, right):\n    """Adds."""\n    return left + right  # the sum\n';
const inputs: readonly ScoreInput[] = [
  { candidate: commented, reference: "def add(a, b):\n    return a + b\n" },
  { candidate: commented, description: "Add two numbers. ".repeat(30) },
  { candidate: commented + "x = missing\n".repeat(200), reference: commented, description: "Adds." },
];

let folder: string;
let whole: { readonly codescore: Json } & Json;
beforeAll(async () => {
  folder = await makeModel();
  whole = JSON.parse(await readFile(join(folder, "config.json"), "utf8"));
});
afterAll(() => rm(folder, { recursive: true }));

async function scored(config: unknown): Promise<{ scores: Score[]; read: unknown }> {
  const copy = await mkdtemp(join(tmpdir(), "codescore-config-"));
  try {
    await cp(folder, copy, { recursive: true });
    await writeFile(join(copy, "config.json"), JSON.stringify(config));
    const scorer = await CodeScorer.load(copy, { threads: 1 });
    const scores = (await scorer.scoreAll(inputs)) as Score[];
    await scorer.close();
    return { scores, read: await readConfig(copy) };
  } finally {
    await rm(copy, { recursive: true });
  }
}

describe("a config that leaves something out", () => {
  it.each([
    ["codescore", "normalise"],
    ["codescore", "empty_parts"],
    ["codescore", "max_length"],
    ["codescore", "max_description"],
    ["codescore", "modules"],
    ["codescore", "rule"],
    ["codescore", "trees"],
    ["shape", "pad_token_id"],
  ])("scores as training reads it without %s %s", async (where, key) => {
    const { [key]: _, ...rest } = where === "codescore" ? whole.codescore : whole;
    const without = await scored(where === "codescore" ? { ...whole, codescore: rest } : rest);
    const spelt = await scored(without.read);
    expect(without.scores).toEqual(spelt.scores);
    expect(without.scores.every(({ score }) => Number.isFinite(score))).toBe(true);
  });

  it("tells how programs are read apart", async () => {
    const of = async (normalise: string): Promise<Score[]> =>
      (await scored({ ...whole, codescore: { ...whole.codescore, normalise } })).scores;
    expect(await of("none")).not.toEqual(await of("code"));
  });

  it("says which key it does not know", async () => {
    const codescore = { ...whole.codescore, normalize: "code" };
    await expect(scored({ ...whole, codescore })).rejects.toThrow(/keys of `codescore` among mix, .*, got `normalize`/);
  });
});
