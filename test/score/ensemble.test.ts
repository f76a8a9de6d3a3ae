/** The parts of a score besides the network: the rule and the trees, with the weights in the model's config. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadRule, rule } from "../../src/metrics/static/rule.ts";
import { CodeScorer } from "../../src/score/index.ts";
import { forestOf } from "../../src/trees/forest.ts";
import { type Grown, loadCounts, makeTrees, TREES_FILE, type Trees, writeTrees } from "../../src/trees/index.ts";
import type { Score, ScoreInput } from "../../src/types.ts";
import { makeModel } from "./model.ts";

const leaf = (odds: number) => forestOf({ feature: [-1], value: [odds], right: [0] }, 0)!;
const file: Grown = {
  elements: ["for"],
  alone: { score: leaf(-2), exec: leaf(3) },
  // Whether it has more loops than the reference.
  compared: {
    score: forestOf({ feature: [1, -1, -1], value: [0.5, 1, -1], right: [2, 0, 0] }, 2)!,
    exec: leaf(2),
  },
};

const reference = "def f(xs):\n    return [x + 1 for x in xs]\n";
const loop = "def f(ys):\n    out = []\n    for y in ys:\n        out.append(y + 1)\n    return out\n";
const inputs: readonly ScoreInput[] = [
  { candidate: reference, reference },
  { candidate: loop, reference },
  { candidate: "def f(xs):\n    return missing\n", reference, description: "Adds one." },
  { candidate: "def f(xs):\n    return len(xs)\n", reference }, // another kind of answer: the rule's factor is 0
  { candidate: loop, reference: "def f(:\n" },
  { candidate: loop, description: "Adds one." },
  { candidate: "def f(xs):\n    return missing\n", description: "Adds one." },
];

let folder: string;
let trees: Trees;
let network: Score[];
beforeAll(async () => {
  folder = await makeModel();
  trees = makeTrees(file, "", await loadCounts());
  await loadRule();
  network = await scores(folder);
});
afterAll(() => rm(folder, { recursive: true }));

async function scores(model: string): Promise<Score[]> {
  const scorer = await CodeScorer.load(model);
  const results = (await scorer.scoreAll(inputs)) as Score[];
  await scorer.close();
  return results;
}

async function withShares(shares: object, made?: Grown): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "codescore-beside-"));
  await cp(folder, copy, { recursive: true });
  const config = JSON.parse(await readFile(join(copy, "config.json"), "utf8"));
  await writeFile(
    join(copy, "config.json"),
    JSON.stringify({ ...config, codescore: { ...config.codescore, ...shares } }),
  );
  if (made !== undefined) await writeTrees(join(copy, TREES_FILE), made);
  return copy;
}

describe("a score", () => {
  it("is joined from the network's, the rule's and the trees'", async () => {
    const copy = await withShares({ rule: 0.25, trees: 0.45 }, file);
    const joined = await scores(copy);
    const [same, looped, , other, broken, alone, missing] = inputs;
    const judged = (input: ScoreInput) => trees.judge(input.candidate, input.reference ?? null)!;
    const mix = (i: number, key: "score" | "exec", of: number): number => 0.4 * network[i]![key] + 0.6 * of;
    const wanted = [
      0.75 * mix(0, "score", judged(same!).score) + 0.25,
      0.75 * mix(1, "score", judged(looped!).score) + 0.25 * rule(loop, reference),
      0.75 * mix(2, "score", 0), // the gate refuses it: the rule and the trees give 0
      0.75 * 0 + 0.25 * 0,
      0.75 * network[4]!.score + 0.25 * rule(broken!.candidate, broken!.reference!), // the trees cannot read it
      mix(5, "score", judged(alone!).score),
      mix(6, "score", 0),
    ];
    expect(rule(other!.candidate, reference)).toBe(0);
    expect(missing!.reference).toBeUndefined();
    for (const [i, score] of wanted.entries()) expect(joined[i]!.score, `row ${i}`).toBeCloseTo(score, 9);
    expect(joined[0]!.exec).toBeCloseTo(mix(0, "exec", judged(same!).exec), 9);
    expect(joined[2]!.exec).toBeCloseTo(mix(2, "exec", 0), 9);
    expect(joined[0]!.signature).toMatch(
      /\|rule:0\.25\|answers:on\|attributes:on\|conflicts:on|edits:on\|trees:0\.45@[0-9a-f]{8}\|/,
    );
    expect(joined[5]!.signature).toMatch(/\|trees:0\.45@[0-9a-f]{8}\|/);
    expect(joined[5]!.signature).not.toContain("rule");
    await rm(copy, { recursive: true });
  });

  it("needs neither for the other", async () => {
    const [ruled, treed] = [await withShares({ rule: 0.25 }), await withShares({ trees: 0.5 }, file)];
    const [withRule, withTrees] = [await scores(ruled), await scores(treed)];
    expect(withRule[1]!.score).toBeCloseTo(0.75 * network[1]!.score + 0.25 * rule(loop, reference), 9);
    expect(withRule[5]).toEqual({ ...network[5]!, signature: withRule[5]!.signature });
    expect(withTrees[1]!.score).toBeCloseTo((network[1]!.score + trees.judge(loop, reference)!.score) / 2, 9);
    await Promise.all([rm(ruled, { recursive: true }), rm(treed, { recursive: true })]);
  });

  it("needs no network, whose files may be missing, if the rule and the trees have the whole weight", async () => {
    const copy = await withShares({ rule: 0.25, trees: 0.75 }, file);
    for (const name of ["onnx", "tokenizer.json", "model.safetensors"]) await rm(join(copy, name), { recursive: true });
    const [same, looped, refused, other, broken, alone, missing] = await scores(copy);
    const judged = (i: number) => trees.judge(inputs[i]!.candidate, inputs[i]!.reference ?? null)!;
    expect(same!.score).toBeCloseTo(0.75 * judged(0).score + 0.25, 9);
    expect(same!.exec).toBeCloseTo(judged(0).exec, 9);
    expect(looped!.score).toBeCloseTo(0.75 * judged(1).score + 0.25 * rule(loop, reference), 9);
    expect([refused!.score, refused!.exec, other!.score, missing!.score]).toEqual([0, 0, 0, 0]);
    // The trees cannot read the reference, so the rule decides alone.
    expect([broken!.score, broken!.exec]).toEqual([rule(inputs[4]!.candidate, inputs[4]!.reference!), 0.5]);
    expect([alone!.score, alone!.exec]).toEqual([judged(5).score, judged(5).exec]);
    expect(same!.signature).toMatch(/^codescore\|model:(\w{8})\|input:ref\|rule:.*\|trees:0\.75@\1\|v:/);
    await rm(copy, { recursive: true });
  });

  it("without a network is a half where nothing can be seen", async () => {
    const copy = await withShares({ rule: 0.25, trees: 0.75 }, file);
    const scorer = await CodeScorer.load(copy, { device: "tpu" }); // not asked for
    expect(scorer.device).toBe("none");
    const matching = "def f(x):\n    match x:\n        case 1:\n            return 2\n    return 3\n";
    expect(trees.judge(matching, null)).toBeNull();
    const [found] = await scorer.scoreAll([{ candidate: matching, description: "Adds one." }]);
    expect(found).toMatchObject({ score: 0.5, exec: 0.5 });
    await scorer.close();
    await rm(copy, { recursive: true });
  });
});

describe("a calibration", () => {
  it("of other trees is refused", async () => {
    const copy = await withShares({ trees: 0.5 }, file);
    const { signature } = (await scores(copy))[0]!;
    const models = { onnx: /model:(\w+)/.exec(signature)![1]!, trees: /trees:0\.5@(\w+)/.exec(signature)![1]! };
    const calibration = { version: 1, method: "none", models, formats: {} };
    await writeFile(join(copy, "calibration.json"), JSON.stringify(calibration));
    await scores(copy);
    await writeTrees(join(copy, TREES_FILE), { ...file, elements: ["while"] });
    await expect(CodeScorer.load(copy)).rejects.toThrow(/calibration\.json belongs to other weights/);
    await rm(copy, { recursive: true });
  });
});
