/**
 * Matrix products, shaped to what an engine is fast at. The WebAssembly engine hands plain two-dimensional products to
 * XNNPACK (measured 20 to 30 GFLOP/s on one core) and does transposed or batched ones in a naive loop (2 GFLOP/s): there,
 * transposes are made explicit and batches taken apart. Other engines get the product as it is.
 */
import * as tf from "@tensorflow/tfjs";

/** How `customGrad` hands tensors to the gradient. */
export type Save = (tensors: tf.Tensor[]) => void;

/** x [N, in] times w [out, in] transposed -> [N, out]. */
export function multiplyByRows(x: tf.Tensor2D, w: tf.Tensor2D): tf.Tensor2D {
  if (tf.getBackend() !== "wasm") return tf.matMul(x, w, false, true);
  const op = tf.customGrad((...inputs) => {
    const [x, w, save] = inputs as unknown as [tf.Tensor2D, tf.Tensor2D, Save];
    save([x, w]);
    return {
      value: tf.matMul(x, tf.transpose(w)),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const [x, w] = saved as [tf.Tensor2D, tf.Tensor2D];
        return [tf.matMul(dy as tf.Tensor2D, w), tf.matMul(tf.transpose(dy as tf.Tensor2D), x)];
      },
    };
  });
  return op(x, w) as tf.Tensor2D;
}

/** a [..., M, K] times b [..., K, N] (or [..., N, K] transposed), equal leading dimensions -> [..., M, N]. */
export function batchedMatMul(a: tf.Tensor, b: tf.Tensor, transposeB: boolean): tf.Tensor {
  if (tf.getBackend() !== "wasm") return tf.matMul(a, b, false, transposeB);
  const op = tf.customGrad((...inputs) => {
    const [a, b, save] = inputs as unknown as [tf.Tensor, tf.Tensor, Save];
    save([a, b]);
    return {
      value: perSlice([a, b], ([x, y]) => tf.matMul(x!, transposeB ? tf.transpose(y!) : y!)),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const [a, b] = saved as [tf.Tensor, tf.Tensor];
        return [
          perSlice([dy, b], ([g, y]) => tf.matMul(g!, transposeB ? y! : tf.transpose(y!))),
          perSlice([dy, a], ([g, x]) =>
            transposeB ? tf.matMul(tf.transpose(g!), x!) : tf.matMul(tf.transpose(x!), g!),
          ),
        ];
      },
    };
  });
  return op(a, b);
}

/** Applies a function of matrices to each of the batch's and stacks the results. */
function perSlice(tensors: readonly tf.Tensor[], apply: (matrices: tf.Tensor2D[]) => tf.Tensor2D): tf.Tensor {
  const leading = tensors[0]!.shape.slice(0, -2);
  const count = leading.reduce((x, y) => x * y, 1);
  const flat = tensors.map((tensor) => {
    const [rows, columns] = tensor.shape.slice(-2) as [number, number];
    const cut = tf.reshape(tensor, [count, rows, columns]) as tf.Tensor3D;
    return (i: number): tf.Tensor2D => tf.reshape(tf.slice3d(cut, [i, 0, 0], [1, rows, columns]), [rows, columns]);
  });
  return tf.tidy(() => {
    const results: tf.Tensor2D[] = [];
    for (let i = 0; i < count; i++) {
      results.push(tf.tidy(() => apply(flat.map((matrix) => matrix(i)))));
    }
    const joined = tf.concat(results, 0);
    return tf.reshape(joined, [...leading, ...results[0]!.shape]);
  });
}
