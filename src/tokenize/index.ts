export { missingAttributes } from "./answers/attributes.ts";
export { type Answers, type AnswersOf, answersOf } from "./answers/index.ts";
export { type Batch, batchByLength, padRows } from "./batch.ts";
export {
  type Form,
  type Forms,
  loadCanonical,
  loadForms,
  placedTerms,
  type ReadForms,
  type Term,
} from "./canonical/index.ts";
export { forEach, unlessTooDeep } from "./canonical/terms.ts";
export { conflictsOf } from "./conflicts/index.ts";
export type { Conflict, Level } from "./conflicts/state.ts";
export { type Wanted, wantedBy } from "./conflicts/wanted.ts";
export { type Encoded, type EncodeOptions, type Encoder, formatOf, makeEncoder, shareBudget } from "./encode.ts";
export { lex } from "./lexemes.ts";
export { MARK_VALUES, MARKS, type Mark, staticMarks } from "./marks.ts";
export { NORMALISE, type Normalise, normaliser } from "./read.ts";
export { missingModules, type StaticFaults, staticFaults } from "./static.ts";
export { stripPython } from "./strip.ts";
export { loadTokenizer, Tokenizer, type TokenizerFile } from "./tokenizer.ts";
export { SPECIAL_TOKENS, type TrainBpeOptions, trainBpe } from "./train-bpe.ts";
export { isRenamed, variableNames } from "./variables.ts";
export { tokenizerFromVocabulary } from "./vocabulary.ts";
