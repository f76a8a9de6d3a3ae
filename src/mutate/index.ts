/**
 * Makes candidates from references; never runs code. Mutants with graded damage and rewrites that keep the meaning
 * (`makeCandidates`), solutions of other problems and other references (`crossCandidates`), and all of them as rows of a
 * sample file (`makeSamples`). Uses tree-sitter.
 */
export { type CrossCandidate, crossCandidates, seedFor } from "./cross.ts";
export { type MadeCandidate, type MakeOptions, makeCandidates } from "./make.ts";
export { type NormalFunction, normalForms } from "./normal.ts";
export { keywordsOf, type MadeSample, makeSamples, type SampleOptions, sampleDefaults } from "./samples.ts";
export {
  HARMLESS_KINDS,
  harmlessVariants,
  MUTANT_KINDS,
  oneOperatorMutants,
  oneOperatorRewrites,
  type Variant,
  type VariantOptions,
} from "./variants.ts";
