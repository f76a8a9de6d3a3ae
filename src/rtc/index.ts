/**
 * Round-trip correctness: describe code, write it again from the description, and see how much of it came back.
 * Sources: Allamanis et al. 2024 (RTC, lift). Takes any `Similarity` and does not know which.
 */
export type { Agreement, Estimate, Sigma } from "./arithmetic.ts";
export { type EditingOptions, editingRtc } from "./editing.ts";
export { type Edit, readEdits } from "./edits.ts";
export { type AnySummary, modelName, readSummary } from "./finished.ts";
export {
  type IdentityOptions,
  type IdentityResult,
  identityChain,
} from "./identity.ts";
export { type RecordedChains, readRecordedChains } from "./identity-recorded.ts";
export type { StepRow } from "./identity-rows.ts";
export type { IdentitySummary, SimilarityOfSteps, StepSummary } from "./identity-summary.ts";
export { type IdentityTask, type IdentityTasks, identityTasks } from "./identity-tasks.ts";
export { type JudgeOptions, openJudge } from "./judge.ts";
export type { Direction, Llm, LlmRequest, LlmUsage, Message, Price } from "./llm.ts";
export {
  compareModels,
  type ModelComparison,
  type ModelCorrelation,
  type ModelRow,
  type ModelRun,
  type PassAt1,
} from "./models.ts";
export { mutateLlm } from "./mutated.ts";
export { type Answer, type OpenAiOptions, openAiDefaults, openAiLlm, parseAnswer, turnsOf } from "./openai.ts";
export { callDefaults, checkBaseUrl, type OpenAiCaller, OpenAiError, openAiCaller } from "./openai-call.ts";
export { type OracleOptions, type OracleSplit, type OracleSummary, oracleDefaults } from "./oracle.ts";
export { type PatchedOptions, type PatchedSummary, patchedRtc, patchedSampling, patchedThreshold } from "./patched.ts";
export {
  type PatchedRequest,
  type PatchedRequestOptions,
  type PatchedVerdict,
  patchedVerdict,
  requestThreshold,
} from "./patched-request.ts";
export {
  consistencyPrompt,
  openPatchflow,
  type PatchflowName,
  type PatchflowOptions,
  patchflows,
} from "./patchflow.ts";
export { type ProjectSpans, type ProjectSpansOptions, projectSpans } from "./project.ts";
export {
  type ProjectPass,
  type ProjectSummary,
  type ProjectTaskOptions,
  projectPass,
  projectRtc,
} from "./project-run.ts";
export { defaultPrompts } from "./prompts.ts";
export { type Query, readQueries } from "./queries.ts";
export { type RecordingRow, replayLlm } from "./recording.ts";
export { rtcReport } from "./report.ts";
export type { SampleRow } from "./rows.ts";
export type { RoundTripsOptions, RoundTripsResult } from "./run.ts";
export type { Failure } from "./sample.ts";
export {
  openSimilarity,
  type SignedSimilarity,
  type SimilarityContext,
  similarityNames,
  similarityNeeds,
  yesNoThresholds,
} from "./similarity.ts";
export type { RtcSummary, SimilaritySummary } from "./summary.ts";
export { type SynthesisOptions, synthesisRtc } from "./synthesis.ts";
export { modelTables } from "./tables.ts";
export { type SamplingOptions, samplingDefaults } from "./trip.ts";
