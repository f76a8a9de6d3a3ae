/** BERT (Devlin et al. 2019), whose layout and names of parameters ours are; MiniLM, BGE, E5 and GTE are BERTs. */
import { bertShape, expectOneOf } from "./keys.ts";
import type { Architecture } from "./types.ts";

export const bert: Architecture = {
  title: "BERT",
  // Which tokens begin and end a sequence, its tokenizer alone knows.
  defaults: { type_vocab_size: 2, pad_token_id: 0, layer_norm_eps: 1e-12 },
  shape(config, path) {
    expectOneOf(config, "position_embedding_type", ["absolute"], path);
    return bertShape(config, path);
  },
};
