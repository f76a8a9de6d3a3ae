/**
 * Matrix products in the forms that each engine computes fast. The WebAssembly engine passes plain two-dimensional products to XNNPACK
 * (measured 20 to 30 GFLOP/s on one core), and computes transposed or batched ones in a naive loop (2 GFLOP/s). So there, transposes are
 * made explicit and batches are split. The native engine has a plain product besides the batched one.
 */
import * as tf from "@tensorflow/tfjs";
import { addBias, isNative, matMul2d } from "./native.ts";
import { sumRows } from "./sums.ts";
import { isWebGpu } from "./webgpu/shader.ts";

/** The function by which a `customGrad` operation saves tensors for its gradient. */
export type Save = (tensors: tf.Tensor[]) => void;

/** x [n, in] times w [out, in] transposed, plus b [out] if given -> [n, out]. */
export function linear(x: tf.Tensor, w: tf.Tensor, b: tf.Tensor | null): tf.Tensor {
  const op = tf.customGrad((...inputs) => {
    const save = inputs.at(-1) as unknown as Save;
    const [x, w, b] = (inputs.length === 3 ? [...inputs.slice(0, 2), null] : inputs) as [
      tf.Tensor,
      tf.Tensor,
      tf.Tensor | null,
    ];
    save([x, w]);
    return {
      value: b === null ? plain(x, w, false, true) : biased(x, w, b),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const [x, w] = saved as [tf.Tensor, tf.Tensor];
        const gradients = [plain(dy, w, false, false), transposedProduct(dy, x)];
        return b === null ? gradients : [...gradients, sumRows(dy)];
      },
    };
  });
  return b === null ? op(x, w) : op(x, w, b);
}

/** x w^T + b, without a custom gradient. */
function biased(x: tf.Tensor, w: tf.Tensor, b: tf.Tensor): tf.Tensor {
  if (isNative()) return addBias(plain(x, w, false, true), b);
  if (!isWebGpu()) return tf.add(plain(x, w, false, true), b);
  return tf.tidy(() => tf.fused.matMul({ a: x as tf.Tensor2D, b: tf.transpose(w) as tf.Tensor2D, bias: b }));
}

/** Into how many products WebGPU cuts a product over many rows. One product of few outputs would leave most of a GPU idle. */
const PIECES = 8;

/** a^T b: a [n, out], b [n, in] -> [out, in], without a custom gradient. */
function transposedProduct(a: tf.Tensor, b: tf.Tensor): tf.Tensor {
  const n = a.shape[0]!;
  const pieces = isWebGpu() ? [...Array(PIECES).keys()].map((k) => PIECES - k).find((k) => n % k === 0)! : 1;
  if (pieces === 1 || n < 1024) return plain(a, b, true, false);
  return tf.tidy(() => {
    const cut = (x: tf.Tensor): tf.Tensor => tf.reshape(x, [pieces, n / pieces, -1]);
    const products = tf.matMul(cut(a), cut(b), true, false);
    const [, rows, columns] = products.shape as [number, number, number];
    return tf.reshape(sumRows(tf.reshape(products, [pieces, rows * columns])), [rows, columns]);
  });
}

/** A product of two matrices, without a custom gradient. */
function plain(a: tf.Tensor, b: tf.Tensor, transposeA: boolean, transposeB: boolean): tf.Tensor {
  if (isNative()) return matMul2d(a, b, transposeA, transposeB);
  // On WebGPU a product with an explicit transpose is almost twice as fast.
  if (isWebGpu() && transposeB) return tf.matMul(a, tf.transpose(b), transposeA);
  if (tf.getBackend() !== "wasm") return tf.matMul(a, b, transposeA, transposeB);
  return tf.matMul(transposeA ? tf.transpose(a) : a, transposeB ? tf.transpose(b) : b);
}

/** Products of the matrices of two batches with equal leading dimensions, without a custom gradient. */
export function batched(a: tf.Tensor, b: tf.Tensor, transposeA = false, transposeB = false): tf.Tensor {
  if (tf.getBackend() !== "wasm") return tf.matMul(a, b, transposeA, transposeB);
  return perSlice([a, b], ([x, y]) => plain(x!, y!, transposeA, transposeB));
}

/** a [..., M, K] times b [..., K, N] (or [..., N, K] transposed), equal leading dimensions -> [..., M, N]. */
export function batchedMatMul(a: tf.Tensor, b: tf.Tensor, transposeB: boolean): tf.Tensor {
  if (tf.getBackend() !== "wasm") return tf.matMul(a, b, false, transposeB);
  const op = tf.customGrad((...inputs) => {
    const [a, b, save] = inputs as unknown as [tf.Tensor, tf.Tensor, Save];
    save([a, b]);
    return {
      value: batched(a, b, false, transposeB),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const [a, b] = saved as [tf.Tensor, tf.Tensor];
        return [batched(dy, b, false, !transposeB), transposeB ? batched(dy, a, true) : batched(a, dy, true)];
      },
    };
  });
  return op(a, b);
}

/** Applies a function of matrices to each matrix of the batch and stacks the results. */
function perSlice(tensors: readonly tf.Tensor[], apply: (matrices: tf.Tensor2D[]) => tf.Tensor): tf.Tensor {
  const leading = tensors[0]!.shape.slice(0, -2);
  const count = leading.reduce((x, y) => x * y, 1);
  const flat = tensors.map((tensor) => {
    const [rows, columns] = tensor.shape.slice(-2) as [number, number];
    const cut = tf.reshape(tensor, [count, rows, columns]) as tf.Tensor3D;
    return (i: number): tf.Tensor2D => tf.reshape(tf.slice3d(cut, [i, 0, 0], [1, rows, columns]), [rows, columns]);
  });
  return tf.tidy(() => {
    const results: tf.Tensor[] = [];
    for (let i = 0; i < count; i++) {
      results.push(tf.tidy(() => apply(flat.map((matrix) => matrix(i)))));
    }
    const joined = tf.concat(results, 0);
    return tf.reshape(joined, [...leading, ...results[0]!.shape]);
  });
}
