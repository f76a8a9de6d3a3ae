/**
 * Candidates that are whole programs by others: solutions of other problems with the entry point renamed, and the
 * problem's own references.
 */

import type { Problem } from "../types.ts";
import { sha256 } from "../util/files.ts";
import { Random } from "../util/random.ts";
import { applyChange, replace } from "./edits.ts";
import { isVariable } from "./names.ts";
import { field, loadParser, ofType, type Parse, type Program, parts, textOf } from "./syntax.ts";

export interface CrossCandidate {
  readonly problemId: string;
  readonly code: string;
  /** `reference`, or `other-problem:ID`. */
  readonly madeBy: string;
}

/** A reference with the numbers of positional arguments that it takes; null for programs that read stdin. */
interface Solution {
  readonly problem: Problem;
  readonly program: Program;
  readonly arity: { readonly least: number; readonly most: number } | null;
}

/**
 * For each problem, in order: all its references, then up to `count` solutions of other problems that take as many
 * arguments (or read stdin, as it does). The same for the same problems and seed.
 */
export async function crossCandidates(
  problems: readonly Problem[],
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<CrossCandidate[]> {
  const parse = await loadParser();
  const solutions = problems.flatMap((problem) =>
    problem.references.slice(0, 1).flatMap((code) => read(problem, code, parse)),
  );
  const byProblem = new Map(solutions.map((solution) => [solution.problem.id, solution]));
  return problems.flatMap((problem) => {
    const problemId = problem.id;
    const own = problem.references.map((code) => ({ problemId, code, madeBy: "reference" }));
    const target = byProblem.get(problemId);
    const rng = new Random(seedFor(problemId, seed));
    return target ? [...own, ...others(target, solutions, count, rng)] : own;
  });
}

/** A seed of its own for each problem, so that its candidates do not depend on the problems beside it. */
export const seedFor = (problemId: string, seed: number): number =>
  Number.parseInt(sha256(`${seed}\n${problemId}`).slice(0, 8), 16) | 0;

function read(problem: Problem, code: string, parse: Parse): Solution[] {
  const program = parse(code);
  if (program.broken) return [];
  if (problem.entryPoint === null) return [{ problem, program, arity: null }];
  const arity = arityOf(program, problem.entryPoint);
  return arity ? [{ problem, program, arity }] : [];
}

function arityOf(program: Program, entryPoint: string): { least: number; most: number } | null {
  const definition = ofType(program, "function_definition").find(
    (node) => textOf(program, field(node, "name") ?? node) === entryPoint,
  );
  const list = definition && field(definition, "parameters");
  if (!list) return null;
  const parameters = parts(list).filter(({ type }) =>
    /^(?:identifier|(?:typed_|default_|typed_default_)parameter)$/.test(type),
  );
  const least = parameters.filter(({ type }) => !type.includes("default")).length;
  const open = parts(list).some(({ type }) => type === "list_splat_pattern");
  return { least, most: open ? Number.POSITIVE_INFINITY : parameters.length };
}

function others(target: Solution, solutions: readonly Solution[], count: number, rng: Random): CrossCandidate[] {
  const { problem, arity } = target;
  const fitting = solutions.filter((other) => {
    if (other.problem.id === problem.id) return false;
    if (arity === null || other.arity === null) return arity === other.arity;
    return other.arity.least <= arity.least && arity.least <= other.arity.most;
  });
  const seen = new Set(problem.references.map((code) => code.trim()));
  const out: CrossCandidate[] = [];
  for (const other of count < fitting.length ? rng.shuffle(fitting) : fitting) {
    if (out.length >= count) break;
    const code = renamed(other, problem.entryPoint);
    if (code === null || seen.has(code.trim())) continue;
    seen.add(code.trim());
    out.push({ problemId: problem.id, code, madeBy: `other-problem:${other.problem.id}` });
  }
  return out;
}

/** The program with its entry point, and every call of it, under another name; null where that name means something else in it. */
function renamed({ problem, program }: Solution, name: string | null): string | null {
  if (problem.entryPoint === null || name === null || problem.entryPoint === name) return program.code;
  const identifiers = ofType(program, "identifier").filter(isVariable);
  if (identifiers.some((node) => textOf(program, node) === name)) return null;
  const change = identifiers
    .filter((node) => textOf(program, node) === problem.entryPoint)
    .map((node) => replace(node, name));
  return applyChange(program.code, change);
}
