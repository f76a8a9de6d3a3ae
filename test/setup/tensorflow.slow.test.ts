/** The native engine compared with PyTorch's results. Runs only if `codescore setup tensorflow` has built it. */
import * as tf from "@tensorflow/tfjs";
import { describe, expect, it } from "vitest";
import { findNative } from "../../src/setup/index.ts";
import { openDevice } from "../../src/train/engine/device.ts";

const built = await findNative();

describe.skipIf(built === undefined)("the native engine", () => {
  it("is TensorFlow in this package's own TensorFlow.js, without leaks", async () => {
    const { name, note } = await openDevice("tensorflow");
    expect(name).toBe("tensorflow");
    expect(note).toMatch(/^tensorflow: TensorFlow 2\.\d+\.\d+ on (the CPU|a GPU), built by codescore setup$/);
    const before = tf.memory().numTensors;
    const product = tf.tidy(() => tf.matMul(tf.tensor2d([[1, 2]]), tf.tensor2d([[3], [4]])).arraySync());
    expect(product).toEqual([[11]]);
    expect(tf.memory().numTensors).toBe(before);
    // Only the native engine has a kernel for this operation.
    expect(tf.getKernel("Cumprod", "tensorflow")).toBeDefined();
  });
});

if (built !== undefined) {
  process.env.CODESCORE_TEST_DEVICES = "tensorflow";
  await import("../train/fixture.test.ts"); // runs its suites as part of this file
}
