/** The network's operations in TensorFlow.js, with custom gradients where its own are slow or missing. */
import * as tf from "@tensorflow/tfjs";
import type { Ops } from "../../model/index.ts";
import { attention, embedding, gelu, layerNorm } from "./fused.ts";
import { batchedMatMul, linear, type Save } from "./matmul.ts";
import { gatherRows, uniform } from "./native.ts";
import * as webgpu from "./webgpu/fused.ts";
import { isWebGpu } from "./webgpu/shader.ts";

type Weights = ReadonlyMap<string, tf.Tensor>;

export interface TfOpsOptions {
  readonly layerNormEps: number;
  /** Share of values dropped. 0 outside training. */
  readonly dropout: number;
  /** Seed of dropout: the same seed drops the same values. On the native engine, a tensor [2] of int32 whose second is 0. */
  readonly seed: number | tf.Tensor1D;
}

export function tfOps(weights: Weights, { layerNormEps, dropout, seed }: TfOpsOptions): Ops<tf.Tensor> {
  const onGpu = isWebGpu();
  const norm = onGpu ? webgpu.layerNorm : layerNorm;
  let site = 0; // counts the places with dropout, so that each drops other values
  const nextSeed = (): number => {
    site += 1;
    return (seed as number) * 1009 + site;
  };
  /** Dropout's factors. Null if dropout is off. */
  const dropped = (shape: number[]): tf.Tensor | null => {
    if (dropout === 0) return null;
    if (typeof seed === "number") return tf.tensor(dropoutMask(shape, dropout, nextSeed()), shape);
    site += 1;
    const numbers = uniform(shape, tf.add(seed, tf.tensor1d([0, site], "int32")));
    return tf.mul(tf.floor(tf.add(numbers, 1 - dropout)), 1 / (1 - dropout));
  };
  const weight = (name: string): tf.Tensor => {
    const tensor = weights.get(name);
    if (tensor === undefined) throw new RangeError(`the network needs the parameter ${name}, which the model lacks`);
    return tensor;
  };
  return {
    weight,
    linear(x, name, bias = true) {
      const w = weight(`${name}.weight`);
      const y = linear(tf.reshape(x, [-1, w.shape[1]!]), w, bias ? weight(`${name}.bias`) : null);
      return tf.reshape(y, [...x.shape.slice(0, -1), w.shape[0]!]);
    },
    layerNorm: (x, name, bias = true) =>
      norm(x, weight(`${name}.weight`), bias ? weight(`${name}.bias`) : null, layerNormEps),
    rmsNorm: (x, name) => {
      const inverse = tf.rsqrt(tf.add(tf.mean(tf.square(x), -1, true), layerNormEps));
      return tf.mul(tf.mul(x, inverse), weight(`${name}.weight`));
    },
    embedding: (indices, name) => embedding(weight(`${name}.weight`), tf.cast(indices, "int32")),
    fixedRows: (indices, rows) => {
      const table = tf.tensor2d(Float32Array.from(rows.flat()), [rows.length, rows[0]!.length]);
      return gatherRows(table, tf.cast(indices, "int32"));
    },
    pick,
    matmul(a, b, transposeB = false) {
      const [rows, other] = [a.shape[0]!, b.shape[0]!];
      const spread = other === 1 && rows !== 1 ? tf.tile(b, [rows, ...b.shape.slice(1).map(() => 1)]) : b;
      return batchedMatMul(a, spread, transposeB);
    },
    add: tf.add,
    mul: tf.mul,
    div: tf.div,
    scale: (x, factor) => tf.mul(x, factor),
    addScalar: (x, term) => tf.add(x, term),
    gelu: onGpu ? webgpu.gelu : gelu,
    relu: tf.relu,
    tanh: tf.tanh,
    sigmoid: tf.sigmoid,
    softmax: (x) => tf.softmax(x),
    sparsemax,
    attention(q, k, v, bias, relative) {
      if (!onGpu) return attention(q, k, v, bias, relative ?? null, dropped([...q.shape.slice(0, 3), k.shape[2]!]));
      return webgpu.attention(
        q,
        k,
        v,
        bias,
        relative ?? null,
        dropout === 0 ? null : { rate: dropout, seed: nextSeed() },
      );
    },
    dropout(x) {
      if (onGpu) return dropout === 0 ? x : webgpu.dropout(x, { rate: dropout, seed: nextSeed() });
      const factors = dropped(x.shape);
      return factors === null ? x : tf.mul(x, factors);
    },
    reshape: (x, shape) =>
      tf.reshape(
        x,
        shape.map((size, axis) => (size === 0 ? x.shape[axis]! : size)),
      ),
    transpose: (x, order) => tf.transpose(x, [...order]),
    concat: (parts, axis) => tf.concat([...parts], axis),
    stack: (parts, axis) => tf.stack([...parts], axis),
    at,
    sum: (x, axis) => tf.sum(x, axis),
    max: (x, axis) => tf.max(x, axis),
    clip: (x, low, high) => tf.clipByValue(x, low, high),
    equals: (x, value) => (onGpu ? webgpu.equals(x, value) : whereZero(tf.sub(x, value))),
    equal: (a, b) => whereZero(tf.sub(a, b)),
    cumsum: (x, exclusive) => tf.cumsum(x, x.rank - 1, exclusive),
    shift(x, axes, by) {
      const padding = x.shape.map((_, axis): [number, number] =>
        !axes.includes(axis) ? [0, 0] : by > 0 ? [0, by] : [-by, 0],
      );
      const begin = x.shape.map((_, axis) => (axes.includes(axis) && by > 0 ? by : 0));
      return tf.slice(tf.pad(x, padding), begin, x.shape);
    },
    // The end of the span is known only on the device, so nothing is cut.
    span: () => ({ cut: (x) => x, restore: (x) => x }),
  };
}

/** Looks values up by their index in the flattened x, as table rows of one number, so that `embedding` gives the gradient. */
function pick(x: tf.Tensor, indices: tf.Tensor): tf.Tensor {
  const [batch, heads, rows, width] = x.shape as [number, number, number, number];
  const starts = Int32Array.from({ length: batch * heads * rows }, (_, row) => row * width);
  const places = tf.add(
    tf.tensor4d(starts, [batch, heads, rows, 1], "int32"),
    tf.expandDims(tf.cast(indices, "int32"), 1),
  );
  return tf.reshape(embedding(tf.reshape(x, [-1, 1]), places), places.shape);
}

/** 1 where a whole number is 0, otherwise 0. Many times faster than a broadcast `tf.equal` on the WebAssembly engine. */
const whereZero = (x: tf.Tensor): tf.Tensor => tf.relu(tf.sub(1, tf.abs(x)));

/** Slices in two dimensions, because the WebAssembly engine copies slices of five dimensions number by number. */
function at(x: tf.Tensor, axis: number, index: number): tf.Tensor {
  const [before, after] = [x.shape.slice(0, axis), x.shape.slice(axis + 1)];
  const [rows, width] = [tf.util.sizeFromShape(before), tf.util.sizeFromShape(after)];
  const flat = tf.reshape(x, [rows, x.shape[axis]! * width]);
  return tf.reshape(tf.slice(flat, [0, index * width], [rows, width]), [...before, ...after]);
}

/**
 * Sparsemax (Martins and Astudillo 2016, proposition 1). Computes ranks and partial sums by comparison instead of sorting, because WebGPU's
 * values cannot be read synchronously, and the vector is short.
 */
function sparsemax(z: tf.Tensor): tf.Tensor {
  const op = tf.customGrad((...inputs) => {
    const [z, save] = inputs as unknown as [tf.Tensor, Save];
    const notLess = tf.cast(tf.greaterEqual(tf.expandDims(z, 0), tf.expandDims(z, 1)), "float32"); // [i, j]: z_j >= z_i
    const [rank, partial] = [tf.sum(notLess, 1), tf.sum(tf.mul(notLess, z), 1)];
    const support = tf.cast(tf.greater(tf.add(tf.mul(rank, z), 1), partial), "float32");
    const threshold = tf.div(tf.sub(tf.sum(tf.mul(support, z)), 1), tf.sum(support));
    const p = tf.relu(tf.sub(z, threshold));
    save([p]);
    return {
      value: p,
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const support = tf.cast(tf.greater(saved[0]!, 0), "float32");
        const mean = tf.div(tf.sum(tf.mul(dy, support)), tf.sum(support));
        return tf.mul(support, tf.sub(dy, mean));
      },
    };
  });
  return op(z);
}

function dropoutMask(shape: readonly number[], rate: number, seed: number): Float32Array {
  const mask = new Float32Array(tf.util.sizeFromShape([...shape]));
  const keep = 1 / (1 - rate);
  const limit = rate * 2 ** 32;
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0 || 1; // xorshift32 (Marsaglia 2003) must not start at 0
  for (let i = 0; i < mask.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    mask[i] = state >>> 0 < limit ? 0 : keep;
  }
  return mask;
}
