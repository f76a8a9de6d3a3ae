/** Programming languages by the names that people and data sets give them, and which of them a text is written in. */
export { detectLanguage } from "./detect.ts";
export { answeredCode, candidatesIn, codeBlocks } from "./fences.ts";
export { isProse, loadProgramReader, NOTES, type ProgramReader, READS, type ReadProgram } from "./program.ts";
export { foreignFile, foreignNamed, type Language } from "./registry.ts";
