/**
 * Candidates that are whole programs by others: solutions of other problems with the entry point renamed, and the
 * problem's own references. The content of the other problem is ignored: such programs are mostly wrong, as an answer to
 * another question is wrong.
 */

import {
  enclosing,
  field,
  loadParser,
  type Node,
  ofType,
  type Parse,
  type Program,
  parts,
  textOf,
} from "../languages/python/syntax/walk.ts";
import type { Problem } from "../types.ts";
import { sha256 } from "../util/files.ts";
import { Random } from "../util/random.ts";
import { applyChange, replace } from "./edits.ts";
import { isVariable } from "./names.ts";

export interface CrossCandidate {
  readonly problemId: string;
  readonly code: string;
  /** `reference`, or `cross:ID`. */
  readonly madeBy: string;
}

/** The function that tests call: `name`, or the method of `Class().name`. */
interface Entry {
  readonly className: string | null;
  readonly name: string;
}

/** How a program is called. Nothing else is kept of a program, because the syntax trees of thousands would fill the memory. */
interface Signature {
  readonly problem: Problem;
  /** Null for programs that read stdin. */
  readonly entry: Entry | null;
  /** Minimum and maximum number of positional arguments. */
  readonly least: number;
  readonly most: number;
  /** The annotations of its parameters without blanks; null if a parameter lacks one. */
  readonly types: string | null;
}

/**
 * For each problem, in order: all its references, then up to `count` solutions of other problems that are called in the same way:
 * functions or methods that take as many arguments, or programs that read stdin. If enough of them annotate the same
 * types, only those. The same problems and seed give the same candidates.
 */
export async function crossCandidates(
  problems: readonly Problem[],
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<CrossCandidate[]> {
  const parse = await loadParser();
  const signatures = problems.flatMap((problem) => signatureOf(problem, parse));
  const byProblem = new Map(signatures.map((signature) => [signature.problem.id, signature]));
  return problems.flatMap((problem) => {
    const problemId = problem.id;
    const own = problem.references.map((code) => ({ problemId, code, madeBy: "reference" }));
    const target = byProblem.get(problemId);
    const rng = new Random(seedFor(problemId, seed));
    return target ? [...own, ...others(target, signatures, count, parse, rng)] : own;
  });
}

/** A separate seed for each problem, so that its candidates do not depend on the other problems. */
export const seedFor = (problemId: string, seed: number): number =>
  Number.parseInt(sha256(`${seed}\n${problemId}`).slice(0, 8), 16) | 0;

function entryOf(entryPoint: string | null): Entry | null {
  if (entryPoint === null) return null;
  const [, className, name] = /^(\w+)\(\)\.(\w+)$/.exec(entryPoint) ?? [];
  return { className: className ?? null, name: name ?? entryPoint };
}

function signatureOf(problem: Problem, parse: Parse): Signature[] {
  const program = parse(problem.references[0] ?? "");
  if (program.broken || problem.references.length === 0) return [];
  const entry = entryOf(problem.entryPoint);
  if (entry === null) return [{ problem, entry, least: 0, most: 0, types: null }];
  const list = field(definitionOf(program, entry) ?? program.root, "parameters");
  if (!list) return [];
  const parameters = parts(list)
    .filter(({ type }) => /^(?:identifier|(?:typed_|default_|typed_default_)parameter)$/.test(type))
    .slice(entry.className === null ? 0 : 1); // a method's first parameter is the object
  const least = parameters.filter(({ type }) => !type.includes("default")).length;
  const open = parts(list).some(({ type }) => type === "list_splat_pattern");
  const types = parameters.map((parameter) => field(parameter, "type"));
  return [
    {
      problem,
      entry,
      least,
      most: open ? Number.POSITIVE_INFINITY : parameters.length,
      types: types.every((type) => type !== undefined)
        ? types.map((type) => textOf(program, type).replace(/\s/g, "")).join()
        : null,
    },
  ];
}

const definitionOf = (program: Program, { className, name }: Entry): Node | undefined =>
  ofType(program, "function_definition").find((node) => {
    const owner = enclosing(node, "class_definition");
    const ownerName = owner ? textOf(program, field(owner, "name") ?? owner) : null;
    return ownerName === className && textOf(program, field(node, "name") ?? node) === name;
  });

function others(
  target: Signature,
  signatures: readonly Signature[],
  count: number,
  parse: Parse,
  rng: Random,
): CrossCandidate[] {
  const { problem, entry, least } = target;
  const fitting = signatures.filter((other) => {
    if (other.problem.id === problem.id || (other.entry === null) !== (entry === null)) return false;
    if ((other.entry?.className ?? null) !== (entry?.className ?? null)) return false;
    return other.least <= least && least <= other.most;
  });
  const sameTypes = target.types === null ? [] : fitting.filter(({ types }) => types === target.types);
  const chosen = sameTypes.length >= count ? sameTypes : fitting;
  const seen = new Set(problem.references.map((code) => code.trim()));
  const out: CrossCandidate[] = [];
  for (const other of count < chosen.length ? rng.shuffle(chosen) : chosen) {
    if (out.length >= count) break;
    const code = renamed(other, entry, parse);
    if (code === null || seen.has(code.trim())) continue;
    seen.add(code.trim());
    out.push({ problemId: problem.id, code, madeBy: `cross:${other.problem.id}` });
  }
  return out;
}

/** The program with its entry point, and every call of it, renamed; null if the new name already means something else in it. */
function renamed({ problem, entry }: Signature, wanted: Entry | null, parse: Parse): string | null {
  const code = problem.references[0] as string;
  if (entry === null || wanted === null || entry.name === wanted.name) return code;
  const program = parse(code);
  const isMethod = entry.className !== null;
  const identifiers = ofType(program, "identifier").filter((node) => isMethod || isVariable(node));
  if (identifiers.some((node) => textOf(program, node) === wanted.name)) return null;
  const change = identifiers
    .filter((node) => textOf(program, node) === entry.name)
    .map((node) => replace(node, wanted.name));
  return applyChange(code, change);
}
