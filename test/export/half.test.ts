import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportOnnx } from "../../src/export/index.ts";
import { readSafetensors } from "../../src/model/index.ts";
import { CodeScorer } from "../../src/score/index.ts";
import { makeFolder } from "./folder.ts";

let folder: string;
let to: string;

beforeAll(async () => {
  folder = await makeFolder("wide");
  to = join(await mkdtemp(join(tmpdir(), "codescore-half-")), "shipped");
  await exportOnnx(folder, { forms: ["fp32", "fp16"], to });
});
afterAll(async () => {
  for (const one of [folder, join(to, "..")]) await rm(one, { recursive: true });
});

describe("export to another folder", () => {
  it("rounds the weights to half precision and leaves the model as it was", async () => {
    const [before, after] = [folder, to].map((one) => join(one, "model.safetensors"));
    expect((await stat(after!)).size).toBeLessThan(0.51 * (await stat(before!)).size);
    const [whole, halved] = [await readSafetensors(before!), await readSafetensors(after!)];
    expect([...halved.keys()]).toEqual([...whole.keys()]);
    for (const [name, { data, shape }] of whole) {
      expect(halved.get(name)!.shape).toEqual(shape);
      const off = halved.get(name)!.data.map((value, i) => Math.abs(value - data[i]!) - 2 ** -11 * Math.abs(data[i]!));
      expect(Math.max(...off)).toBeLessThanOrEqual(2 ** -25);
    }
  });

  it("exports the rounded weights: single and half precision give the same scores", async () => {
    const row = { candidate: "def f(a):\n    return a\n", reference: "def f(b):\n    return b + 1\n" };
    const scores: number[] = [];
    for (const precision of ["fp32", "fp16"] as const) {
      const scorer = await CodeScorer.load(to, { precision, threads: 1 });
      const [result] = await scorer.scoreAll([row]);
      if (result !== undefined && "score" in result) scores.push(result.score);
      await scorer.close();
    }
    expect(scores).toHaveLength(2);
    expect(Math.abs(scores[0]! - scores[1]!)).toBeLessThan(1e-6);
  });

  it("does not write over the model it halves", async () => {
    await expect(exportOnnx(folder, { to: join(folder, ".") })).rejects.toThrow(/needs another folder than/);
  });
});
