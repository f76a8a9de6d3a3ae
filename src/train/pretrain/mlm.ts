/** The masked language model: RoBERTa's head on the encoder (Liu et al. 2019, with Hugging Face's names) and its loss. */
import * as tf from "@tensorflow/tfjs";
import { encode, type ModelConfig, type ParameterSpec } from "../../model/index.ts";
import { embedding } from "../engine/fused.ts";
import { linear, type Save } from "../engine/matmul.ts";
import { gatherRows } from "../engine/native.ts";
import { type TfOpsOptions, tfOps } from "../engine/tf-ops.ts";
import type { InputTensors } from "../step.ts";

/** Name prefix of the head's parameters. The decoder's weights are the word embeddings. */
export const MLM_HEAD = "lm_head";

/** The parameters of the head, for `initialise`. The decoder's weights are not among them. */
export function mlmHeadSpecs({ hidden_size: h, vocab_size, initializer_range: range }: ModelConfig): ParameterSpec[] {
  return [
    { name: `${MLM_HEAD}.dense.weight`, shape: [h, h], init: range },
    { name: `${MLM_HEAD}.dense.bias`, shape: [h], init: 0 },
    { name: `${MLM_HEAD}.layer_norm.weight`, shape: [h], init: "ones" },
    { name: `${MLM_HEAD}.layer_norm.bias`, shape: [h], init: 0 },
    { name: `${MLM_HEAD}.bias`, shape: [vocab_size], init: 0 },
  ];
}

export interface MlmInput extends InputTensors {
  /** Indices into B x T of the N tokens to predict. */
  readonly positions: tf.Tensor1D;
}

/** Logits over the vocabulary, [N, V], only at the tokens to predict, because others do not enter the loss. */
export function mlmLogits(
  parameters: ReadonlyMap<string, tf.Tensor>,
  config: ModelConfig,
  { ids, mask, positions }: MlmInput,
  options: Omit<TfOpsOptions, "layerNormEps">,
): tf.Tensor2D {
  const ops = tfOps(parameters, { layerNormEps: config.layer_norm_eps, ...options });
  const states = encode(ops, config, { ids, mask }).at(-1)!; // [B, T, H]
  const chosen = embedding(tf.reshape(states, [-1, config.hidden_size]), positions); // [N, H]
  const features = ops.layerNorm(ops.gelu(ops.linear(chosen, `${MLM_HEAD}.dense`)), `${MLM_HEAD}.layer_norm`);
  const words = ops.weight("embeddings.word_embeddings.weight");
  return linear(features, words, ops.weight(`${MLM_HEAD}.bias`)) as tf.Tensor2D;
}

/**
 * Cross-entropy in nats of logits [N, V] against the original tokens [N] (int32), summed with weights [N]. A custom operation, because a
 * one-hot matrix would be as large as the logits, and that of the WebAssembly engine holds no floats (seen in tfjs-backend-wasm 4.22).
 */
export function mlmLoss(logits: tf.Tensor2D, targets: tf.Tensor1D, weights: tf.Tensor1D): tf.Scalar {
  const [count, words] = logits.shape;
  const op = tf.customGrad((...inputs) => {
    const [logits, save] = inputs as unknown as [tf.Tensor2D, Save];
    const places = tf.add(tf.range(0, count * words, words, "int32"), targets); // indices into the flattened logits
    save([logits, places, weights]);
    const chosen = tf.reshape(gatherRows(tf.reshape(logits, [-1, 1]), places), [count]);
    return {
      value: tf.sum(tf.mul(weights, tf.sub(tf.logSumExp(logits, -1), chosen))),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const [logits, places, weights] = saved as [tf.Tensor2D, tf.Tensor1D, tf.Tensor1D];
        const there = tf.scatterND(tf.reshape(places, [-1, 1]), tf.ones([count]), [count * words]);
        const each = tf.reshape(tf.mul(weights, dy), [count, 1]);
        return tf.mul(tf.sub(tf.softmax(logits), tf.reshape(there, [count, words])), each);
      },
    };
  });
  return op(logits) as tf.Scalar;
}
