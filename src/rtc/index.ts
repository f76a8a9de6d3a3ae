/**
 * Round-trip correctness (RTC): a model describes code and writes it again from the description; RTC is how much of the code
 * comes back. Sources: Allamanis et al. 2024 (RTC, lift), Min et al. 2024 (chains), Sharma 2024 (Patched RTC). Works with any
 * `Similarity`.
 */

export { type EditingOptions, type EditingSummary, editingRtc } from "./editing/editing.ts";
export { type Edit, readEdits } from "./editing/edits.ts";
export type { SupervisedRow, SupervisedSummary } from "./editing/supervised.ts";
export {
  type IdentityOptions,
  type IdentityResult,
  identityChain,
} from "./identity/identity.ts";
export { type RecordedChains, readRecordedChains } from "./identity/recorded.ts";
export type { StepRow } from "./identity/rows.ts";
export type { IdentitySummary, SimilarityOfSteps, StepSummary } from "./identity/summary.ts";
export { type IdentityTask, type IdentityTasks, identityTasks } from "./identity/tasks.ts";
export type { Direction, Llm, LlmRequest, LlmUsage, Message, Price } from "./llm/llm.ts";
export { type Answer, type OpenAiOptions, openAiDefaults, openAiLlm, parseAnswer, turnsOf } from "./llm/openai.ts";
export { callDefaults, checkBaseUrl, type OpenAiCaller, OpenAiError, openAiCaller } from "./llm/openai-call.ts";
export { defaultPrompts } from "./llm/prompts.ts";
export { type RecordingRow, replayLlm } from "./llm/recording.ts";
export { type JudgeOptions, openJudge } from "./patched/judge.ts";
export { type OracleOptions, type OracleSplit, type OracleSummary, oracleDefaults } from "./patched/oracle.ts";
export {
  type PatchedOptions,
  type PatchedSummary,
  patchedRtc,
  patchedSampling,
  patchedThreshold,
} from "./patched/patched.ts";
export {
  consistencyPrompt,
  openPatchflow,
  type PatchflowName,
  type PatchflowOptions,
  patchflows,
} from "./patched/patchflow.ts";
export { type Query, readQueries } from "./patched/queries.ts";
export {
  type PatchedRequest,
  type PatchedRequestOptions,
  type PatchedResult,
  patchedResult,
  requestThreshold,
} from "./patched/request.ts";
export { modelCharts } from "./report/charts.ts";
export { comparisonReport } from "./report/comparison.ts";
export { type AnySummary, modelName, PROJECTS_FILE, readIds, readSummary } from "./report/finished.ts";
export { modelTables } from "./report/model-tables.ts";
export {
  compareModels,
  type ModelComparison,
  type ModelCorrelation,
  type ModelRow,
  type PassAt1,
} from "./report/models.ts";
export {
  isProjectsRun,
  namedRuns,
  projectChartFiles,
  projectsReport,
  projectTables,
  readProjects,
} from "./report/projects.ts";
export { chartsOf, rtcReport } from "./report/report.ts";
export type { ChainRow, ChainTable, ModelRun, PatchflowRow } from "./report/side-by-side.ts";
export { type JudgedRow, type PreparedRow, type ProjectCalls, projectCalls } from "./synthesis/calls.ts";
export { mutateLlm } from "./synthesis/mutated.ts";
export { type NotebookTaskOptions, notebookRtc } from "./synthesis/notebook.ts";
export { type ProjectSpans, type ProjectSpansOptions, projectSpans } from "./synthesis/project.ts";
export { type ProjectPass, projectPass } from "./synthesis/project-pass.ts";
export {
  type ProjectSummary,
  type ProjectTaskOptions,
  projectBehaviour,
  projectRtc,
} from "./synthesis/project-run.ts";
export {
  LEAST_SPANS,
  type ProjectEntry,
  type ProjectsSummary,
  readProjectList,
  summarizeProjects,
} from "./synthesis/projects.ts";
export { type SynthesisOptions, synthesisRtc } from "./synthesis/synthesis.ts";
export type { Agreement, Estimate, Sigma } from "./trip/arithmetic.ts";
export type { LengthRelation } from "./trip/lengths.ts";
export type { SampleRow } from "./trip/rows.ts";
export type { RoundTripsOptions, RoundTripsResult } from "./trip/run.ts";
export type { Failure } from "./trip/sample.ts";
export {
  openSimilarity,
  type SignedSimilarity,
  type SimilarityContext,
  similarityNames,
  similarityNeeds,
  yesNoThresholds,
} from "./trip/similarity.ts";
export type { RtcSummary, SimilaritySummary } from "./trip/summary.ts";
export { type SamplingOptions, samplingDefaults } from "./trip/trip.ts";
