/** A program that loads the native engine from the folder in its argument, multiplies matrices, and prints what it found. */
import * as tf from "@tensorflow/tfjs";
import { messageOf } from "../errors.ts";
import { loadNative, type NativeEngine } from "./native.ts";

export interface NativeCheck extends NativeEngine {
  /** Rate of a product of two 1024 x 1024 matrices in GFLOP/s, the best of five. */
  readonly gflops: number;
}

function check(folder: string): NativeCheck {
  const engine = loadNative(folder);
  if (tf.getBackend() !== "tensorflow") throw new Error(`the engine is ${tf.getBackend()}`);
  const product = tf.matMul(tf.tensor2d([1, 2, 3, 4, 5, 6], [2, 3]), tf.tensor2d([1, 2, 3, 4, 5, 6], [3, 2]));
  const values = [...product.dataSync()];
  if (values.join() !== "22,28,49,64") throw new Error(`a product of matrices is [${values}], not [22,28,49,64]`);
  const [a, b] = [tf.randomNormal([1024, 1024]), tf.randomNormal([1024, 1024])];
  const seconds = Array.from({ length: 5 }, () => {
    const began = performance.now();
    tf.matMul(a, b).slice([0, 0], [1, 1]).dataSync();
    return (performance.now() - began) / 1000;
  });
  return { ...engine, gflops: Math.round((2 * 1024 ** 3) / Math.min(...seconds) / 1e9) };
}

try {
  process.stdout.write(JSON.stringify(check(process.argv[2]!)));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
