/**
 * Sanitizing: extracts the program from an LLM's answer, without prose, tests and code that its entry point does not need. No
 * sample is lost: one that cannot be repaired stays unchanged and is counted. Executes nothing, and repairs nothing inside a
 * statement. See extract.ts and prune.ts for the method and for how EvalPlus does it.
 */
import { candidatesIn } from "../languages/index.ts";
import { field, loadParser, type Node, type Parse, parts } from "../languages/python/syntax/walk.ts";
import type { Problem, Sample } from "../types.ts";
import { parses, parsingPart } from "./extract.ts";
import { readProblems } from "./problems.ts";
import { missingFrom, prune } from "./prune.ts";
import { readSampleRows } from "./samples.ts";

/** What sanitizing did to a sample. */
export type Change =
  | "unchanged" // already just what the entry point needs
  | "pruned" // it parsed; tests, prints and unused code were removed
  | "extracted" // taken whole from fences or prose
  | "cut" // parts that do not parse were removed, for example a truncated tail
  | "unmended" // no part that defines the entry point parses: passed through
  | "unknown"; // no problem has its task id: passed through

export interface Sanitized {
  readonly change: Change;
  /** The whole program (for `unmended` and `unknown` as assembled from the sample). */
  readonly program: string;
}

export type Sanitize = (sample: Sample, problem: Problem) => Sanitized;

/** Throws `CodescoreError("environment")` if the grammar cannot be loaded. */
export async function loadSanitizer(): Promise<Sanitize> {
  const parse = await loadParser();
  return (sample, problem) => sanitizeSample(parse, sample, problem);
}

function sanitizeSample(parse: Parse, sample: Sample, problem: Problem): Sanitized {
  const entry = problem.entryPoint?.split(/[.(]/)[0] ?? null;
  const assembled = sample.kind === "completion" ? problem.prompt + sample.text : sample.text;
  if (parses(parse, assembled)) {
    const program = needed(parse, assembled, entry);
    if (program !== null) return { change: program === assembled ? "unchanged" : "pruned", program };
  }
  for (const whole of [true, false]) {
    for (const code of sources(sample, problem)) {
      const parsing = whole ? (parses(parse, code) ? code : null) : parsingPart(parse, code);
      const program = parsing === null ? null : needed(parse, withImports(parse, parsing, sample, problem), entry);
      if (program === null || (!whole && isEmpty(parse, program, entry))) continue;
      return { change: whole ? "extracted" : "cut", program };
    }
  }
  return { change: "unmended", program: assembled };
}

/** The part of the program that is needed; null if it does not define the entry point or does nothing. */
function needed(parse: Parse, code: string, entry: string | null): string | null {
  if (entry !== null) return prune(parse, code, entry);
  const statements = parts(parse(code).root);
  // Prose often parses, because a word is an expression. Without an entry point a call or another statement is required.
  return statements.some(({ type, children }) => type !== "expression_statement" || children[0]?.type === "call")
    ? code
    : null;
}

/** Whether cutting left only the docstring of the entry point. */
function isEmpty(parse: Parse, code: string, entry: string | null): boolean {
  const bodies = parse(code).nodes.flatMap((node) => {
    const name = field(node, "name");
    if (node.type !== "function_definition" || name === undefined) return [];
    return code.slice(name.start, name.end) === entry ? (node.children.find(({ type }) => type === "block") ?? []) : [];
  });
  return bodies.length > 0 && bodies.every((body) => body.children.every(isDocstring));
}

const isDocstring = (node: Node): boolean =>
  node.type === "comment" || (node.type === "expression_statement" && node.children[0]?.type === "string");

/** Texts that may hold the program. The answer to a completion may be a whole program or continue the prompt. */
function* sources(sample: Sample, problem: Problem): Generator<string> {
  const texts = candidatesIn(sample.text).map(dedented);
  if (sample.kind === "program") {
    yield* texts;
    return;
  }
  for (const part of texts) {
    yield part;
    yield problem.prompt + part;
    // The first line of the body, or all of it, may have lost its indentation.
    yield problem.prompt + indented(part.split("\n")[0] ?? "") + part.slice((part.split("\n")[0] ?? "").length);
    yield problem.prompt + part.split("\n").map(indented).join("\n");
  }
  yield problem.prompt + sample.text;
}

const indented = (line: string): string => (line.trim() === "" ? line : `    ${line}`);

/** Removes the indentation that all lines share, as in code blocks inside lists. */
function dedented(code: string): string {
  const lines = code.split("\n");
  const margins = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const margin = margins.length === 0 ? 0 : Math.min(...margins);
  return margin === 0 ? code : lines.map((line) => line.slice(margin)).join("\n");
}

/** Adds the prompt's imports and helpers that an answer lacks. An answer that repeats the prompt's function relies on them. */
function withImports(parse: Parse, code: string, sample: Sample, problem: Problem): string {
  if (sample.kind !== "completion" || code.startsWith(problem.prompt)) return code;
  return missingFrom(parse, code, problem.prompt) + code;
}

/**
 * The rows of sample files with sanitized programs in `solution`, one per input row, in order. Other fields stay. Rows that are
 * passed through stay unchanged. `counts` is updated as rows are read.
 */
export async function* sanitizeRows(
  samples: readonly string[],
  problems: readonly string[],
  counts: Record<Change, number>,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const known = await readProblems(problems);
  const sanitize = await loadSanitizer();
  for await (const { sample, fields } of readSampleRows(samples, known)) {
    const problem = known.get(sample.taskId);
    const { change, program } =
      problem === undefined ? ({ change: "unknown", program: "" } as const) : sanitize(sample, problem);
    counts[change] += 1;
    if (change === "unknown" || change === "unmended") {
      yield fields;
      continue;
    }
    const {
      completion: _completion,
      generation: _generation,
      code: _code,
      generated_code: _generated,
      solution: _solution,
      ...rest
    } = fields;
    yield { ...rest, solution: program };
  }
}
