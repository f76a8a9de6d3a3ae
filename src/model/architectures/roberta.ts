/** RoBERTa (Liu et al. 2019). CodeBERT, GraphCodeBERT and UniXcoder also use it. */
import { bertShape, expectOneOf } from "./keys.ts";
import type { Architecture } from "./types.ts";

export const roberta: Architecture = {
  title: "RoBERTa",
  defaults: { type_vocab_size: 1, bos_token_id: 0, pad_token_id: 1, eos_token_id: 2, layer_norm_eps: 1e-5 },
  shape(config, path) {
    expectOneOf(config, "position_embedding_type", ["absolute"], path);
    // Positions begin after the row of the padding token.
    return { ...bertShape(config, path), firstPosition: (config.pad_token_id as number) + 1 };
  },
};
