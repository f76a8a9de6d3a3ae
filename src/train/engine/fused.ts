/**
 * Layer norm, GELU, attention and table lookup with custom gradients. They need fewer passes over memory than TensorFlow.js's compositions,
 * and save only the values that the backward pass needs. The gradients run in `tf.tidy`, because TensorFlow.js would otherwise keep their
 * intermediate values until the end of the whole backward pass.
 */
import * as tf from "@tensorflow/tfjs";
import { batched, type Save } from "./matmul.ts";
import { gatherRows } from "./native.ts";
import { sumRows, sumRowsByIndex } from "./sums.ts";

/** Layer norm in one pass each way, instead of eleven operations and their gradients. `beta` may be null. */
export function layerNorm(x: tf.Tensor, gamma: tf.Tensor, beta: tf.Tensor | null, eps: number): tf.Tensor {
  const op = tf.customGrad((...inputs) => {
    const save = inputs.at(-1) as unknown as Save;
    const [x, gamma, beta] = inputs.slice(0, -1) as [tf.Tensor, tf.Tensor, tf.Tensor | undefined];
    const centred = tf.sub(x, tf.mean(x, -1, true));
    const inverse = tf.rsqrt(tf.add(tf.mean(tf.square(centred), -1, true), eps));
    const normal = tf.mul(centred, inverse);
    save([normal, inverse, gamma]);
    const scaled = tf.mul(normal, gamma);
    return {
      value: beta === undefined ? scaled : tf.add(scaled, beta),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) =>
        tf.tidy(() => {
          const [normal, inverse, gamma] = saved as [tf.Tensor, tf.Tensor, tf.Tensor];
          const total = (t: tf.Tensor): tf.Tensor => sumRows(tf.reshape(t, [-1, gamma.size]));
          const g = tf.mul(dy, gamma);
          const mean = tf.mean(g, -1, true);
          const along = tf.mean(tf.mul(g, normal), -1, true);
          const dx = tf.mul(inverse, tf.sub(tf.sub(g, mean), tf.mul(normal, along)));
          const gradients = [dx, total(tf.mul(dy, normal))];
          return beta === undefined ? gradients : [...gradients, total(dy)];
        }),
    };
  });
  return beta === null ? op(x, gamma) : op(x, gamma, beta);
}

/** The exact GELU (Hendrycks and Gimpel 2016), x Phi(x). */
export function gelu(x: tf.Tensor): tf.Tensor {
  const op = tf.customGrad((...inputs) => {
    const [x, save] = inputs as unknown as [tf.Tensor, Save];
    const phi = tf.add(tf.mul(tf.erf(tf.mul(x, Math.SQRT1_2)), 0.5), 0.5);
    save([x, phi]);
    return {
      value: tf.mul(x, phi),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) =>
        tf.tidy(() => {
          const [x, phi] = saved as [tf.Tensor, tf.Tensor];
          // x times the normal density, with the density's factor moved inside the exponential
          const density = tf.exp(tf.sub(-0.5 * Math.log(2 * Math.PI), tf.mul(tf.square(x), 0.5)));
          return tf.mul(dy, tf.add(phi, tf.mul(x, density)));
        }),
    };
  });
  return op(x);
}

/**
 * softmax(q k^T + bias + relative) v, head by head (Vaswani et al. 2017, equation 1): q (already scaled), k, v [B, A, T, W], bias [B, 1, 1,
 * T], relative [B, A or 1, T, T] or null, and `dropped`, dropout's factors on the weights [B, A, T, T], or null. -> [B, A, T, W]
 * The softmax's gradient needs the row sums of P dP, which equal those of O dO (Dao et al. 2022, appendix B.2).
 */
export function attention(
  q: tf.Tensor,
  k: tf.Tensor,
  v: tf.Tensor,
  bias: tf.Tensor,
  relative: tf.Tensor | null,
  dropped: tf.Tensor | null,
): tf.Tensor {
  const op = tf.customGrad((...inputs) => {
    const save = inputs.at(-1) as unknown as Save;
    const [q, k, v, relative] = inputs.slice(0, -1) as [tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor | undefined];
    const biased = tf.add(batched(q, k, false, true), bias);
    const weights = tf.softmax(relative === undefined ? biased : tf.add(biased, relative));
    const kept = dropped === null ? weights : tf.mul(weights, dropped);
    const output = batched(kept, v);
    save([q, k, v, weights, output, ...(dropped === null ? [] : [kept, dropped])]);
    return {
      value: output,
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) =>
        tf.tidy(() => {
          const [q, k, v, weights, output] = saved as [tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor];
          const [kept, dropped] = saved.slice(5);
          const product = batched(dy, v, false, true);
          const dWeights = dropped === undefined ? product : tf.mul(product, dropped);
          const along = tf.sum(tf.mul(dy, output), -1, true);
          const dLogits = tf.mul(weights, tf.sub(dWeights, along));
          const gradients = [batched(dLogits, k), batched(dLogits, q, true), batched(kept ?? weights, dy, true)];
          if (relative === undefined) return gradients;
          return [...gradients, relative.shape[1] === 1 ? tf.sum(dLogits, 1, true) : dLogits];
        }),
    };
  });
  return relative === null ? op(q, k, v) : op(q, k, v, relative);
}

/** Table rows. */
export function embedding(table: tf.Tensor, indices: tf.Tensor): tf.Tensor {
  const op = tf.customGrad((...inputs) => {
    const [table, save] = inputs as unknown as [tf.Tensor, Save];
    save([indices]);
    return {
      value: gatherRows(table, indices),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const [rows, width] = table.shape as [number, number];
        return sumRowsByIndex(tf.reshape(dy, [-1, width]), tf.reshape(saved[0]!, [-1]), rows);
      },
    };
  });
  return op(table);
}
