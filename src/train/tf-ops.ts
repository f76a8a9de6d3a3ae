/** The network's operations in TensorFlow.js, with the gradients that its own composition makes slow or lacks. */
import * as tf from "@tensorflow/tfjs";
import { type Ops, sparsemaxOf } from "../model/index.ts";
import { batchedMatMul, multiplyByRows, type Save } from "./matmul.ts";

type Weights = ReadonlyMap<string, tf.Tensor>;

export interface TfOpsOptions {
  readonly layerNormEps: number;
  /** Share of values dropped; 0 outside of training. */
  readonly dropout: number;
  /** Seeds the dropout masks: the same seed drops the same values. */
  readonly seed: number;
}

export function tfOps(weights: Weights, { layerNormEps, dropout, seed }: TfOpsOptions): Ops<tf.Tensor> {
  let site = 0; // dropout masks differ from place to place
  const weight = (name: string): tf.Tensor => {
    const tensor = weights.get(name);
    if (tensor === undefined) throw new RangeError(`the network asks for the parameter ${name}, which the model lacks`);
    return tensor;
  };
  return {
    weight,
    linear(x, name) {
      const w = weight(`${name}.weight`);
      const flat = tf.reshape(x, [-1, w.shape[1]!]);
      const y = tf.add(multiplyByRows(flat as tf.Tensor2D, w as tf.Tensor2D), weight(`${name}.bias`));
      return tf.reshape(y, [...x.shape.slice(0, -1), w.shape[0]!]);
    },
    layerNorm: (x, name) => layerNorm(x, weight(`${name}.weight`), weight(`${name}.bias`), layerNormEps),
    embedding: (indices, name) => embedding(weight(`${name}.weight`), tf.cast(indices, "int32")),
    matmul: (a, b, transposeB = false) => batchedMatMul(a, b, transposeB),
    add: tf.add,
    mul: tf.mul,
    div: tf.div,
    scale: (x, factor) => tf.mul(x, factor),
    addScalar: (x, term) => tf.add(x, term),
    gelu,
    tanh: tf.tanh,
    sigmoid: tf.sigmoid,
    softmax: (x) => tf.softmax(x),
    sparsemax,
    dropout(x) {
      if (dropout === 0) return x;
      site += 1;
      return tf.mul(x, tf.tensor(dropoutMask(x.size, dropout, seed * 1009 + site), x.shape));
    },
    reshape: (x, shape) =>
      tf.reshape(
        x,
        shape.map((size, axis) => (size === 0 ? x.shape[axis]! : size)),
      ),
    transpose: (x, order) => tf.transpose(x, [...order]),
    concat: (parts, axis) => tf.concat([...parts], axis),
    stack: (parts, axis) => tf.stack([...parts], axis),
    at: (x, axis, index) => tf.squeeze(tf.slice(x, ...indexed(x.shape, axis, index)), [axis]),
    sum: (x, axis) => tf.sum(x, axis),
    max: (x, axis) => tf.max(x, axis),
    equals: (x, value) => whereZero(tf.sub(x, value)),
    equal: (a, b) => whereZero(tf.sub(a, b)),
    cumsum: (x, exclusive) => tf.cumsum(x, x.rank - 1, exclusive),
    shift(x, axes, by) {
      const padding = x.shape.map((_, axis): [number, number] =>
        !axes.includes(axis) ? [0, 0] : by > 0 ? [0, by] : [-by, 0],
      );
      const begin = x.shape.map((_, axis) => (axes.includes(axis) && by > 0 ? by : 0));
      return tf.slice(tf.pad(x, padding), begin, x.shape);
    },
  };
}

/** 1 where a whole number is 0, else 0; many times faster than a broadcast `tf.equal` on the WebAssembly engine. */
const whereZero = (x: tf.Tensor): tf.Tensor => tf.relu(tf.sub(1, tf.abs(x)));

function indexed(shape: readonly number[], axis: number, index: number): [number[], number[]] {
  return [shape.map((_, a) => (a === axis ? index : 0)), shape.map((size, a) => (a === axis ? 1 : size))];
}

/** One pass each way instead of the eleven operations that its composition and their gradients take. */
function layerNorm(x: tf.Tensor, gamma: tf.Tensor, beta: tf.Tensor, eps: number): tf.Tensor {
  const op = tf.customGrad((...inputs) => {
    const [x, gamma, beta, save] = inputs as unknown as [tf.Tensor, tf.Tensor, tf.Tensor, Save];
    const centred = tf.sub(x, tf.mean(x, -1, true));
    const inverse = tf.rsqrt(tf.add(tf.mean(tf.square(centred), -1, true), eps));
    const normal = tf.mul(centred, inverse);
    save([normal, inverse, gamma]);
    return {
      value: tf.add(tf.mul(normal, gamma), beta),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const [normal, inverse, gamma] = saved as [tf.Tensor, tf.Tensor, tf.Tensor];
        const flat = (t: tf.Tensor): tf.Tensor => tf.reshape(t, [-1, gamma.size]);
        const g = tf.mul(dy, gamma);
        const mean = tf.mean(g, -1, true);
        const along = tf.mean(tf.mul(g, normal), -1, true);
        const dx = tf.mul(inverse, tf.sub(tf.sub(g, mean), tf.mul(normal, along)));
        return [dx, tf.sum(flat(tf.mul(dy, normal)), 0), tf.sum(flat(dy), 0)];
      },
    };
  });
  return op(x, gamma, beta);
}

/** The exact GELU (Hendrycks and Gimpel 2016), x Phi(x). */
function gelu(x: tf.Tensor): tf.Tensor {
  const op = tf.customGrad((...inputs) => {
    const [x, save] = inputs as unknown as [tf.Tensor, Save];
    const phi = tf.mul(tf.add(tf.erf(tf.mul(x, Math.SQRT1_2)), 1), 0.5);
    save([x, phi]);
    return {
      value: tf.mul(x, phi),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const [x, phi] = saved as [tf.Tensor, tf.Tensor];
        const density = tf.mul(tf.exp(tf.mul(tf.square(x), -0.5)), 1 / Math.sqrt(2 * Math.PI));
        return tf.mul(dy, tf.add(phi, tf.mul(x, density)));
      },
    };
  });
  return op(x);
}

/** Table rows; the gradient scatters, since the WebAssembly engine has no segment sum. */
function embedding(table: tf.Tensor, indices: tf.Tensor): tf.Tensor {
  const op = tf.customGrad((...inputs) => {
    const [table, save] = inputs as unknown as [tf.Tensor, Save];
    save([indices]);
    return {
      value: tf.gather(table, indices as tf.Tensor1D),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const rows = tf.reshape(saved[0]!, [-1, 1]);
        return tf.scatterND(rows, tf.reshape(dy, [-1, table.shape[1]!]), table.shape as [number, number]);
      },
    };
  });
  return op(table);
}

/** Martins and Astudillo 2016, algorithm 1; on a short vector, so on the host. */
function sparsemax(z: tf.Tensor): tf.Tensor {
  const op = tf.customGrad((...inputs) => {
    const [z, save] = inputs as unknown as [tf.Tensor, Save];
    const p = tf.tensor1d(sparsemaxOf(z.dataSync() as Float32Array));
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

function dropoutMask(size: number, rate: number, seed: number): Float32Array {
  const mask = new Float32Array(size);
  const keep = 1 / (1 - rate);
  const limit = rate * 2 ** 32;
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0 || 1; // xorshift32 (Marsaglia 2003) must not start at 0
  for (let i = 0; i < size; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    mask[i] = state >>> 0 < limit ? 0 : keep;
  }
  return mask;
}
