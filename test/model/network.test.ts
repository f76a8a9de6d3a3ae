import * as tf from "@tensorflow/tfjs";
import { beforeAll, describe, expect, it } from "vitest";
import { configOfSize, encode, initialise, type ModelConfig } from "../../src/model/index.ts";
import { openDevice } from "../../src/train/engine/device.ts";
import { tfOps } from "../../src/train/engine/tf-ops.ts";

const [START, END] = [0, 2];

/** Embeddings [T][H] of one sequence. Parts and cover are left out unless the config has them. */
function embeddingsOf(config: ModelConfig, ids: number[], marks?: number[]): number[][] {
  return tf.tidy(() => {
    const weights = new Map(
      [...initialise(config, 5)].map(([name, { data, shape }]) => [
        name,
        name === "unice.mark.weight" ? tf.randomNormal([...shape], 0, 1, "float32", 3) : tf.tensor(data, [...shape]),
      ]),
    );
    const ops = tfOps(weights, { layerNormEps: config.layer_norm_eps, dropout: 0, seed: 0 });
    const input = { ids: tf.tensor2d([ids]), mask: tf.ones([1, ids.length]), marks: marks && tf.tensor2d([marks]) };
    const hidden = encode<tf.Tensor>(ops, config, input);
    return (hidden[0]!.arraySync() as number[][][])[0]!;
  });
}

describe("the network's embeddings", () => {
  beforeAll(async () => {
    await openDevice("cpu");
  });
  const configOf = (positions: "sequence" | "part"): ModelConfig => {
    const config = configOfSize("nano", 40);
    return { ...config, codescore: { ...config.codescore, channels: false, positions } };
  };
  const [short, long] = [
    [START, 11, END, 21, 22, END, 31, END],
    [START, 11, 12, 13, END, 21, 22, END, 31, END],
  ];

  it("tell a token's place within its part", () => {
    const [one, other] = [short, long].map((ids) => embeddingsOf(configOf("part"), ids!));
    expect(other!.slice(-5)).toEqual(one!.slice(-5)); // the reference, the description and their ends
    expect(one![3]).not.toEqual(one![4]);
  });

  it("or, as RoBERTa's, within the sequence", () => {
    const [one, other] = [short, long].map((ids) => embeddingsOf(configOf("sequence"), ids!));
    for (const place of [-5, -4, -2]) expect(other!.at(place)).not.toEqual(one!.at(place));
    expect(other!.slice(0, 2)).toEqual(one!.slice(0, 2));
  });

  it("tell a token's static mark", () => {
    const config = configOf("part");
    const marks = short!.map((_, i) => (i === 1 ? 3 : 0));
    const [without, marked] = [undefined, marks].map((given) => embeddingsOf(config, short!, given));
    expect(marked![1]).not.toEqual(without![1]);
  });
});
