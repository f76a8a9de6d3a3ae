/** NomicBERT (Nussbaum et al. 2024): BERT with rotary positions and a gated SiLU, without biases in its linear layers. */
import { bertShape, expectOneOf, expectPositive } from "./keys.ts";
import type { Architecture, RawConfig } from "./types.ts";

const LAYER = "encoder.layer.$1";

export const nomicBert: Architecture = {
  title: "NomicBERT",
  defaults: {
    type_vocab_size: 2,
    pad_token_id: 0,
    layer_norm_eps: 1e-12,
    hidden_act: "silu",
    max_position_embeddings: 2048,
    rotary_emb_base: 1000,
  },
  // Names that its original code used before transformers included it.
  keys: {
    hidden_size: ["n_embd"],
    num_hidden_layers: ["n_layer"],
    num_attention_heads: ["n_head"],
    intermediate_size: ["n_inner"],
    layer_norm_eps: ["layer_norm_epsilon"],
    max_position_embeddings: ["n_positions"],
  },
  shape(config, path) {
    for (const key of ["prenorm", "use_rms_norm", "qkv_proj_bias", "mlp_fc1_bias", "mlp_fc2_bias"]) {
      expectOneOf(config, key, [false], path);
    }
    expectOneOf(config, "rotary_emb_fraction", [1], path);
    expectOneOf(config, "rotary_emb_interleaved", [false], path);
    expectOneOf(config, "activation_function", ["swiglu"], path);
    const { rope_parameters: given } = config as { readonly rope_parameters?: RawConfig };
    if (given) expectOneOf(given, "rope_type", ["default"], path);
    const theta = given ? expectPositive(given, "rope_theta", path) : expectPositive(config, "rotary_emb_base", path);
    return {
      ...bertShape(config, path),
      firstPosition: null,
      attentionBias: false,
      feedForwardBias: false,
      gated: true,
      rotary: () => theta,
    };
  },
  names: [
    [/^emb_ln/, "embeddings.LayerNorm"],
    [/^encoder\.layers\.(\d+)\.attn\.Wqkv/, ["query", "key", "value"].map((kind) => `${LAYER}.attention.self.${kind}`)],
    [/^encoder\.layers\.(\d+)\.attn\.out_proj/, `${LAYER}.attention.output.dense`],
    [/^encoder\.layers\.(\d+)\.norm1/, `${LAYER}.attention.output.LayerNorm`],
    [/^encoder\.layers\.(\d+)\.mlp\.fc12/, `${LAYER}.intermediate.dense`],
    [/^encoder\.layers\.(\d+)\.mlp\.fc11/, `${LAYER}.intermediate.gate`],
    [/^encoder\.layers\.(\d+)\.mlp\.fc2/, `${LAYER}.output.dense`],
    [/^encoder\.layers\.(\d+)\.norm2/, `${LAYER}.output.LayerNorm`],
  ],
};
