/**
 * Candidates made from one program: mutants with graded damage, and rewrites that keep the meaning. Each operator works on the text
 * and a fresh parse of it, so that operators combine in any order.
 * Only running the candidates tells whether a rewrite really behaves as before, and whether a mutant differs at all. The
 * caller does that.
 */

import { loadSyntaxCheck } from "../languages/python/syntax/parse.ts";
import { loadParser, type Parse, type Program } from "../languages/python/syntax/walk.ts";
import { Random } from "../util/random.ts";
import { applyChange, type Operator } from "./edits.ts";
import { expressionOperators } from "./operators-expression.ts";
import { nameOperators } from "./operators-names.ts";
import { statementOperators } from "./operators-statement.ts";
import { textOperators } from "./operators-text.ts";
import { flowRewrites } from "./rewrites-flow.ts";
import { idiomRewrites } from "./rewrites-idioms.ts";
import { loopRewrites } from "./rewrites-loops.ts";
import { nameRewrites } from "./rewrites-names.ts";

export interface MadeCandidate {
  readonly code: string;
  /** E.g. `mutant:off-by-one+dropped-statement`, `rewrite:rename|mutant:negated-condition`. */
  readonly madeBy: string;
  readonly kind: "mutant" | "rewrite";
  /** The operators applied, in order. */
  readonly operators: readonly string[];
}

export interface MakeOptions {
  readonly count: number;
  readonly seed: number;
  /** Names that callers outside of the program use: arguments that tests pass by keyword. @default [] */
  readonly keep?: readonly string[];
}

export const mutantOperators: readonly Operator[] = [...expressionOperators, ...nameOperators, ...statementOperators];
export const damageOperators: readonly Operator[] = textOperators;
export const rewriteOperators: readonly Operator[] = [
  ...nameRewrites,
  ...flowRewrites,
  ...loopRewrites,
  ...idiomRewrites,
];

/** The plan of a candidate: how many rewrites, then how many mutations or damaged text. */
interface Plan {
  readonly rewrites: number;
  readonly mutations: number;
  readonly damaged: boolean;
}

const rewriteShare = 0.2;
/** Share of mutants that also carry rewrites, so that similarity of text alone does not reveal mutants. */
const disguisedShare = 0.5;
/** Share of mutants whose text is damaged: cut off, or no longer Python. */
const damagedShare = 0.06;
/** Shares of one and two operators; the others have three or more: 40, 25 and 15 of the 80 mutants in a hundred candidates. */
const oneShare = 40 / 80;
const twoShare = 25 / 80;
const triesEach = 12;

/**
 * `count` different programs made from `code`, none of them equal to it; fewer if it has no more places to change. The same
 * seed gives the same programs. Empty if `code` does not parse.
 */
export async function makeCandidates(code: string, { count, seed, keep = [] }: MakeOptions): Promise<MadeCandidate[]> {
  const syntax = await loadSyntax();
  const program = syntax.parse(code);
  if (program.broken) return [];
  const rng = new Random(seed);
  const kept = new Set(keep);
  const taken = new Set([code.trim()]);
  const out: MadeCandidate[] = [];
  for (let tries = 0; out.length < count && tries < count * triesEach; tries++) {
    const made = makeOne(program, drawPlan(rng), kept, syntax, rng);
    if (!made || taken.has(made.code.trim())) continue;
    taken.add(made.code.trim());
    out.push(made);
  }
  return out;
}

function drawPlan(rng: Random): Plan {
  if (rng.chance(rewriteShare)) return { rewrites: rng.int(1, 4), mutations: 0, damaged: false };
  const rewrites = rng.chance(disguisedShare) ? rng.int(1, 2) : 0;
  if (rng.chance(damagedShare)) return { rewrites, mutations: 0, damaged: true };
  const draw = rng.float();
  const mutations = draw < oneShare ? 1 : draw < oneShare + twoShare ? 2 : rng.int(3, 5);
  return { rewrites, mutations, damaged: false };
}

function makeOne(
  original: Program,
  plan: Plan,
  keep: ReadonlySet<string>,
  syntax: Syntax,
  rng: Random,
): MadeCandidate | null {
  const before = { operators: rewriteOperators, count: plan.rewrites, mustParse: true, keep };
  const rewritten = applySome(original, before, syntax, rng);
  const disguise = rewritten.names.length > 0 ? `rewrite:${rewritten.names.join("+")}` : "";
  if (plan.mutations === 0 && !plan.damaged) {
    const { names } = rewritten;
    return names.length === 0 ? null : { code: rewritten.code, madeBy: disguise, kind: "rewrite", operators: names };
  }
  const damage = plan.damaged
    ? { operators: damageOperators, count: 1, mustParse: false, keep }
    : { operators: mutantOperators, count: plan.mutations, mustParse: true, keep };
  const mutated = applySome(syntax.parse(rewritten.code), damage, syntax, rng);
  if (mutated.names.length === 0) return null;
  return {
    code: mutated.code,
    madeBy: `${disguise && `${disguise}|`}mutant:${mutated.names.join("+")}`,
    kind: "mutant",
    operators: [...rewritten.names, ...mutated.names],
  };
}

interface Step {
  readonly operators: readonly Operator[];
  readonly count: number;
  readonly mustParse: boolean;
  readonly keep: ReadonlySet<string>;
}

/** What applying operators needs. */
export interface Syntax {
  readonly parse: Parse;
  /** Whether a text has a syntax error. */
  readonly isBroken: (code: string) => boolean;
}

export async function loadSyntax(): Promise<Syntax> {
  return { parse: await loadParser(), isBroken: await loadSyntaxCheck() };
}

/** Applies up to `count` operators one after the other. With `mustParse` each result is valid Python. */
export function applySome(
  original: Program,
  { operators, count, mustParse, keep }: Step,
  { parse, isBroken }: Syntax,
  rng: Random,
): { code: string; names: string[] } {
  let program = original;
  const names: string[] = [];
  let nowhere = false;
  for (let tries = 0; names.length < count && tries < count * triesEach; tries++) {
    const operator = pickWeighted(operators, rng);
    if (nowhere) continue; // the only operator finds nothing in the unchanged program
    const changes = operator.find(program, rng, keep);
    nowhere = operators.length === 1 && changes.length === 0;
    if (changes.length === 0) continue;
    const code = applyChange(program.code, rng.pick(changes));
    if (code === program.code || (mustParse && isBroken(code))) continue;
    names.push(operator.name);
    if (names.length === count) return { code, names };
    program = parse(code);
  }
  return { code: program.code, names };
}

function pickWeighted(operators: readonly Operator[], rng: Random): Operator {
  let left = rng.float() * operators.reduce((sum, { weight }) => sum + weight, 0);
  for (const operator of operators) {
    left -= operator.weight;
    if (left < 0) return operator;
  }
  return operators[operators.length - 1] as Operator;
}
