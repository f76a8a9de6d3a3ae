/**
 * Sanitizing: the program in an LLM's answer, without prose, tests and what its entry point does not need. No sample is
 * lost: what cannot be mended stays as it came and is counted. Nothing is executed, and nothing is repaired inside of a
 * statement. See extract.ts and prune.ts for how, and for how EvalPlus does it.
 */
import { candidatesIn } from "../languages/index.ts";
import { field, loadParser, type Node, type Parse, parts } from "../languages/python/syntax/walk.ts";
import type { Problem, Sample } from "../types.ts";
import { parses, parsingPart } from "./extract.ts";
import { readProblems } from "./problems.ts";
import { missingFrom, prune } from "./prune.ts";
import { readSampleRows } from "./samples.ts";

/** What became of a sample. */
export type Change =
  | "unchanged" // already what the entry point needs
  | "pruned" // it parsed; tests, prints and unused code are gone
  | "extracted" // taken out of fences or prose, whole
  | "cut" // parts that do not parse are gone, as a truncated tail
  | "unmended" // no part that defines the entry point parses: passed through
  | "unknown"; // no problem has its task: passed through

export interface Sanitized {
  readonly change: Change;
  /** The whole program (for `unmended` and `unknown` as assembled from the sample). */
  readonly program: string;
}

export type Sanitize = (sample: Sample, problem: Problem) => Sanitized;

/** Throws `CodescoreError("environment")` where the grammar cannot be loaded. */
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

/** The program as far as it is needed; null when it does not define the entry point, or is nothing. */
function needed(parse: Parse, code: string, entry: string | null): string | null {
  if (entry !== null) return prune(parse, code, entry);
  const statements = parts(parse(code).root);
  // Prose often parses: a word is an expression. A program that reads and writes has to do something.
  return statements.some(({ type, children }) => type !== "expression_statement" || children[0]?.type === "call")
    ? code
    : null;
}

/** True when cutting has left of the entry point no more than its docstring. */
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

/** The texts that may hold the program. A completion's answer may be a whole program or continue the prompt. */
function* sources(sample: Sample, problem: Problem): Generator<string> {
  const texts = candidatesIn(sample.text).map(dedented);
  if (sample.kind === "program") {
    yield* texts;
    return;
  }
  for (const part of texts) {
    yield part;
    yield problem.prompt + part;
    // The body's first line, or all of it, may have lost its indentation on the way.
    yield problem.prompt + indented(part.split("\n")[0] ?? "") + part.slice((part.split("\n")[0] ?? "").length);
    yield problem.prompt + part.split("\n").map(indented).join("\n");
  }
  yield problem.prompt + sample.text;
}

const indented = (line: string): string => (line.trim() === "" ? line : `    ${line}`);

/** Without the indentation that all lines share, as blocks in lists have it. */
function dedented(code: string): string {
  const lines = code.split("\n");
  const margins = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const margin = margins.length === 0 ? 0 : Math.min(...margins);
  return margin === 0 ? code : lines.map((line) => line.slice(margin)).join("\n");
}

/** An answer to a prompt that repeats the function relies on the prompt's imports and helpers: those it lacks join it. */
function withImports(parse: Parse, code: string, sample: Sample, problem: Problem): string {
  if (sample.kind !== "completion" || code.startsWith(problem.prompt)) return code;
  return missingFrom(parse, code, problem.prompt) + code;
}

/**
 * The rows of sample files with sanitized programs in `solution`, in order and one for one; other fields stay. Rows that
 * are passed through stay as they are. `counts` is filled as rows are drawn.
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
