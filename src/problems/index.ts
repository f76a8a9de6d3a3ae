/** Readers of problem and sample files. formats.ts and samples.ts list the supported formats. */
export { DATASETS, type Fetched, type FetchOptions, fetchDataset } from "./fetch.ts";
export { countingLeftOut, type LeaveOut, type LeftOut, originalTests } from "./fields.ts";
export { printProblem } from "./generic.ts";
export { type MbppSplit, mbppSplitOf, mbppSplits } from "./mbpp-splits.ts";
export {
  type NotebookOptions,
  type NotebookProblem,
  readNotebooks,
  type SplitFields,
  splitFields,
} from "./notebook/index.ts";
export { type ReadOptions, readProblems, streamProblems } from "./problems.ts";
export { type Row, rowOfFields, rowOfText } from "./rows.ts";
export {
  assembleProgram,
  type NameSample,
  readSampleRows,
  readSamples,
  type SampleRow,
  sampleReader,
} from "./samples.ts";
export { type Change, loadSanitizer, type Sanitize, type Sanitized, sanitizeRows } from "./sanitize.ts";
export { problemOfRow, sourceFiles } from "./sources.ts";
