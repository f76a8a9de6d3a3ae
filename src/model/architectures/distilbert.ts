/** DistilBERT (Sanh et al. 2019): BERT without token types. */
import { bertShape } from "./keys.ts";
import type { Architecture } from "./types.ts";

const LAYER = "encoder.layer.$1";

export const distilbert: Architecture = {
  title: "DistilBERT",
  defaults: { pad_token_id: 0, layer_norm_eps: 1e-12, max_position_embeddings: 512 },
  keys: {
    hidden_size: ["dim"],
    num_hidden_layers: ["n_layers"],
    num_attention_heads: ["n_heads"],
    intermediate_size: ["hidden_dim"],
    hidden_act: ["activation"],
    hidden_dropout_prob: ["dropout"],
  },
  shape: (config, path) => ({ ...bertShape(config, path), tokenTypes: false }),
  names: [
    [/^transformer\.layer\.(\d+)\.attention\.q_lin/, `${LAYER}.attention.self.query`],
    [/^transformer\.layer\.(\d+)\.attention\.k_lin/, `${LAYER}.attention.self.key`],
    [/^transformer\.layer\.(\d+)\.attention\.v_lin/, `${LAYER}.attention.self.value`],
    [/^transformer\.layer\.(\d+)\.attention\.out_lin/, `${LAYER}.attention.output.dense`],
    [/^transformer\.layer\.(\d+)\.sa_layer_norm/, `${LAYER}.attention.output.LayerNorm`],
    [/^transformer\.layer\.(\d+)\.ffn\.lin1/, `${LAYER}.intermediate.dense`],
    [/^transformer\.layer\.(\d+)\.ffn\.lin2/, `${LAYER}.output.dense`],
    [/^transformer\.layer\.(\d+)\.output_layer_norm/, `${LAYER}.output.LayerNorm`],
  ],
};
