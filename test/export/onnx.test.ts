/** The trained and the exported network come from the same source code. Here their outputs are compared. */
import * as tf from "@tensorflow/tfjs";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { beforeAll, describe, expect, it } from "vitest";
import { buildGraph, OnnxOps } from "../../src/export/index.ts";
import { MARK_VALUES } from "../../src/languages/python/index.ts";
import { configOfSize, initialise, type ModelConfig, network } from "../../src/model/index.ts";
import { openDevice } from "../../src/train/engine/device.ts";
import { tfOps } from "../../src/train/engine/tf-ops.ts";
import { Random } from "../../src/util/random.ts";

function randomModel(mix: "softmax" | "sparsemax", pool: "first" | "first+means"): ModelConfig {
  const config = configOfSize("nano", 300);
  return { ...config, codescore: { ...config.codescore, mix, pool } };
}

/** Padded rows `<s> part </s> part </s>` with `parts` parts of varying lengths, over a small vocabulary so that n-grams recur. */
function randomRows(
  random: Random,
  rows: number,
  length: number,
  parts: number,
): Record<"ids" | "mask" | "marks", number[][]> {
  const ids = Array.from({ length: rows }, () => {
    const used = random.int(4, length);
    const row = [0, ...Array.from({ length: used - 1 }, () => random.int(5, 25))];
    for (let i = 1; i < parts; i++) row[random.int(1, used - 2)] = 2;
    row[used - 1] = 2;
    return [...row, ...Array(length - row.length).fill(1)];
  });
  const mask = ids.map((row) => row.map((id) => (id === 1 ? 0 : 1)));
  const marks = mask.map((row) => row.map((one) => one * random.int(0, MARK_VALUES - 1)));
  return { ids, mask, marks };
}

describe("the exported network", () => {
  beforeAll(async () => {
    await openDevice("wasm");
  });

  it.each([
    ["softmax", "first+means", 40, 2],
    ["softmax", "first+means", 40, 3], // the last part is not pooled
    ["softmax", "first+means", 40, 1], // nothing to cover
    ["sparsemax", "first", 40, 2],
    ["softmax", "first+means", 5, 2], // shorter than the longest cover n-gram
  ] as const)("equals the trained one to 1e-4 (%s, %s, %i tokens, %i parts)", async (mix, pool, length, parts) => {
    const config = randomModel(mix, pool);
    const random = new Random(7);
    const tensors = initialise(config, 3);
    // Every parameter is random, including channels and norms, because a zero would hide a wrong path.
    for (const { data } of tensors.values())
      for (let i = 0; i < data.length; i++) data[i] = data[i]! + 0.1 * random.normal();
    const { ids, mask, marks } = randomRows(random, 6, length, parts);
    const weights = new Map(
      [...tensors].map(([name, { data, shape }]) => [name, tf.tensor(data, [...shape]) as tf.Tensor]),
    );
    const ours = tf.tidy(() => {
      const ops = tfOps(weights, { layerNormEps: config.layer_norm_eps, dropout: 0, seed: 0 });
      const output = network(ops, config, {
        ids: tf.tensor2d(ids),
        mask: tf.tensor2d(mask),
        marks: tf.tensor2d(marks),
      });
      return [output.scoreLogit, output.execLogit].map((logit) => Array.from(tf.sigmoid(logit).dataSync()));
    });
    tf.dispose([...weights.values()]);

    const session = await InferenceSession.create(buildGraph(new OnnxOps(tensors, config), config, "test"));
    const feed = (values: number[][]): Tensor =>
      new Tensor("int64", BigInt64Array.from(values.flat(), BigInt), [values.length, length]);
    const marked = mask.map((row, i) => row.map((one, k) => one + marks[i]![k]!));
    const outputs = await session.run({ input_ids: feed(ids), attention_mask: feed(marked) });
    const theirs = [outputs.score!, outputs.exec!].map(({ data }) => Array.from(data as Float32Array));
    await session.release();

    expect(new Set(ours[0]!.map((value) => value.toFixed(6))).size).toBe(6); // the inputs matter
    for (const [head, values] of ours.entries()) {
      for (const [row, value] of values.entries()) expect(Math.abs(value - theirs[head]![row]!)).toBeLessThan(1e-4);
    }
  });
});
