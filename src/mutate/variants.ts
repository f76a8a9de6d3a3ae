/**
 * Variants of one program, by what was done to it: harmless ones, by one kind of rewrite each, and mutants by exactly one operator.
 * Never runs code, so it does not know whether a variant behaves as before.
 */

import { Random } from "../util/random.ts";
import type { Operator } from "./edits.ts";
import { applySome, loadSyntax, mutantOperators, rewriteOperators } from "./make.ts";
import { expressionOperators } from "./operators-expression.ts";
import { nameOperators } from "./operators-names.ts";
import { layoutRewrites } from "./rewrites-layout.ts";

export const HARMLESS_KINDS = ["renaming", "comments", "dead code", "formatting", "statement order"] as const;
export const MUTANT_KINDS = ["expression", "name", "statement"] as const;

export interface Variant {
  readonly code: string;
  readonly kind: (typeof HARMLESS_KINDS)[number] | (typeof MUTANT_KINDS)[number];
  /** The operators applied, in order; exactly one for a mutant. */
  readonly operators: readonly string[];
}

export interface VariantOptions {
  /** Different variants per harmless kind, or mutants in total; fewer if the program has no more places. */
  readonly count: number;
  readonly seed: number;
  /** Names that callers outside of the program use. @default [] */
  readonly keep?: readonly string[];
  /** A program with more syntax nodes gets no variants by one operator: finding their places takes quadratic time. @default none */
  readonly mostNodes?: number;
  /** Names of the operators that make mutants. @default all */
  readonly only?: readonly string[];
}

const named = (...names: string[]): Operator[] =>
  [...rewriteOperators, ...layoutRewrites].filter(({ name }) => names.includes(name));

const operatorsOf: Readonly<Record<(typeof HARMLESS_KINDS)[number], readonly Operator[]>> = {
  renaming: named("rename"),
  comments: named("comment", "docstring"),
  "dead code": named("dead-code"),
  formatting: named("quotes", "indent", "tight", "blank-lines"),
  "statement order": named("reorder", "reorder-functions"),
};

const triesEach = 8;

/** Up to `count` variants of each kind, by one to three of its operators. Empty if `code` does not parse. */
export async function harmlessVariants(code: string, { count, seed, keep = [] }: VariantOptions): Promise<Variant[]> {
  const rng = new Random(seed);
  const syntax = await loadSyntax();
  const program = syntax.parse(code);
  if (program.broken) return [];
  const taken = new Set([code]);
  return HARMLESS_KINDS.flatMap((kind) => {
    const made: Variant[] = [];
    for (let tries = 0; made.length < count && tries < count * triesEach; tries++) {
      const step = { operators: operatorsOf[kind], count: rng.int(1, 3), mustParse: true, keep: new Set(keep) };
      const { code: changed, names } = applySome(program, step, syntax, rng);
      if (names.length === 0 || taken.has(changed)) continue;
      taken.add(changed);
      made.push({ code: changed, kind, operators: names });
    }
    return made;
  });
}

/** Up to `count` mutants by one operator each, with as many different operators as apply. Empty if `code` does not parse. */
export async function oneOperatorMutants(code: string, options: VariantOptions): Promise<Variant[]> {
  const { only } = options;
  const operators = only === undefined ? mutantOperators : mutantOperators.filter(({ name }) => only.includes(name));
  const made = await byOneOperator(operators, code, options);
  return made.map(({ operator, ...changed }) => ({ ...changed, kind: mutantKind(operator) }));
}

/** The same with rewrites that keep the program's behaviour. */
export async function oneOperatorRewrites(
  code: string,
  options: VariantOptions,
): Promise<Pick<Variant, "code" | "operators">[]> {
  const made = await byOneOperator(rewriteOperators, code, options);
  return made.map(({ operator: _, ...changed }) => changed);
}

async function byOneOperator(
  operators: readonly Operator[],
  code: string,
  { count, seed, keep = [], mostNodes = Number.POSITIVE_INFINITY }: VariantOptions,
): Promise<{ code: string; operators: readonly string[]; operator: Operator }[]> {
  const rng = new Random(seed);
  const syntax = await loadSyntax();
  const program = syntax.parse(code);
  if (program.broken || program.nodes.length > mostNodes) return [];
  const taken = new Set([code]);
  const made: { code: string; operators: readonly string[]; operator: Operator }[] = [];
  for (let round = 0; round < triesEach && made.length < count; round++) {
    for (const operator of rng.shuffle(operators)) {
      if (made.length >= count) break;
      const step = { operators: [operator], count: 1, mustParse: true, keep: new Set(keep) };
      const { code: changed, names } = applySome(program, step, syntax, rng);
      if (names.length === 0 || taken.has(changed)) continue;
      taken.add(changed);
      made.push({ code: changed, operators: names, operator });
    }
  }
  return made;
}

function mutantKind(operator: Operator): (typeof MUTANT_KINDS)[number] {
  if (expressionOperators.includes(operator)) return "expression";
  return nameOperators.includes(operator) ? "name" : "statement";
}
