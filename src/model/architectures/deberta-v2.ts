/** DeBERTa (He et al. 2021; version 3: He et al. 2023): BERT with disentangled attention to distances instead of a position table. */
import { bertShape, expectInteger, expectOneOf } from "./keys.ts";
import type { Architecture } from "./types.ts";

const LAYER = "encoder.layer.$1";

export const debertaV2: Architecture = {
  title: "DeBERTa",
  defaults: {
    pad_token_id: 0,
    layer_norm_eps: 1e-7,
    type_vocab_size: 0,
    relative_attention: false,
    position_biased_input: true,
    share_att_key: false,
    norm_rel_ebd: "none",
    pos_att_type: [],
    position_buckets: -1,
    max_relative_positions: -1,
    max_position_embeddings: 512,
  },
  shape(config, path) {
    expectOneOf(config, "relative_attention", [true], path);
    expectOneOf(config, "position_biased_input", [false], path);
    expectOneOf(config, "share_att_key", [true], path);
    expectOneOf(config, "norm_rel_ebd", ["layer_norm"], path);
    const kinds = config.pos_att_type;
    const both = typeof kinds === "string" ? kinds.split("|") : kinds;
    expectOneOf(
      { pos_att_type: Array.isArray(both) ? [...both].sort() : both },
      "pos_att_type",
      [["c2p", "p2c"]],
      path,
    );
    expectOneOf(config, "conv_kernel_size", [0], path);
    expectOneOf(config, "embedding_size", [config.hidden_size], path);
    const given = Number(config.max_relative_positions);
    const maxDistance = given >= 1 ? given : (config.max_position_embeddings as number);
    const buckets =
      Number(config.position_buckets) > 0 ? expectInteger(config, "position_buckets", 4, 4096, path) : maxDistance;
    const shape = bertShape(config, path);
    return {
      ...shape,
      firstPosition: null,
      tokenTypes: (config.type_vocab_size as number) > 0,
      // The logits have three terms, and each is scaled by 1 / sqrt(3).
      queryScale: shape.queryScale / Math.sqrt(3),
      relative: { kind: "disentangled", buckets, maxDistance },
    };
  },
  names: [
    [/^encoder\.rel_embeddings/, "encoder.relative"],
    [/^encoder\.LayerNorm/, "encoder.relative.LayerNorm"],
    [/^encoder\.layer\.(\d+)\.attention\.self\.(query|key|value)_proj/, `${LAYER}.attention.self.$2`],
  ],
};
