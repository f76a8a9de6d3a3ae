/** Operations of training on WebGPU, and their gradients, as shaders. The same as in ../fused.ts, with fewer operations. */
import * as tf from "@tensorflow/tfjs";
import { shade } from "./shader.ts";
import {
  ADAM_MEAN,
  ADAM_MOVE,
  ADAM_SQUARE,
  DROPOUT,
  EQUALS,
  GELU,
  GELU_GRADIENT,
  MOMENTS,
  NORM,
  NORM_COLUMNS,
  NORM_GRADIENT,
  NORM_WITHOUT_BETA,
  SOFTMAX,
  SOFTMAX_GRADIENT,
} from "./shaders.ts";
import { chunksOf, sumRows } from "./sums.ts";

/** The function by which a `customGrad` operation saves tensors for its gradient. */
type Save = (tensors: tf.Tensor[]) => void;

/** Share of values dropped, and the seed that determines which. */
export interface Dropout {
  readonly rate: number;
  readonly seed: number;
}

/** Layer norm of x [..., width]. `beta` may be null. */
export function layerNorm(x: tf.Tensor, gamma: tf.Tensor, beta: tf.Tensor | null, eps: number): tf.Tensor {
  const width = gamma.size;
  const rows = x.size / width;
  const op = tf.customGrad((...inputs) => {
    const save = inputs.at(-1) as unknown as Save;
    const [x, gamma, beta] = inputs.slice(0, -1) as [tf.Tensor, tf.Tensor, tf.Tensor | undefined];
    const moments = shade(MOMENTS, [x], [rows, 2], { rows, width, eps });
    save([x, moments, gamma]);
    return {
      value:
        beta === undefined
          ? shade(NORM_WITHOUT_BETA, [x, moments, gamma], x.shape, { width })
          : shade(NORM, [x, moments, gamma, beta], x.shape, { width }),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) =>
        tf.tidy(() => {
          const [x, moments, gamma] = saved as [tf.Tensor, tf.Tensor, tf.Tensor];
          const dx = shade(NORM_GRADIENT, [x, moments, gamma, dy], x.shape, { rows, width });
          const chunks = chunksOf(rows, width);
          const parts = shade(NORM_COLUMNS, [x, moments, dy], [chunks, width], { rows, width, chunks });
          const gradients = [dx, sumRows(parts)];
          return beta === undefined ? gradients : [...gradients, sumRows(tf.reshape(dy, [rows, width]))];
        }),
    };
  });
  return beta === null ? op(x, gamma) : op(x, gamma, beta);
}

/** The exact GELU. */
export function gelu(x: tf.Tensor): tf.Tensor {
  const op = tf.customGrad((...inputs) => {
    const [x, save] = inputs as unknown as [tf.Tensor, Save];
    save([x]);
    return {
      value: shade(GELU, [x], x.shape),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => shade(GELU_GRADIENT, [saved[0]!, dy], dy.shape),
    };
  });
  return op(x);
}

/** Drops values of x. The factors are computed again for the gradient, not stored. */
export function dropout(x: tf.Tensor, dropped: Dropout): tf.Tensor {
  const values = factors(dropped);
  const op = tf.customGrad((...inputs) => {
    const [x] = inputs as unknown as [tf.Tensor];
    return {
      value: shade(DROPOUT, [x], x.shape, values),
      gradFunc: (dy: tf.Tensor) => shade(DROPOUT, [dy], dy.shape, values),
    };
  });
  return op(x);
}

/** `attention` of ../fused.ts: shapes and equations are there. */
export function attention(
  q: tf.Tensor,
  k: tf.Tensor,
  v: tf.Tensor,
  bias: tf.Tensor,
  relative: tf.Tensor | null,
  dropped: Dropout | null,
): tf.Tensor {
  const [batch, heads, queries] = q.shape as [number, number, number];
  const width = k.shape[2]!;
  const size = { rows: batch * heads * queries, width };
  const values = factors(dropped ?? { rate: 0, seed: 0 });
  const op = tf.customGrad((...inputs) => {
    const save = inputs.at(-1) as unknown as Save;
    const [q, k, v, relative] = inputs.slice(0, -1) as [tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor | undefined];
    const products = tf.matMul(q, k, false, true);
    const logits = relative === undefined ? products : tf.add(products, relative);
    const weights = shade(SOFTMAX, [logits, bias], logits.shape, { ...size, each: heads * queries });
    const kept = dropped === null ? weights : shade(DROPOUT, [weights], weights.shape, values);
    save([q, k, v, weights, ...(dropped === null ? [] : [kept])]);
    return {
      value: tf.matMul(kept, v),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) =>
        tf.tidy(() => {
          const [q, k, v, weights, kept] = saved as [tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor | undefined];
          const dKept = tf.matMul(dy, v, false, true);
          const dLogits = shade(SOFTMAX_GRADIENT, [weights, dKept], weights.shape, { ...size, ...values });
          const gradients = [tf.matMul(dLogits, k), tf.matMul(dLogits, q, true), tf.matMul(kept ?? weights, dy, true)];
          if (relative === undefined) return gradients;
          return [...gradients, relative.shape[1] === 1 ? tf.sum(dLogits, 1, true) : dLogits];
        }),
    };
  });
  return relative === null ? op(q, k, v) : op(q, k, v, relative);
}

/** 1 where x is a number, otherwise 0. */
export const equals = (x: tf.Tensor, number: number): tf.Tensor => shade(EQUALS, [x], x.shape, { number });

/** The next moments and parameter of AdamW, from its factors (see ../../adamw.ts). */
export function adamOnGpu(
  { gradient, parameter, m, v }: Readonly<Record<"gradient" | "parameter" | "m" | "v", tf.Tensor>>,
  [decay, first, second, root, rate]: readonly number[],
  { beta1, beta2, eps }: Readonly<Record<"beta1" | "beta2" | "eps", number>>,
): tf.NamedTensorMap {
  const nextM = shade(ADAM_MEAN, [m, gradient], m.shape, { beta: beta1, share: first! });
  const nextV = shade(ADAM_SQUARE, [v, gradient], v.shape, { beta: beta2, share: second! });
  const factors = { decay: decay!, rate: rate!, root: root!, eps };
  return { m: nextM, v: nextV, parameter: shade(ADAM_MOVE, [parameter, nextM, nextV], parameter.shape, factors) };
}

function factors({ rate, seed }: Dropout): { key: number; limit: number; kept: number } {
  return { key: mixed(seed), limit: rate * 2 ** 32, kept: 1 / (1 - rate) };
}

/** The hash of the shader, so that similar seeds give very different keys. */
function mixed(seed: number): number {
  let x = seed | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}
