/** Which parameters move and how fast, compared with torch.optim.AdamW with a parameter group for each (scripts/record/optimisation.py). */
import { readFileSync } from "node:fs";
import * as tf from "@tensorflow/tfjs";
import { afterEach, describe, expect, it } from "vitest";
import { configOfSize, parameterSpecs } from "../../src/model/index.ts";
import { AdamW } from "../../src/train/adamw.ts";
import { parameterGroups } from "../../src/train/groups.ts";

const { groups } = JSON.parse(readFileSync(new URL("../fixtures/optimisation.json", import.meta.url), "utf8"));
const rates = { learningRate: groups.lr, headLearningRate: groups.head, layerDecay: groups.decay, freezeLayers: 0 };

afterEach(() => tf.disposeVariables());

describe("parameter groups", () => {
  it("learn at PyTorch's rates, the encoder from when it thaws", () => {
    const { layers, frozen, steps } = groups;
    const optimizer = new AdamW({
      ...parameterGroups({ ...rates, keepEmbeddingsFrozen: false }, layers, frozen),
      weightDecay: 0.02,
    });
    const parameters = new Map(
      Object.keys(groups.parameters).map((name, i) => [
        name,
        tf.variable(tf.add(tf.linspace(-1, 1, 5), 0.1 * i)) as tf.Variable,
      ]),
    );
    for (let step = 0; step < steps; step++) {
      const moving = [...parameters].filter(([name]) => optimizer.moves(name));
      expect(moving.length).toBe(step < frozen ? 2 : parameters.size);
      optimizer.apply(parameters, new Map(moving.map(([name, value]) => [name, tf.clone(value)])), groups.lr);
    }
    for (const [name, wanted] of Object.entries<number[]>(groups.parameters)) {
      (parameters.get(name)!.arraySync() as number[]).forEach((ours, i) => {
        expect(ours, name).toBeCloseTo(wanted[i]!, 5);
      });
    }
  });

  it("give a whole model's embeddings the lowest rate, and never move them where they are to stay", () => {
    const config = configOfSize("tiny", 300);
    const names = parameterSpecs(config).map(({ name }) => name);
    const { rate, start } = parameterGroups({ ...rates, keepEmbeddingsFrozen: true }, config.num_hidden_layers, 7);
    const encoder = names.filter((name) => !name.startsWith("unice."));
    const lowest = Math.min(...encoder.map(rate));
    expect(encoder.filter((name) => rate(name) === lowest)).toEqual(
      names.filter((name) => name.startsWith("embeddings.")),
    );
    expect(Math.max(...encoder.map(rate))).toBe(1);
    const startOf = (prefix: string): number[] => [
      ...new Set(names.filter((name) => name.startsWith(prefix)).map(start)),
    ];
    expect(startOf("embeddings.")).toEqual([Number.POSITIVE_INFINITY]);
    expect(startOf("encoder.")).toEqual([7]);
    expect(startOf("unice.head")).toEqual([0]);
    expect(startOf("unice.part")).toEqual([7]);
  });

  it("never move the layers that are frozen", () => {
    const { start } = parameterGroups({ ...rates, keepEmbeddingsFrozen: false, freezeLayers: 2 }, 12, 5);
    const startOf = (layer: number): number => start(`encoder.layer.${layer}.output.dense.weight`);
    expect([0, 1, 2, 10].map(startOf)).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 5, 5]);
    expect(start("embeddings.word_embeddings.weight")).toBe(5);
  });
});
