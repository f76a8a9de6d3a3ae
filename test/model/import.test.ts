/** Hugging Face encoders of every folder format become checkpoints. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importEncoder, parameterSpecs, readConfig, readSafetensors, writeSafetensors } from "../../src/model/index.ts";
import { loadTokenizer } from "../../src/tokenize/index.ts";
import { edit, encoderOf, fixture, scratch, writeVocabulary } from "./folders.ts";

const expected = JSON.parse(readFileSync(join(fixture, "expected.json"), "utf8"));

describe("an import", () => {
  it("is the same from pytorch_model.bin as from model.safetensors, bit by bit", async () => {
    const outs = [scratch(), scratch()];
    const folders = ["model.safetensors", "pytorch_model.bin"].map((weights) =>
      encoderOf("config.json", "tokenizer.json", weights),
    );
    for (const [i, folder] of folders.entries()) {
      const { taken, fresh } = await importEncoder(folder, outs[i]!);
      expect(taken).toBe(3 + 2 + 3 * 16);
      expect(fresh.every((name) => name.startsWith("unice."))).toBe(true);
    }
    expect(readdirSync(outs[0]!).sort()).toEqual(["config.json", "model.safetensors", "tokenizer.json"]);
    for (const name of readdirSync(outs[0]!)) {
      expect(readFileSync(join(outs[0]!, name)).equals(readFileSync(join(outs[1]!, name))), name).toBe(true);
    }
  });

  it("keeps the encoder as it is and starts the heads by the seed", async () => {
    const folder = encoderOf("config.json", "tokenizer.json", "model.safetensors");
    const seeds = [7, 7, 8];
    const models = [];
    for (const seed of seeds) {
      const out = scratch();
      await importEncoder(folder, out, { unice: { head_sizes: [8] }, seed });
      expect([...(await readSafetensors(join(out, "model.safetensors"))).keys()]).toEqual(
        parameterSpecs(await readConfig(out)).map(({ name }) => name),
      );
      models.push(await readSafetensors(join(out, "model.safetensors")));
    }
    const source = await readSafetensors(join(folder, "model.safetensors"));
    for (const [name, { data }] of models[0]!) {
      expect(data, name).toEqual(models[1]!.get(name)?.data);
      if (!name.startsWith("unice.")) expect(data, name).toEqual(source.get(name)?.data);
    }
    const head = "unice.head.0.weight";
    expect(models[0]!.get(head)?.data).not.toEqual(models[2]!.get(head)?.data);
  });

  it("takes the encoder out of a larger model, with buffers of whole numbers beside it", async () => {
    const folder = encoderOf("config.json", "tokenizer.json");
    const source = await readSafetensors(join(fixture, "model.safetensors"));
    const larger = new Map([...source].map(([name, tensor]) => [`roberta.${name}`, tensor]));
    larger.set("lm_head.bias", { shape: [400], data: new Float32Array(400) });
    await writeSafetensors(join(folder, "model.safetensors"), larger);
    addPositionIds(join(folder, "model.safetensors"));
    const out = scratch();
    expect((await importEncoder(folder, out)).taken).toBe(53);
    const name = "encoder.layer.2.output.dense.weight";
    expect((await readSafetensors(join(out, "model.safetensors"))).get(name)).toEqual(source.get(name));
  });

  it("makes tokenizer.json of vocab.json and merges.txt, with Python's ids and special tokens where they were", async () => {
    const folder = encoderOf("config.json", "model.safetensors");
    writeVocabulary(folder);
    const out = scratch();
    await importEncoder(folder, out);
    const tokenizer = await loadTokenizer(out);
    const same = await loadTokenizer(fixture);
    for (const { text, ids } of expected.tokenizer_cases) {
      expect(tokenizer.encodeWithSpecials(text), text).toEqual(ids);
      expect(tokenizer.encode(text), text).toEqual(same.encode(text));
    }
    const specials = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "<encoder-only>"];
    expect(specials.map((token) => tokenizer.special(token))).toEqual([0, 1, 2, 3, 4, 5]);
    const [written, wanted] = [out, fixture].map((at) => JSON.parse(readFileSync(join(at, "tokenizer.json"), "utf8")));
    expect({ ...written, decoder: null }).toEqual({ ...wanted, decoder: null }); // scoring does not use the decoder
  });

  it("gives added tokens the ids that added_tokens.json names", async () => {
    const folder = encoderOf("config.json", "model.safetensors");
    writeVocabulary(folder);
    edit(join(folder, "vocab.json"), (vocab) => delete vocab["<mask>"]);
    writeFileSync(join(folder, "added_tokens.json"), '{"<mask>": 4}');
    const out = scratch();
    await importEncoder(folder, out);
    expect((await loadTokenizer(out)).special("<mask>")).toBe(4);
  });
});

/** Adds an int64 buffer that older versions of transformers saved. */
function addPositionIds(path: string): void {
  const bytes = readFileSync(path);
  const length = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString("utf8", 8, 8 + length));
  const end = bytes.length - 8 - length;
  header["roberta.embeddings.position_ids"] = { dtype: "I64", shape: [1, 3], data_offsets: [end, end + 24] };
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  writeFileSync(path, Buffer.concat([size, text, bytes.subarray(8 + length), Buffer.alloc(24)]));
}

describe("an import is refused", () => {
  const config = (change: (content: Record<string, unknown>) => void) => (folder: string) =>
    edit(join(folder, "config.json"), change);
  const cases: [string, (folder: string) => unknown, RegExp][] = [
    [
      "another architecture",
      config((c) => (c.model_type = "gpt2")),
      /expected `model_type` to be one of roberta, .*, got gpt2/,
    ],
    ["another activation", config((c) => (c.hidden_act = "mish")), /`hidden_act` to be one of gelu, .*, got mish/],
    [
      "relative positions",
      config((c) => (c.position_embedding_type = "relative_key")),
      /expected `position_embedding_type` to be "absolute", got "relative_key"/,
    ],
    [
      "another width",
      config((c) => (c.intermediate_size = 65)),
      /model\.safetensors: expected encoder\.layer\.0\.intermediate\.dense\.weight of shape \[65,32\] \(from config\.json\), got \[64,32\]/,
    ],
    [
      "missing layers",
      config((c) => (c.num_hidden_layers = 4)),
      /lacks encoder\.layer\.3\.attention\.self\.query\.weight, .*, .* and 13 more; it is not the RoBERTa encoder/,
    ],
    ["layers left over", config((c) => (c.num_hidden_layers = 2)), /has more layers than config\.json's 2/],
    [
      "a small vocabulary",
      config((c) => (c.vocab_size = 300)),
      /its ids go up to 399, but config\.json has `vocab_size` 300/,
    ],
    ["another separator", config((c) => (c.eos_token_id = 3)), /<\/s> is 2, but config\.json has `eos_token_id` 3/],
    [
      "a tokenizer of another kind",
      (folder) => edit(join(folder, "tokenizer.json"), (file) => (file.model = { type: "WordLevel" })),
      /tokenizer\.json: expected a model of the type BPE, WordPiece, Unigram, got WordLevel/,
    ],
  ];
  it.each(cases)("with %s", async (_, change, message) => {
    const folder = encoderOf("config.json", "tokenizer.json", "model.safetensors");
    change(folder);
    const out = join(scratch(), "out");
    await expect(importEncoder(folder, out)).rejects.toMatchObject({
      code: "model",
      message: expect.stringMatching(message),
    });
    expect(() => readdirSync(out)).toThrow();
  });

  it.each([
    [["tokenizer.json", "model.safetensors"], /has no config\.json: expected a Hugging Face folder/],
    [["config.json", "model.safetensors"], /has no tokenizer\.json and no vocab\.json/],
    [["config.json", "tokenizer.json"], /has no model\.safetensors and no pytorch_model\.bin/],
  ])("of %o alone", async (names, message) => {
    await expect(importEncoder(encoderOf(...names), scratch())).rejects.toThrow(message);
  });

  it.each([
    ["vocab.json", '{"a": "b"}', /vocab\.json: expected an object of tokens and their ids/],
    ["vocab.json", '{"a": 0}', /vocab\.json lacks RoBERTa's token <s>, <pad>, <\/s>, <unk>, <mask>/],
    ["merges.txt", "#version: 0.2\na b c\n", /merges\.txt:2: expected two tokens, got `a b c`/],
  ])("for %s of %j", async (name, content, message) => {
    const folder = encoderOf("config.json", "model.safetensors");
    writeVocabulary(folder);
    writeFileSync(join(folder, name), content);
    await expect(importEncoder(folder, scratch())).rejects.toThrow(message);
  });

  it("into the folder that it reads", async () => {
    const folder = encoderOf("config.json", "tokenizer.json", "model.safetensors");
    await expect(importEncoder(folder, `${folder}/.`)).rejects.toMatchObject({ code: "usage" });
  });
});
