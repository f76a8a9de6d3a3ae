/** Dropout draws its numbers independently at each place and in each pass. */
import * as tf from "@tensorflow/tfjs";
import { expect, it, onTestFinished } from "vitest";
import { tfOps } from "../../../src/train/engine/tf-ops.ts";

const options = { layerNormEps: 1e-5, dropout: 0.5 };
const [passes, sites] = [4, 5];

it("on the native engine", async () => {
  await tf.ready();
  // The native engine is not installed where the tests run. It draws numbers by a seed of two integers.
  const drawn: string[] = [];
  const backend = tf.backend() as unknown as Record<string, unknown>;
  backend.binding = {};
  backend.executeSingleOutput = (_name: string, _attributes: unknown, [shape, seed]: tf.Tensor[]): tf.Tensor => {
    drawn.push(seed!.dataSync().join());
    return tf.zeros([...shape!.dataSync()]);
  };
  onTestFinished(() => {
    delete backend.binding;
    delete backend.executeSingleOutput;
  });
  for (let pass = 1; pass <= passes; pass++) {
    const ops = tfOps(new Map(), { ...options, seed: tf.tensor1d([pass, 0], "int32") });
    for (let site = 0; site < sites; site++) ops.dropout(tf.ones([2]));
  }
  expect(drawn).toHaveLength(passes * sites);
  expect(new Set(drawn).size).toBe(passes * sites);
});

it("on the other engines", async () => {
  await tf.ready();
  const masks = new Set<string>();
  for (let pass = 1; pass <= passes; pass++) {
    const ops = tfOps(new Map(), { ...options, seed: pass });
    for (let site = 0; site < sites; site++)
      masks.add(
        ops
          .dropout(tf.ones([64]))
          .dataSync()
          .join(),
      );
  }
  expect(masks.size).toBe(passes * sites);
});
