/** Sums over rows, as each engine computes them fast. Without custom gradients. */
import * as tf from "@tensorflow/tfjs";
import * as native from "./native.ts";
import { isWebGpu } from "./webgpu/shader.ts";
import * as webgpu from "./webgpu/sums.ts";

/** The sum of x [rows, width] over its rows -> [width]. */
export function sumRows(x: tf.Tensor): tf.Tensor {
  if (native.isNative()) return native.sumRows(x);
  return isWebGpu() ? webgpu.sumRows(x) : tf.sum(x, 0);
}

/** Sums the rows of x [rows, width] by index [rows] -> [count, width]. WebAssembly has no segment sum, so there rows are scattered. */
export function sumRowsByIndex(x: tf.Tensor, indices: tf.Tensor, count: number): tf.Tensor {
  if (native.isNative()) return native.sumRowsByIndex(x, indices, count);
  if (isWebGpu()) return webgpu.sumRowsByIndex(x, indices, count);
  return tf.scatterND(tf.reshape(indices, [-1, 1]), x, [count, x.shape[1]!]);
}

/** The sum of the squares of all elements of tensors -> []. */
export function sumOfSquares(tensors: readonly tf.Tensor[]): tf.Tensor {
  if (isWebGpu()) return webgpu.sumOfSquares(tensors);
  return tf.sum(tf.stack(tensors.map((x) => tf.sum(tf.square(x)))));
}
