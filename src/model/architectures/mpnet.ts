/** MPNet (Song et al. 2020): RoBERTa's positions, and an attention bias by distance. */
import { bertShape, expectInteger } from "./keys.ts";
import type { Architecture } from "./types.ts";

const LAYER = "encoder.layer.$1";

/** Not in the config file: `relative_position_bucket` of transformers' modeling_mpnet.py. */
const MAX_DISTANCE = 128;

export const mpnet: Architecture = {
  title: "MPNet",
  defaults: {
    bos_token_id: 0,
    pad_token_id: 1,
    eos_token_id: 2,
    layer_norm_eps: 1e-12,
    relative_attention_num_buckets: 32,
  },
  shape: (config, path) => ({
    ...bertShape(config, path),
    firstPosition: 2, // regardless of the padding token's id
    tokenTypes: false,
    relative: {
      kind: "bias",
      buckets: expectInteger(config, "relative_attention_num_buckets", 4, 1024, path),
      maxDistance: MAX_DISTANCE,
    },
  }),
  names: [
    [/^encoder\.relative_attention_bias/, "encoder.relative"],
    [/^encoder\.layer\.(\d+)\.attention\.attn\.q/, `${LAYER}.attention.self.query`],
    [/^encoder\.layer\.(\d+)\.attention\.attn\.k/, `${LAYER}.attention.self.key`],
    [/^encoder\.layer\.(\d+)\.attention\.attn\.v/, `${LAYER}.attention.self.value`],
    [/^encoder\.layer\.(\d+)\.attention\.attn\.o/, `${LAYER}.attention.output.dense`],
    [/^encoder\.layer\.(\d+)\.attention\.LayerNorm/, `${LAYER}.attention.output.LayerNorm`],
  ],
};
