/**
 * What running programs by models without tests reveals: ranking, error, intervals, near misses; and what samples reveal without a reference.
 * On every second task; CODESCORE_EVERY=1 uses all.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Executor, openExecutor } from "../../src/execute/index.ts";
import { CodeScorer } from "../../src/score/index.ts";
import { bestOf, groupRows, mean, meanAbsoluteError, spearman, withinTaskAuc } from "../../src/statistics/index.ts";
import type { InputFormat, Score, ScoreInput } from "../../src/types.ts";
import { readJsonLines } from "../../src/util/jsonl.ts";
import { heEvalRows } from "../evaluate/he-eval-rows.ts";
import { every } from "../every.ts";

const data = process.env.CODESCORE_DATA ?? "";
const EVERY = every(2);

/** The rows of every n-th task. */
function ofSome<Row>(rows: readonly Row[], taskOf: (row: Row) => string): Row[] {
  const tasks = [...groupRows(rows.map(taskOf)).values()].filter((_, i) => i % EVERY === 0);
  return tasks.flatMap((places) => places.map((i) => rows[i]!));
}

describe.skipIf(data === "")("running he-eval-dev's programs", () => {
  let executor: Executor;
  let scorer: CodeScorer;
  beforeAll(async () => {
    executor = await openExecutor();
    scorer = await CodeScorer.load("tiny");
  });
  afterAll(() => Promise.all([executor.close(), scorer.close()]));

  const score = async (rows: readonly ScoreInput[], format: InputFormat | "auto"): Promise<Score[]> => {
    const results = await scorer.scoreAll(rows, { format, run: { executor, counterexamples: false } });
    return results.map((result) => {
      if ("error" in result) throw new Error(result.error.message);
      return result;
    });
  };

  it("orders them nearly as their tests do, with honest intervals, and finds inputs for nearly every task", async () => {
    const rows = ofSome(await heEvalRows(data), ({ task_id }) => task_id);
    const results = await score(rows, "auto");
    const scores = results.map((result) => result.score);
    const labels = rows.map(({ pass_ratio }) => pass_ratio!);
    const tasks = [...groupRows(rows.map(({ task_id }) => task_id)).values()];
    expect(spearman(scores, labels)).toBeGreaterThan(0.93);
    expect(
      withinTaskAuc(
        tasks,
        scores,
        labels.map((label) => label === 1),
      ),
    ).toBeGreaterThan(0.975);
    expect(meanAbsoluteError(scores, labels)).toBeLessThan(0.1);
    const held = results.map(({ low, high }, i) => Number(low! - 1e-9 <= labels[i]! && labels[i]! <= high! + 1e-9));
    expect(mean(held)).toBeGreaterThan(0.86);
    const found = tasks.map((places) => Math.max(...places.map((i) => results[i]!.behaviour!.inputs)) >= 10);
    expect(mean(found.map(Number))).toBeGreaterThan(0.95);
  }, 600_000);

  it("tells them apart by examples and samples where there is no reference", async () => {
    const rows = ofSome(await heEvalRows(data), ({ task_id }) => task_id);
    const scores = (await score(rows, "nl")).map((result) => result.score);
    const labels = rows.map(({ pass_ratio }) => pass_ratio!);
    const tasks = [...groupRows(rows.map(({ task_id }) => task_id)).values()];
    expect(spearman(scores, labels)).toBeGreaterThan(0.85);
    const passes = labels.map((label) => Number(label === 1));
    expect(mean(bestOf(tasks, scores, passes, 15).filter(Number.isFinite))).toBeGreaterThan(0.55);
  }, 600_000);

  it("orders right rewrites before one-operator bugs", async () => {
    const all: (ScoreInput & { taskId: string; kind: string })[] = [];
    for await (const { value } of readJsonLines(join(data, "nearmiss-dev", "rows.jsonl.gz"))) {
      const { candidate, reference, description, kind, task_id } = value as Record<string, string>;
      all.push({
        candidate: candidate!,
        reference: reference!,
        description: description!,
        kind: kind!,
        taskId: task_id!,
      });
    }
    const rows = ofSome(all, ({ taskId }) => taskId);
    const scores = (await score(rows, "auto")).map((result) => result.score);
    const shares = [...groupRows(rows.map(({ taskId }) => taskId)).values()].flatMap((places) => {
      const [right, wrong] = ["right", "mutant"].map((kind) =>
        places.filter((i) => rows[i]!.kind === kind).map((i) => scores[i]!),
      ) as [number[], number[]];
      const won = right.flatMap((a) => wrong.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)));
      return won.length === 0 ? [] : [mean(won)];
    });
    expect(mean(shares)).toBeGreaterThan(0.95);
  }, 600_000);
});
