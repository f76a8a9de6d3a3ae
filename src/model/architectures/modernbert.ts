/** ModernBERT (Warner et al. 2024): pre-norm, rotary positions, gated GELU. Most layers attend only to nearby tokens, the others to all. */
import { CodescoreError } from "../../errors.ts";
import { bertShape, expectInteger, expectOneOf, expectPositive } from "./keys.ts";
import type { Architecture, RawConfig } from "./types.ts";

const LAYER = "encoder.layer.$1";
const [ALL, NEAR] = ["full_attention", "sliding_attention"] as const;

export const modernbert: Architecture = {
  title: "ModernBERT",
  defaults: {
    pad_token_id: 50283,
    layer_norm_eps: 1e-5,
    norm_bias: false,
    attention_bias: false,
    mlp_bias: false,
    global_attn_every_n_layers: 3,
    local_attention: 128,
    global_rope_theta: 160_000,
    local_rope_theta: 10_000,
  },
  keys: {
    hidden_act: ["hidden_activation"],
    layer_norm_eps: ["norm_eps"],
    bos_token_id: ["cls_token_id"],
    eos_token_id: ["sep_token_id"],
  },
  shape(config, path) {
    const every = expectInteger(config, "global_attn_every_n_layers", 1, 1024, path);
    const near = Math.floor(expectInteger(config, "local_attention", 2, 2 ** 20, path) / 2);
    const types = (config.layer_types ?? null) as readonly unknown[] | null;
    const isNear = (layer: number): boolean => (types === null ? layer % every !== 0 : types[layer] === NEAR);
    const wrong = types?.find((type) => type !== ALL && type !== NEAR);
    if (wrong !== undefined || (types !== null && types.length !== config.num_hidden_layers)) {
      const wanted = `a list of ${ALL} and ${NEAR} for each of the ${config.num_hidden_layers} layers`;
      throw new CodescoreError("model", `${path}: expected \`layer_types\` to be ${wanted}, got ${wrong ?? types}`);
    }
    const [forAll, forNear] = [thetaOf(config, ALL, path), thetaOf(config, NEAR, path)];
    return {
      ...bertShape(config, path),
      firstPosition: null,
      tokenTypes: false,
      norm: expectOneOf(config, "norm_bias", [false, true], path) ? "layer" : "layer without bias",
      normFirst: true,
      firstAttentionNorm: false,
      attentionBias: expectOneOf(config, "attention_bias", [false, true], path),
      feedForwardBias: expectOneOf(config, "mlp_bias", [false, true], path),
      gated: true,
      rotary: (layer) => (isNear(layer) ? forNear : forAll),
      window: (layer) => (isNear(layer) ? near : null),
    };
  },
  words: "embeddings.tok_embeddings.weight",
  names: [
    [/^embeddings\.tok_embeddings/, "embeddings.word_embeddings"],
    [/^embeddings\.norm/, "embeddings.LayerNorm"],
    [/^final_norm/, "encoder.final.LayerNorm"],
    [/^layers\.(\d+)\.attn_norm/, `${LAYER}.attention.output.LayerNorm`],
    [/^layers\.(\d+)\.attn\.Wqkv/, ["query", "key", "value"].map((kind) => `${LAYER}.attention.self.${kind}`)],
    [/^layers\.(\d+)\.attn\.Wo/, `${LAYER}.attention.output.dense`],
    [/^layers\.(\d+)\.mlp_norm/, `${LAYER}.output.LayerNorm`],
    [/^layers\.(\d+)\.mlp\.Wi/, [`${LAYER}.intermediate.dense`, `${LAYER}.intermediate.gate`]],
    [/^layers\.(\d+)\.mlp\.Wo/, `${LAYER}.output.dense`],
  ],
};

/** Base of the rotary angles: from the key that transformers 5 writes, otherwise from the older key. */
function thetaOf(config: RawConfig, type: typeof ALL | typeof NEAR, path: string): number {
  const of = (config.rope_parameters as Record<string, RawConfig> | undefined)?.[type];
  if (of === undefined) return expectPositive(config, type === ALL ? "global_rope_theta" : "local_rope_theta", path);
  expectOneOf(of, "rope_type", ["default"], path);
  return expectPositive(of, "rope_theta", path);
}
