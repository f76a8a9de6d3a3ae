/**
 * Joins the scores of samples without a reference with their agreement with the other candidates of the task (metrics/consensus.ts). It
 * needs all candidates at once, so it is not part of the scorer, whose scores depend only on their own row.
 */
import { loadProgramReader, type ProgramReader } from "../languages/index.ts";
import { concludeText } from "./conclusion.ts";
import type { ScoreResult } from "./rows.ts";

/** A candidate, its task, and its result. */
export interface TaskResult {
  readonly task: string;
  readonly candidate: string;
  readonly result: ScoreResult;
}

/**
 * The results in their order. If two or more candidates of a task were scored without a reference, each of their scores becomes the mean of
 * the score and the consensus (by the rule of docs/metrics.md), and `consensus` is added. Calibration and its intervals no longer hold for
 * them. Other results stay unchanged: a reference says more than other candidates, which add nothing to it (models/LOG.md). `modules` are
 * the modules that the programs can import.
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
