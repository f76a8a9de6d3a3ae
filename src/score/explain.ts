/**
 * Explains a score: the faults visible without running the candidate, and the effect of each line on the score. To measure the effects,
 * each statement is removed and the rest is scored again (occlusion; Zeiler and Fergus 2014, for images). All variants are scored in one
 * call.
 */
import { CodescoreError } from "../errors.ts";
import { loadProgramReader } from "../languages/index.ts";
import { loadParser } from "../languages/python/syntax/parse.ts";
import { loadFindings } from "../metrics/static/findings.ts";
import { isNearMiss } from "../metrics/static/near-miss.ts";
import type { Finding, InputFormat, ScoreInput } from "../types.ts";
import { EMPTY } from "./conclusion.ts";
import { type Difference, differencesOf } from "./differences.ts";
import { type Occluded, occlude } from "./occlude.ts";
import { chooseFormat, isEmpty, programFields, readPrograms } from "./rows.ts";
import type { CodeScorer } from "./scorer.ts";

/** The effect of one statement on the score. */
export interface LineEffect {
  /** First line of the statement in the candidate, from 1. */
  readonly line: number;
  /** Its lines as written there, joined by `\n`. */
  readonly text: string;
  /** score(whole) - score(without it), in [-1, 1]: a negative number means that the line lowers the score. */
  readonly effect: number;
}

export interface Explanation {
  /** Faults and suspicions visible without running, in program order. They enter the score of models that give `rule` or `trees` a weight. */
  readonly findings: readonly Finding[];
  /**
   * The effect of every statement, in program order. If a single edit separates the candidate from the reference, only of the lines that differ:
   * without any other line the program would have more than one edit, and its score would rise for that alone.
   */
  readonly lines: readonly LineEffect[];
  /** The lines that differ from the reference, apart from variable names. Empty without a reference. */
  readonly differences: readonly Difference[];
}

export interface ExplainOptions {
  /** The format that the candidate is scored in. @default "auto" */
  readonly format?: InputFormat | "auto";
  /** Maximum number of statements measured, from the top. Each costs one scoring. @default 512 */
  readonly limit?: number;
  /** The row's score, if it is already known. */
  readonly whole?: number;
  /** Analyses the program, for example in another thread. @default `dissect` */
  readonly dissect?: (given: Dissect) => Promise<Dissected>;
}

/** The arguments of `dissect`. */
export interface Dissect {
  readonly row: ScoreInput;
  readonly format: InputFormat;
  readonly limit: number;
  readonly modules?: ReadonlySet<string> | undefined;
}

/** A row's program with each statement removed in turn, and the faults that are visible. */
export interface Dissected {
  /** The row with the programs that were read. */
  readonly row: ScoreInput;
  readonly variants: readonly Occluded[];
  readonly findings: readonly Finding[];
  readonly differences: readonly Difference[];
}

/** The part of an explanation that reads programs and needs no scores. Throws `CodescoreError("input")` for a program in another language. */
export async function dissect({ row: given, format, limit, modules }: Dissect): Promise<Dissected> {
  const { row } = await readPrograms(await loadProgramReader(), given, programFields(format));
  const variants = await occlude(row.candidate, limit);
  const [find, parse] = await Promise.all([loadFindings(), loadParser()]);
  const reference = format === "nl" ? null : (row.reference ?? null);
  const differences =
    reference === null ? [] : differencesOf(parse(row.candidate.toWellFormed()), parse(reference.toWellFormed()));
  const findings = isEmpty(row.candidate) ? [EMPTY] : find(row.candidate, reference, modules);
  const differing = new Set(differences.map(({ candidate }) => candidate?.line));
  const shown = findings.some(isNearMiss) ? variants.filter(({ line }) => differing.has(line)) : variants;
  return { row, variants: shown, findings, differences };
}

/**
 * Lines that do nothing by themselves (`def`, `class`, `else`, `try`, blank lines) have no effect. For an answer in a Markdown fence, lines
 * refer to the program inside it. Throws the `CodescoreError` of a row that cannot be scored: "input" if the row is at fault.
 */
export async function explain(
  scorer: Pick<CodeScorer, "scoreAll"> & Partial<Pick<CodeScorer, "modules">>,
  given: ScoreInput,
  { format = "auto", limit = 512, whole: known, dissect: take = dissect }: ExplainOptions = {},
): Promise<Explanation> {
  const scoreOne = async (rows: readonly ScoreInput[]): Promise<number[]> =>
    (await scorer.scoreAll(rows, { format })).map((result) => {
      if ("error" in result) throw new CodescoreError(result.error.code, result.error.message);
      return result.score;
    });
  const chosen = chooseFormat(given, format);
  const whole = known ?? (await scoreOne([given]))[0]!;
  const { row, variants, findings, differences } = await take({
    row: given,
    format: chosen,
    limit,
    modules: scorer.modules,
  });
  const without = await scoreOne(variants.map(({ code }) => ({ ...row, candidate: code })));
  return {
    findings,
    differences,
    lines: variants.map(({ line, text }, i) => ({ line, text, effect: whole - without[i]! })),
  };
}
