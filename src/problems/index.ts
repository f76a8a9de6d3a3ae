/** Readers of problem and sample files; see formats.ts and samples.ts for what is understood. */
export { printProblem } from "./generic.ts";
export { sourceFiles } from "./paths.ts";
export { readProblems, streamProblems } from "./problems.ts";
export { assembleProgram, readSamples } from "./samples.ts";
