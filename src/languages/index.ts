/** Programming languages by the names that people and data sets use, and detection of the language of a text. */
export { detectLanguage } from "./detect.ts";
export { answeredCode, candidatesIn, codeBlocks } from "./fences.ts";
export { isProse, loadProgramReader, NOTES, type ProgramReader, READS, type ReadProgram } from "./program.ts";
export { foreignFile, foreignNamed, type Language } from "./registry.ts";
