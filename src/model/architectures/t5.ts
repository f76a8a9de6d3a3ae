/** The encoder of T5 (Raffel et al. 2020) and CodeT5: pre-norm with RMS norm, an attention bias by distance, no bias terms in linear layers. */
import { activationOf, bertShape, expectInteger } from "./keys.ts";
import type { Architecture } from "./types.ts";

const LAYER = "encoder.layer.$1";
const BLOCK = "^encoder\\.block\\.(\\d+)\\.layer";

export const t5: Architecture = {
  title: "T5",
  defaults: {
    pad_token_id: 0,
    layer_norm_eps: 1e-6,
    d_kv: 64,
    feed_forward_proj: "relu",
    relative_attention_num_buckets: 32,
    relative_attention_max_distance: 128,
    max_position_embeddings: 8192, // it has no position table, and no limit
  },
  keys: {
    hidden_size: ["d_model"],
    num_hidden_layers: ["num_layers"],
    num_attention_heads: ["num_heads"],
    intermediate_size: ["d_ff"],
    layer_norm_eps: ["layer_norm_epsilon"],
    hidden_dropout_prob: ["dropout_rate"],
  },
  shape(config, path) {
    const proj = String(config.feed_forward_proj);
    const gated = proj.startsWith("gated-");
    // In transformers, `gated-gelu` means the tanh approximation of GELU.
    const name = proj === "gated-gelu" ? "gelu_new" : proj.replace(/^gated-/, "");
    return {
      ...bertShape({ ...config, num_attention_heads: 1 }, path),
      firstPosition: null,
      tokenTypes: false,
      embeddingNorm: false,
      norm: "rms",
      normFirst: true,
      headWidth: expectInteger(config, "d_kv", 1, 2 ** 14, path),
      queryScale: 1,
      attentionBias: false,
      feedForwardBias: false,
      activation: activationOf(name, "feed_forward_proj", path),
      gated,
      relative: {
        kind: "bias",
        buckets: expectInteger(config, "relative_attention_num_buckets", 4, 1024, path),
        maxDistance: expectInteger(config, "relative_attention_max_distance", 2, 2 ** 14, path),
      },
    };
  },
  words: "shared.weight",
  names: [
    [/^shared/, "embeddings.word_embeddings"],
    [/^encoder\.final_layer_norm/, "encoder.final.LayerNorm"],
    [new RegExp(`${BLOCK}\\.0\\.SelfAttention\\.relative_attention_bias`), "encoder.relative"],
    [new RegExp(`${BLOCK}\\.0\\.SelfAttention\\.q`), `${LAYER}.attention.self.query`],
    [new RegExp(`${BLOCK}\\.0\\.SelfAttention\\.k`), `${LAYER}.attention.self.key`],
    [new RegExp(`${BLOCK}\\.0\\.SelfAttention\\.v`), `${LAYER}.attention.self.value`],
    [new RegExp(`${BLOCK}\\.0\\.SelfAttention\\.o`), `${LAYER}.attention.output.dense`],
    [new RegExp(`${BLOCK}\\.0\\.layer_norm`), `${LAYER}.attention.output.LayerNorm`],
    [new RegExp(`${BLOCK}\\.1\\.DenseReluDense\\.(?:wi|wi_0)\\.`), `${LAYER}.intermediate.dense.`],
    [new RegExp(`${BLOCK}\\.1\\.DenseReluDense\\.wi_1`), `${LAYER}.intermediate.gate`],
    [new RegExp(`${BLOCK}\\.1\\.DenseReluDense\\.wo`), `${LAYER}.output.dense`],
    [new RegExp(`${BLOCK}\\.1\\.layer_norm`), `${LAYER}.output.LayerNorm`],
  ],
};
