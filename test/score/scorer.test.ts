import { cp, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CodeScorer, toScoreRow } from "../../src/score/index.ts";
import type { Score, ScoreInput } from "../../src/types.ts";
import { Random } from "../../src/util/random.ts";
import { makeModel } from "./model.ts";

let folder: string;
let scorer: CodeScorer;

beforeAll(async () => {
  folder = await makeModel();
  scorer = await CodeScorer.load(folder);
});

afterAll(async () => {
  await scorer.close();
  await rm(folder, { recursive: true });
});

function rows(count: number): ScoreInput[] {
  const random = new Random(5);
  const program = (): string =>
    `def f(a, b):\n${Array.from({ length: random.int(1, 25) }, () => `    a = a ${random.pick(["+", "-", "*"])} ${random.int(0, 9)}\n`).join("")}    return a\n`;
  return Array.from({ length: count }, () => ({
    candidate: program(),
    reference: random.chance(0.8) ? program() : null,
    description: "Change a.",
  }));
}

describe("CodeScorer", () => {
  it("gives a row the same score whatever its batch-mates, their order and the padding", async () => {
    const inputs = rows(64);
    const alone: Score[] = [];
    for (const input of inputs) alone.push((await scorer.scoreAll([input]))[0] as Score);
    expect(new Set(alone.map(({ score }) => score.toFixed(5))).size).toBeGreaterThan(32); // the rows differ
    for (const batchTokens of [300, 2000, 100_000]) {
      const other = await CodeScorer.load(folder, { batchTokens });
      const order = new Random(batchTokens).shuffle(inputs.map((_, i) => i));
      const together = (await other.scoreAll(order.map((i) => inputs[i]!))) as Score[];
      for (const [at, i] of order.entries()) {
        expect(Math.abs(together[at]!.score - alone[i]!.score)).toBeLessThan(1e-6);
        expect(Math.abs(together[at]!.exec - alone[i]!.exec)).toBeLessThan(1e-6);
      }
      await other.close();
    }
  });

  it("scores a stream in order", async () => {
    const inputs = rows(20).map((row, id) => ({ ...row, id }));
    const whole = (await scorer.scoreAll(inputs)) as Score[];
    const ids: number[] = [];
    for await (const { row, result } of scorer.score(inputs)) {
      expect((result as Score).score).toBeCloseTo(whole[row.id]!.score, 6);
      ids.push(row.id);
    }
    expect(ids).toEqual(inputs.map(({ id }) => id));
  });

  it("yields an error in the place of a row that cannot be scored, and scores the rest", async () => {
    const good: ScoreInput = { candidate: "x = 1", reference: "x = 2" };
    const bad = [
      { candidate: "x = 1" },
      { candidate: "  \n", reference: "y" },
      { candidate: 5, reference: "y" },
      { reference: "y" },
      { candidate: "x", reference: ["y"] },
      { candidate: "x", description: { a: 1 } },
    ] as unknown as ScoreInput[];
    const results = await scorer.scoreAll([good, ...bad, good]);
    for (const result of results.slice(1, -1)) expect(result).toHaveProperty("error.message");
    expect(results[0]).toEqual(results.at(-1));
  });

  it.each(["\u0000", "\ud800", "\u{1f600}", "def f(:\n  retur", "x".repeat(100_000), "</s>", "\t\r\n x"])(
    "scores odd text %#",
    async (candidate) => {
      const [result] = await scorer.scoreAll([{ candidate, reference: "x = 1" }]);
      expect((result as Score).score).toBeGreaterThanOrEqual(0);
      expect((result as Score).score).toBeLessThanOrEqual(1);
    },
  );

  it("says what was cut", async () => {
    const [long, short] = (await scorer.scoreAll([
      { candidate: "a = 1\n".repeat(500), reference: "x = 1", description: "d" },
      { candidate: "a = 1\n", reference: "x = 1" },
    ])) as Score[];
    expect(long!.cut!.candidate).toBeGreaterThan(100);
    expect(long!.cut!.reference).toBe(0);
    expect(short!.cut).toBeUndefined();
  });

  it("takes the format asked for and refuses what a row cannot give", async () => {
    const all: ScoreInput = { candidate: "x = 1", reference: "x = 2", description: "d" };
    for (const format of ["ref", "nl", "ref+nl"] as const) {
      expect((await scorer.scoreAll([all], { format }))[0]).toMatchObject({
        format,
        signature: scorer.signatureOf(format),
      });
    }
    expect((await scorer.scoreAll([{ candidate: "x", reference: "y" }], { format: "nl" }))[0]).toHaveProperty(
      "error.message",
      "the format nl needs a description, got none",
    );
  });

  it("is a similarity", async () => {
    const [row] = rows(1);
    const [result] = (await scorer.scoreAll([row!])) as Score[];
    expect(await scorer.similarity().compare([{ ...row!, reference: row!.reference ?? "" }])).toEqual([result!.score]);
  });
});

describe("a wrong model folder", () => {
  it.each<[string, RegExp, (copy: string) => Promise<void>]>([
    ["without config.json", /has no config\.json/, (copy) => rm(join(copy, "config.json"))],
    ["without tokenizer.json", /tokenizer\.json/, (copy) => rm(join(copy, "tokenizer.json"))],
    ["without ONNX", /codescore export/, (copy) => rm(join(copy, "onnx"), { recursive: true })],
    [
      "with a cut-off ONNX file",
      /cannot load .*model\.onnx/,
      (copy) => truncate(join(copy, "onnx", "model.onnx"), 5000),
    ],
    ["with a config that is no JSON", /not valid JSON/, (copy) => writeFile(join(copy, "config.json"), "{")],
    ["with a config that is null", /`codescore` section/, (copy) => writeFile(join(copy, "config.json"), "null")],
    ["of another kind", /`codescore` section/, (copy) => writeFile(join(copy, "config.json"), '{"model_type":"bert"}')],
    [
      "with another vocabulary",
      /not of one model/,
      (copy) => writeFile(join(copy, "config.json"), '{"pad_token_id":1,"vocab_size":10,"codescore":{"max_length":9}}'),
    ],
  ])("%s is a clear error", async (_, message, spoil) => {
    const copy = await mkdtemp(join(tmpdir(), "codescore-spoilt-"));
    await cp(folder, copy, { recursive: true });
    await spoil(copy);
    await expect(CodeScorer.load(copy)).rejects.toThrow(message);
    await expect(CodeScorer.load(copy)).rejects.toHaveProperty("name", "CodescoreError");
    await rm(copy, { recursive: true });
  });

  it("that does not exist is a clear error", async () => {
    await expect(CodeScorer.load("no/such/folder")).rejects.toThrow("no model folder at no/such/folder");
  });
});

describe("toScoreRow", () => {
  const prompt = 'def add(a, b):\n    """Adds."""\n';
  it.each([
    [
      "an index for a missing id",
      { candidate: "x", reference: "y" },
      { id: 7, candidate: "x", reference: "y", description: null },
    ],
    [
      "CodeScore's own names",
      { generated_code: "x", golden_code: "y", source: "z" },
      { id: 7, candidate: "x", reference: "y", description: "z" },
    ],
    [
      "a data set's name, which is no description",
      { candidate: "x", reference: "y", source: "mbpp" },
      { id: 7, candidate: "x", reference: "y", description: null },
    ],
    [
      "a body that continues the prompt",
      { prompt, candidate: "    return a\n", reference: "    return b\n" },
      { id: 7, candidate: `${prompt}    return a\n`, reference: `${prompt}    return b\n`, description: null },
    ],
    [
      "an empty reference beside a prompt as none",
      { prompt, candidate: "    return a\n", reference: "" },
      { id: 7, candidate: `${prompt}    return a\n`, reference: null, description: null },
    ],
    [
      "an id of any type as it came",
      { id: true, candidate: "x" },
      { id: true, candidate: "x", reference: null, description: null },
    ],
    [
      "a whole program beside a prompt",
      { id: "q", prompt, candidate: "import re\ndef add(a, b):\n    return a\n" },
      { id: "q", candidate: "import re\ndef add(a, b):\n    return a\n", reference: null, description: null },
    ],
  ])("takes %s", (_, value, expected) => {
    expect(toScoreRow({ value, where: "x:1" }, 7)).toEqual(expected);
  });
});
