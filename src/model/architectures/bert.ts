/** BERT (Devlin et al. 2019). Our layout and parameter names are BERT's. MiniLM, BGE, E5 and GTE are BERTs. */
import { bertShape, expectOneOf } from "./keys.ts";
import type { Architecture } from "./types.ts";

export const bert: Architecture = {
  title: "BERT",
  // The first and last token of a sequence are defined only by its tokenizer.
  defaults: { type_vocab_size: 2, pad_token_id: 0, layer_norm_eps: 1e-12 },
  shape(config, path) {
    expectOneOf(config, "position_embedding_type", ["absolute"], path);
    return bertShape(config, path);
  },
};
