/**
 * Round-trip correctness: describe code, write it again from the description, and see how much of it came back.
 * Sources: Allamanis et al. 2024 (RTC, lift). Takes any `Similarity` and does not know which.
 */
export type { Agreement, Estimate } from "./arithmetic.ts";
export type { Direction, Llm, LlmRequest, LlmUsage, Message } from "./llm.ts";
export { type OpenAiOptions, openAiDefaults, openAiLlm } from "./openai.ts";
export { defaultPrompts } from "./prompts.ts";
export { type RecordingRow, replayLlm } from "./recording.ts";
export type { RoundTripsOptions, RoundTripsResult, SampleRow } from "./run.ts";
export type { Failure } from "./sample.ts";
export {
  openSimilarity,
  type SignedSimilarity,
  type SimilarityContext,
  similarityNames,
  yesNoThresholds,
} from "./similarity.ts";
export type { RtcSummary, SimilaritySummary } from "./summary.ts";
export { type SynthesisOptions, synthesisRtc } from "./synthesis.ts";
export { type SamplingOptions, samplingDefaults } from "./trip.ts";
