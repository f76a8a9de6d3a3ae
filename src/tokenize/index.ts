export { type Batch, batchByLength, padRows } from "./batch.ts";
export { type Encoded, type EncodeOptions, type Encoder, formatOf, makeEncoder, shareBudget } from "./encode.ts";
export { NORMALISE, type Normalise, normaliser } from "./read.ts";
export { loadTokenizer, Tokenizer, type TokenizerFile } from "./tokenizer.ts";
export { SPECIAL_TOKENS, type TrainBpeOptions, trainBpe } from "./train-bpe.ts";
export { tokenizerFromVocabulary } from "./vocabulary.ts";
