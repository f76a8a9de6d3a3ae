/**
 * The commands on real data: every second program of he-eval-dev is labelled, scored and evaluated, end to end. The labels of the others are
 * compared in test/execute/he-eval.slow.test.ts. CODESCORE_EVERY=1 uses all programs.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readJsonLines } from "../../src/util/jsonl.ts";
import { every } from "../every.ts";
import { makeModel } from "../score/model.ts";
import { codescore } from "./run.ts";

const data = process.env.CODESCORE_DATA;
const EVERY = every(2);
let folder: string;
let model: string;
const file = (name: string): string => join(folder, name);

async function read(path: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for await (const { value } of readJsonLines(path)) rows.push(value);
  return rows;
}

describe.skipIf(data === undefined)("he-eval-dev", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "codescore-he-"));
    model = await makeModel();
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
    await rm(model, { recursive: true });
  });

  it("is labelled in input order, as it was recorded", { timeout: 600_000 }, async () => {
    const chosen = (await read(join(data!, "he-eval-dev", "samples.jsonl.gz"))).filter((_, i) => (i + 1) % EVERY === 0);
    const samples = file("samples.jsonl");
    await writeFile(samples, chosen.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const problems = join(data!, "he-eval-dev", "problems.jsonl.gz");
    const args = ["label", "--problems", problems, "--samples", samples, "--output", file("labels.jsonl")];
    expect((await codescore(args)).code).toBe(0);
    const [recorded, ours] = [chosen, await read(file("labels.jsonl"))];
    expect(ours.map(({ sample_id }) => sample_id)).toEqual(recorded.map(({ sample_id }) => sample_id));
    const same = (key: string): number =>
      ours.filter((row, i) => Math.abs((row[key] as number) - (recorded[i]![key] as number)) < 1e-9).length /
      ours.length;
    expect(same("n_tests")).toBe(1);
    expect(same("pass_ratio")).toBeGreaterThanOrEqual(0.995);
    expect(same("executable")).toBeGreaterThanOrEqual(0.995);
  });

  it("is scored row by row and evaluated", { timeout: 600_000 }, async () => {
    const scored = await codescore([
      "score",
      "--model",
      model,
      "--input",
      file("labels.jsonl"),
      "--output",
      file("scores.jsonl"),
    ]);
    expect(scored.code).toBe(0);
    const scores = await read(file("scores.jsonl"));
    expect(scores.length).toBe(Math.floor(1540 / EVERY));
    for (const { score, exec } of scores)
      for (const p of [score, exec]) expect(p).toSatisfy((x: number) => x >= 0 && x <= 1);
    const args = [
      "evaluate",
      "--data",
      file("labels.jsonl"),
      "--scores",
      `random=${file("scores.jsonl")}`,
      ...["--metrics", "chrf"],
      "--format",
      "csv",
    ];
    const { code, stdout } = await codescore([...args, "--resamples", "50", "--report", file("report.html")]);
    expect(code).toBe(0);
    const table = new Map(stdout.split("\n").map((line) => [line.split(",")[0], line.split(",")]));
    const spearman = table.get("metric")!.indexOf("r_s");
    expect(Number(table.get("chrf")![spearman])).toBeCloseTo(0.46, 1); // .461 in an independent study of these programs
    expect(Math.abs(Number(table.get("random")![spearman]))).toBeLessThan(0.4);
  });
});
