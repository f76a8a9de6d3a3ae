/** Readers of problem and sample files; see formats.ts and samples.ts for what is understood. */
export { DATASETS, type Fetched, type FetchOptions, fetchDataset } from "./fetch.ts";
export { countingLeftOut, type LeaveOut, type LeftOut, originalTests } from "./fields.ts";
export { printProblem } from "./generic.ts";
export { type ReadOptions, readProblems, streamProblems } from "./problems.ts";
export { assembleProgram, readSampleRows, readSamples, type SampleRow } from "./samples.ts";
export { type Change, loadSanitizer, type Sanitize, type Sanitized, sanitizeRows } from "./sanitize.ts";
export { sourceFiles } from "./sources.ts";
