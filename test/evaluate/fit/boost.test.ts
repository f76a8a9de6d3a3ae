/** Trees fitted to labelled rows, by the library and by `codescore boost`. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fitTrees } from "../../../src/evaluate/index.ts";
import { CodeScorer } from "../../../src/score/index.ts";
import { type Grown, loadCounts, makeTrees } from "../../../src/trees/index.ts";
import type { LabelledRow, Score } from "../../../src/types.ts";
import { Random } from "../../../src/util/random.ts";
import { codescoreHere } from "../../cli/run.ts";
import { makeModel } from "../../score/model.ts";
import { labelledRow } from "../rows.ts";

/** Fitting needs 1000 rows with a reference, which a tenth lack. */
const COUNT = 1120;

/** Programs that divide fail some tests. Programs that index do not execute on all. */
function rows(count: number): LabelledRow[] {
  const random = new Random(1);
  return Array.from({ length: count }, (_, i) => {
    const [divides, indexes] = [random.chance(0.5), random.chance(0.3)];
    const lines = Array.from({ length: random.int(1, 4) }, () => `    x = x + ${random.int(3, 99)}\n`).join("");
    const value = `${indexes ? "[x][0]" : "x"}${divides ? " / 3" : ""}`;
    return labelledRow({
      task_id: `t${i % 30}`,
      sample_id: String(i),
      candidate: `def f(x):\n${lines}    return ${value}\n`,
      reference: i % 10 === 0 ? null : "def f(x):\n    return x + 1\n",
      pass_ratio: divides ? 0.25 : 1,
      executable: indexes ? 0 : 1,
    });
  });
}

describe("fitTrees", () => {
  const made = rows(COUNT);
  const options = { trees: 20, rate: 0.1 };
  let file: Grown;
  beforeAll(async () => {
    file = await fitTrees(made, { ...options, threads: 1 });
  });

  it("learns what elements say of PassRatio and Executability", async () => {
    expect(file.elements).toContain("operator /");
    expect(file.elements).toEqual(file.elements.toSorted());
    const { judge } = makeTrees(file, "", await loadCounts());
    const [plain, divided, indexed] = ["x", "x / 3", "[x][0]"].map((value) => `def f(x):\n    return ${value}\n`) as [
      string,
      string,
      string,
    ];
    for (const reference of [null, "def f(x):\n    return x + 1\n"]) {
      expect(judge(plain, reference)!.score).toBeGreaterThan(0.8);
      expect(judge(divided, reference)!.score).toBeLessThan(0.5);
      expect(judge(plain, reference)!.exec).toBeGreaterThan(0.8);
      expect(judge(indexed, reference)!.exec).toBeLessThan(0.4);
    }
  });

  it("grows the same in any number of threads, without rows that have no label or weight, or that the gate stops", async () => {
    const odd = [
      { pass_ratio: null },
      { executable: null },
      { weight: 0 },
      { candidate: "def f(x):\n    return (\n" },
      { candidate: "def f(x):\n    return missing / 3\n" },
    ].map((wrong) => labelledRow(wrong));
    expect(await fitTrees([...made, ...odd], { ...options, threads: 2 })).toEqual(file);
  });

  it("gates by the modules it is told", async () => {
    const importing = (names: readonly string[]): LabelledRow[] =>
      made.map((row, i) => ({ ...row, candidate: `import ${names[i % names.length]}\n${row.candidate}` }));
    const grow = (given: LabelledRow[]): Promise<Grown> =>
      fitTrees(given, { trees: 1, modules: new Set(["numpy", "math"]) });
    const { elements } = await grow(importing(["numpy", "math"]));
    expect(elements).toEqual(expect.arrayContaining(["import", ...file.elements]));
    await expect(grow(importing(["json"]))).rejects.toThrow(`got 0 of ${COUNT} rows`);
  });

  it("asks for rows enough", async () => {
    await expect(fitTrees(rows(400))).rejects.toThrow(
      "expected at least 1000 labelled rows with a reference whose programs parse, got 360 of 400 rows",
    );
  });
});

describe("codescore boost", () => {
  const WROTE = new RegExp(`wrote .*trees\\.safetensors: \\d+ elements, from ${COUNT} rows`);
  let model: string;
  let data: string;
  beforeAll(async () => {
    model = await makeModel();
    data = join(model, "train.jsonl");
    const lines = rows(COUNT).map((row) => `${JSON.stringify(row)}\n`);
    await writeFile(data, lines.join(""));
  });
  afterAll(() => rm(model, { recursive: true }));

  it("writes trees and their share into the model's folder, which scores with them", async () => {
    const before = await CodeScorer.load(model);
    const made = await codescoreHere(["boost", "--model", model, "--data", data, "--share", "0.5"]);
    expect(made.stderr).toMatch(WROTE);
    expect(made.code).toBe(0);
    expect(JSON.parse(await readFile(join(model, "config.json"), "utf8")).codescore.trees).toBe(0.5);
    const after = await CodeScorer.load(model);
    expect(after.signature).toMatch(/\|trees:0\.5@/);
    const row = { candidate: "def f(x):\n    return x / 3\n", reference: "def f(x):\n    return x + 1\n" };
    const [[was], [is]] = [await before.scoreAll([row]), await after.scoreAll([row])];
    expect((is as { score: number }).score).toBeLessThan((was as { score: number }).score);
    await Promise.all([before.close(), after.close()]);
  });

  it("gates by the modules of the model's config, as scoring does", async () => {
    const copy = await mkdtemp(join(tmpdir(), "codescore-boost-"));
    await cp(model, copy, { recursive: true });
    const config = JSON.parse(await readFile(join(copy, "config.json"), "utf8"));
    const section = { ...config.codescore, modules: "math numpy" };
    await writeFile(join(copy, "config.json"), JSON.stringify({ ...config, codescore: section }));
    const importing = rows(COUNT).map((row) => ({ ...row, candidate: `import numpy\n${row.candidate}` }));
    await writeFile(join(copy, "train.jsonl"), importing.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const made = await codescoreHere(["boost", "--model", copy, "--data", join(copy, "train.jsonl")]);
    expect(made.stderr).toMatch(WROTE);
    const scorer = await CodeScorer.load(copy);
    const reference = importing[1]!.reference!;
    const [known, unknown] = (await scorer.scoreAll(
      ["numpy", "json"].map((name) => ({ candidate: `import ${name}\n${reference}`, reference })),
    )) as [Score, Score];
    await scorer.close();
    expect(known.score).toBeGreaterThan(unknown.score); // for a row that the gate refuses, the trees' share is 0
    await rm(copy, { recursive: true });
  });

  it("makes a model without a network from a config with nothing else", async () => {
    const folder = await mkdtemp(join(tmpdir(), "codescore-boost-"));
    const place = join(folder, "config.json");
    await writeFile(place, JSON.stringify({ codescore: { rule: 0.25, trees: 0.75 } }));
    const refused = await codescoreHere(["boost", "--model", folder, "--data", data, "--share", "0.5"]);
    expect(refused.stderr).toMatch(/expected --share 0\.75, got 0\.5: .* has no network, and its rule has 0\.25/);
    expect(refused.code).toBe(2);
    const made = await codescoreHere(["boost", "--model", folder, "--data", data]);
    expect(made.stderr).toMatch(WROTE);
    expect(JSON.parse(await readFile(place, "utf8"))).toEqual({
      codescore: expect.objectContaining({ rule: 0.25, trees: 0.75 }),
    });
    const scorer = await CodeScorer.load(folder);
    expect(scorer.signature).toMatch(/\|rule:0\.25\|.*\|trees:0\.75@/);
    await scorer.close();
    const exported = await codescoreHere(["export", folder]);
    expect(exported.code).toBe(0);
    expect(await readFile(join(folder, "README.md"), "utf8")).toContain("gradient-boosted trees, without a network");
    const trained = await codescoreHere(["train", "--init", folder, "--data", data, "--output", join(folder, "run")]);
    expect(trained.stderr).toMatch(/has no network, only a rule and trees; expected a model with a network/);
    expect(trained.code).toBe(2);
    await rm(folder, { recursive: true });
  });

  it.each([
    [["--share", "1.5"], 2, /from 0 to 1, got `1\.5`/],
    [["--data", "nowhere.arrow"], 2, /nowhere\.arrow/],
  ])("refuses %j and leaves the folder as it is", async (flags, code, message) => {
    const before = await readFile(join(model, "config.json"), "utf8");
    const made = await codescoreHere(["boost", "--model", model, "--data", data, ...flags]);
    expect(made.stderr).toMatch(message);
    expect(made.code).toBe(code);
    expect(await readFile(join(model, "config.json"), "utf8")).toBe(before);
  });
});
