export { type Batch, batchByLength, padRows } from "./batch.ts";
export { type Encoded, type EncodeOptions, type Encoder, formatOf, makeEncoder, shareBudget } from "./encode.ts";
export { addTokens, trimVocabulary } from "./extend.ts";
export { makeReader, NORMALISE, type Normalise, normaliser } from "./read.ts";
export { symbolTokens } from "./symbols.ts";
export { loadTokenizer, readTokenizer, Tokenizer, type TokenizerFile, tokenizerOf } from "./tokenizer.ts";
export { SPECIAL_TOKENS, type TrainBpeOptions, trainBpe } from "./train-bpe.ts";
export { tokenizerFromVocabulary } from "./vocabulary.ts";
