/**
 * Consensus improves the ranking of samples without a reference: programs by models, scored only by their descriptions. Every second task;
 * CODESCORE_EVERY=1 uses all.
 */
import { describe, expect, it } from "vitest";
import { CodeScorer, joinConsensus, type ScoreResult } from "../../src/score/index.ts";
import { groupRows, spearman, withinTaskAuc } from "../../src/statistics/index.ts";
import { heEvalRows } from "../evaluate/he-eval-rows.ts";
import { every } from "../every.ts";

const data = process.env.CODESCORE_DATA ?? "";

describe.skipIf(data === "")("the consensus of he-eval-dev's samples", () => {
  it("raises r_s by more than .08, to more than .67, and the AUC within tasks by more than .03", async () => {
    const given = await heEvalRows(data);
    const kept = new Set([...new Set(given.map(({ task_id }) => task_id))].filter((_, i) => i % every(2) === 0));
    const rows = given.filter(({ task_id }) => kept.has(task_id));
    const scorer = await CodeScorer.load("tiny");
    const results = await scorer.scoreAll(rows, { format: "nl" });
    await scorer.close();
    const joined = await joinConsensus(
      rows.map(({ task_id, candidate }, i) => ({ task: task_id, candidate, result: results[i]! })),
    );
    const passRatios = rows.map(({ pass_ratio }) => pass_ratio!);
    const passes = passRatios.map((passRatio) => passRatio === 1);
    const tasks = [...groupRows(rows.map(({ task_id }) => task_id)).values()];
    const measured = (found: readonly ScoreResult[]): [number, number] => {
      const scores = found.map((result) => (result as { score: number }).score);
      return [spearman(scores, passRatios), withinTaskAuc(tasks, scores, passes)];
    };
    const [[r, auc], [rJoined, aucJoined]] = [measured(results), measured(joined)];
    process.stderr.write(`  r_s ${r} to ${rJoined}, AUC ${auc} to ${aucJoined}\n`);
    expect(rJoined - r).toBeGreaterThan(0.08);
    expect(rJoined).toBeGreaterThan(0.67);
    expect(aucJoined - auc).toBeGreaterThan(0.03);
  }, 300_000);
});
