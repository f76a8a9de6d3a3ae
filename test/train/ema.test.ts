/** The moving average of parameters, compared with tf.train.ExponentialMovingAverage (scripts/record/optimisation.py). */
import { readFileSync } from "node:fs";
import * as tf from "@tensorflow/tfjs";
import { expect, it } from "vitest";
import { average } from "../../src/train/ema.ts";

const { ema } = JSON.parse(readFileSync(new URL("../fixtures/optimisation.json", import.meta.url), "utf8"));

it("follows the parameters as TensorFlow's average does, and leaves what does not move exactly", () => {
  const [first, ...rest] = ema.values as [number[], ...number[][]];
  const still = [0.1, 1 / 3];
  const parameters = new Map([
    ["w", tf.variable(tf.tensor1d(first))],
    ["still", tf.variable(tf.tensor1d(still))],
  ]);
  const averages = new Map([...parameters].map(([name, value]) => [name, tf.variable(tf.clone(value))]));
  const constant = averages.get("still")!.arraySync();
  rest.forEach((value, i) => {
    tf.tidy(() => parameters.get("w")!.assign(tf.tensor1d(value)));
    const before = tf.memory().numTensors;
    average(averages, parameters, ema.decay, i + 1);
    expect(tf.memory().numTensors).toBe(before);
    (averages.get("w")!.arraySync() as number[]).forEach((ours, k) => {
      expect(ours).toBeCloseTo(ema.averages[i][k], 5);
    });
  });
  expect(averages.get("still")!.arraySync()).toEqual(constant);
  tf.disposeVariables();
});
