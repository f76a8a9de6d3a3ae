/** Dropout draws its numbers independently at each place and in each pass. */
import * as tf from "@tensorflow/tfjs";
import { expect, it, vi } from "vitest";
import { tfOps } from "../../../src/train/engine/tf-ops.ts";

const drawn = vi.hoisted((): string[] => []);

// The native engine is not installed where the tests run. It draws numbers by a seed of two integers.
vi.mock("../../../src/train/engine/native.ts", async (original) => ({
  ...(await original<typeof import("../../../src/train/engine/native.ts")>()),
  uniform: (shape: number[], seed: tf.Tensor): tf.Tensor => {
    drawn.push(seed.dataSync().join());
    return tf.zeros(shape);
  },
}));

const options = { layerNormEps: 1e-5, dropout: 0.5 };
const [PASSES, SITES] = [4, 5];

it("on the native engine", () => {
  for (let pass = 1; pass <= PASSES; pass++) {
    const ops = tfOps(new Map(), { ...options, seed: tf.tensor1d([pass, 0], "int32") });
    for (let site = 0; site < SITES; site++) ops.dropout(tf.ones([2]));
  }
  expect(new Set(drawn).size).toBe(PASSES * SITES);
});

it("on the other engines", () => {
  const masks = new Set<string>();
  for (let pass = 1; pass <= PASSES; pass++) {
    const ops = tfOps(new Map(), { ...options, seed: pass });
    for (let site = 0; site < SITES; site++)
      masks.add(
        ops
          .dropout(tf.ones([64]))
          .dataSync()
          .join(),
      );
  }
  expect(masks.size).toBe(PASSES * SITES);
});
