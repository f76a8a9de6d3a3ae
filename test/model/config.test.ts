import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkConfig, configOfSize, parameterSpecs, readConfig, readNewConfig } from "../../src/model/index.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "codescore-config-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const shape = {
  hidden_size: 48,
  num_hidden_layers: 3,
  num_attention_heads: 4,
  intermediate_size: 96,
  max_position_embeddings: 130,
};

const read = (content: unknown): Promise<unknown> => {
  const path = join(folder, "model.json");
  writeFileSync(path, JSON.stringify(content));
  return readNewConfig(path, 500);
};

it("says of a folder that it is missing, or no model", async () => {
  await expect(readConfig(join(folder, "none"))).rejects.toThrow(`no model folder at ${join(folder, "none")}`);
  await expect(readConfig(folder)).rejects.toThrow(`${folder} is not a codescore model: it has no config.json`);
});

describe("the config of a new model", () => {
  it("takes RoBERTa's keys, fills the rest in, and the vocabulary from the tokenizer", async () => {
    const config = (await read({ ...shape, vocab_size: 50_265, type_vocab_size: 1 })) as ReturnType<
      typeof configOfSize
    >;
    expect(config).toMatchObject({ ...shape, vocab_size: 500, pad_token_id: 1, layer_norm_eps: 1e-5 });
    expect(config.codescore).toMatchObject({ mix: "softmax", head_sizes: [3072, 1024], max_length: 128 });
    expect(config.initializer_range).toBeCloseTo(0.7 / Math.sqrt(48), 3);
    expect(await read({ ...shape, initializer_range: 0.02 })).toMatchObject({ initializer_range: 0.02 });
    const words = parameterSpecs(config).find(({ name }) => name === "embeddings.word_embeddings.weight");
    expect(words?.shape).toEqual([500, 48]);
  });

  it("takes ours", async () => {
    const codescore = { mix: "sparsemax", pool: "first", head_sizes: [24, 12], channels: false, max_length: 64 };
    expect(await read({ ...shape, codescore })).toMatchObject({ codescore });
  });

  it("is read from the config of RoBERTa's own checkpoints", async () => {
    const file = new URL("../fixtures/unixcoder-tiny/config.json", import.meta.url);
    const roberta = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    expect(await read(roberta)).toMatchObject({ hidden_size: roberta.hidden_size, vocab_size: 500 });
  });

  it.each([
    [[1], /model\.json: expected an object with a model's shape, got \[1\]/],
    [{ ...shape, hidden_size: undefined }, /expected `hidden_size` to be an integer from 1 to \d+, got undefined/],
    [{ ...shape, hidden_size: 50 }, /hidden_size 50 to be a multiple of num_attention_heads 4/],
    [{ ...shape, num_hidden_layers: 2.5 }, /`num_hidden_layers` to be an integer from 1 to \d+, got 2.5/],
    [{ ...shape, model_type: "gpt2" }, /`model_type` to be one of roberta, .*bert.*, got gpt2/],
    [{ ...shape, hidden_act: "mish" }, /`hidden_act` to be one of gelu, .*, got mish/],
    [{ ...shape, pad_token_id: 0 }, /`pad_token_id` to be 1, as in the tokenizer that is trained/],
    [{ ...shape, max_position_embeddings: 6 }, /`max_position_embeddings` for sequences of at least 8 tokens/],
    [{ ...shape, codescore: { mix: "max" } }, /`codescore.mix` to be softmax or sparsemax, got "max"/],
    [
      { ...shape, codescore: { head_sizes: [0] } },
      /`codescore.head_sizes` to be a list of at most 16 integers from 1 to 65536, got \[0\]/,
    ],
    [{ ...shape, codescore: { modules: ["math"] } }, /`codescore.modules` to be names separated by spaces, or null/],
    [{ ...shape, codescore: { cover: [1, 3] } }, /`codescore.cover` to be rising integers/],
    [
      { ...shape, codescore: { embedding_range: -1 } },
      /`codescore.embedding_range` to be a number of at least 0, got -1/,
    ],
    [{ ...shape, codescore: { max_length: 4 } }, /`codescore.max_length` to be an integer of at least 8, got 4/],
    [{ ...shape, codescore: { head_size: [4] } }, /keys of `codescore` among mix, .*, got `head_size`/],
  ])("refuses %j", async (wrong, message) => {
    await expect(read(wrong)).rejects.toThrow(message);
  });

  it("has no such checks against what the sizes by name give", () => {
    for (const size of ["nano", "tiny", "small", "base"] as const) {
      const config = configOfSize(size, 400);
      expect(checkConfig({ ...config }, "config.json")).toEqual(config);
    }
  });
});
