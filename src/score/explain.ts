/**
 * Why a candidate has its score: what is seen without running it, and which lines cost or earn it the score. Of these each is
 * taken out of sight and the rest is scored again (occlusion; Zeiler and Fergus 2014, for images). All variants are scored in
 * one call.
 */
import { CodescoreError } from "../errors.ts";
import { loadProgramReader } from "../languages/index.ts";
import { loadParser } from "../languages/python/syntax/parse.ts";
import { loadFindings } from "../metrics/static/findings.ts";
import type { Finding, InputFormat, ScoreInput } from "../types.ts";
import { type Difference, differencesOf } from "./differences.ts";
import { type Occluded, occlude } from "./occlude.ts";
import { chooseFormat, programFields, readPrograms } from "./rows.ts";
import type { CodeScorer } from "./scorer.ts";

/** What one statement does to the score. */
export interface LineEffect {
  /** First line of the statement in the candidate, from 1. */
  readonly line: number;
  /** Its lines as they stand there, joined by `\n`. */
  readonly text: string;
  /** score(whole) - score(without it), in [-1, 1]: a negative number means that the line lowers the score. */
  readonly effect: number;
}

export interface Explanation {
  /** What must fail, in the order of the program. Models whose configs give `rule` or `trees` a share go by it. */
  readonly findings: readonly Finding[];
  /** The effect of every statement, in the order of the program. */
  readonly lines: readonly LineEffect[];
  /** Where it differs from the reference but for the names of variables; empty without a reference. */
  readonly differences: readonly Difference[];
}

export interface ExplainOptions {
  /** The format that the candidate is scored in. @default "auto" */
  readonly format?: InputFormat | "auto";
  /** Statements measured at most, from the top: each costs one score. @default 512 */
  readonly limit?: number;
  /** The row's score, where it is known. */
  readonly whole?: number;
  /** What takes the program apart, e.g. in another thread. @default `dissect` */
  readonly dissect?: (given: Dissect) => Promise<Dissected>;
}

/** All that `dissect` goes by. */
export interface Dissect {
  readonly row: ScoreInput;
  readonly format: InputFormat;
  readonly limit: number;
  readonly modules?: ReadonlySet<string> | undefined;
}

/** A row's program with each of its statements out of sight, and what is seen to fail. */
export interface Dissected {
  /** The row with the programs that were read. */
  readonly row: ScoreInput;
  readonly variants: readonly Occluded[];
  readonly findings: readonly Finding[];
  readonly differences: readonly Difference[];
}

/** The part of an explanation that reads programs, and no score. Throws `CodescoreError("input")` for one of another language. */
export async function dissect({ row: given, format, limit, modules }: Dissect): Promise<Dissected> {
  const { row } = await readPrograms(await loadProgramReader(), given, programFields(format));
  const variants = await occlude(row.candidate, limit);
  const [find, parse] = await Promise.all([loadFindings(), loadParser()]);
  const reference = format === "nl" ? null : (row.reference ?? null);
  const differences =
    reference === null ? [] : differencesOf(parse(row.candidate.toWellFormed()), parse(reference.toWellFormed()));
  return { row, variants, findings: find(row.candidate, reference, modules), differences };
}

/**
 * Lines that say nothing by themselves (`def`, `class`, `else`, `try`, blank ones) have no effect. Throws the `CodescoreError`
 * of a row that cannot be scored: "input" where the row is at fault. Of an answer in a fence the lines are those of the program in it.
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
