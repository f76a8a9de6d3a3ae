/**
 * Scores of samples that have no reference: each is joined with how far the program agrees with the other candidates of its
 * task (metrics/consensus.ts). Needs all candidates at once, so it is no part of the scorer, whose scores hang on their own row alone.
 */
import { loadProgramReader, type ProgramReader } from "../languages/index.ts";
import { concludeText } from "./conclusion.ts";
import type { ScoreResult } from "./rows.ts";

/** A candidate, the task it is for, and what it scored. */
export interface TaskResult {
  readonly task: string;
  readonly candidate: string;
  readonly result: ScoreResult;
}

/**
 * The results in their order. Of a task's candidates that were scored without a reference, where they are two or more, the score becomes
 * the mean of score and consensus (by the rule of docs/metrics.md), which is there as `consensus`; neither calibration nor its intervals
 * hold for them. Others stay as they are: a reference says more than other candidates, which add nothing to it (models/LOG.md).
 * `modules` are those that the programs can import.
 */
export async function joinConsensus(
  rows: readonly TaskResult[],
  modules?: ReadonlySet<string>,
): Promise<ScoreResult[]> {
  const { consensus, getMetric, groupRows } = await import("../metrics/index.ts");
  const read = await loadProgramReader();
  const metric = getMetric("rule", modules === undefined ? {} : { modules });
  const results = rows.map(({ result }) => result);
  for (const all of groupRows(rows.map(({ task }) => task)).values()) {
    const scored = all.flatMap((i) => {
      const result = results[i]!;
      return "error" in result || result.format !== "nl" ? [] : [{ i, result }];
    });
    if (scored.length < 2) continue;
    const agreed = await consensus(
      metric,
      await Promise.all(scored.map(({ i }) => programOf(read, rows[i]!.candidate))),
    );
    for (const [k, { i, result }] of scored.entries()) {
      const { low: _low, high: _high, abstained: _abstained, ...kept } = result;
      const signature = `${result.signature}|consensus:rule`;
      const score = (result.score + agreed[k]!) / 2;
      results[i] = { ...kept, ...concludeText({ ...kept, score }), score, consensus: agreed[k]!, signature };
    }
  }
  return results;
}

/** The program that was scored. */
async function programOf(read: ProgramReader, candidate: string): Promise<string> {
  const found = await read(candidate);
  return "foreign" in found ? candidate : found.program;
}
