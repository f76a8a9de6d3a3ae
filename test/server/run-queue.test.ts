import { setMaxListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { CodescoreError } from "../../src/errors.ts";
import { ServerMetrics } from "../../src/server/metrics.ts";
import type { RunLane } from "../../src/server/run-lane.ts";
import { RunQueue, runCost } from "../../src/server/run-queue.ts";
import type { Score } from "../../src/types.ts";
import { fakeLane } from "./fake-lane.ts";

const asked = { inputs: 40, seed: 0 };
const byText: Score = { score: 0.5, exec: 0.5, format: "ref", signature: "s" };
const rowsOf = (...candidates: string[]) => candidates.map((candidate) => ({ candidate, reference: "r", byText }));
/** Rows that each form a separate task. */
const tasksOf = (...candidates: string[]) => rowsOf(...candidates).map((row) => ({ ...row, taskId: row.candidate }));
const never = new AbortController().signal;
setMaxListeners(100, never);

const start = (lanes: readonly RunLane[] = [fakeLane()], runQueueLimit = 100) => {
  const metrics = new ServerMetrics();
  return { metrics, queue: new RunQueue(lanes, metrics, { runQueueLimit }) };
};

describe("the queue of candidates to be run", () => {
  it("runs the rows of a task together, and answers in their order", async () => {
    const lane = fakeLane();
    const { queue } = start([lane]);
    const rows = rowsOf("a", "b", "c").map((row, i) => ({ ...row, taskId: i === 1 ? "other" : "task" }));
    const results = await queue.enter(3, 10).run(rows, asked, never);
    expect(lane.jobs).toEqual([["a", "c"], ["b"]]);
    expect(results).toMatchObject([{ score: 0.25 }, { score: 0.25 }, { score: 0.25 }]);
    expect(await queue.enter(1, 1).run([], asked, never)).toEqual([]);
  });

  it("keeps apart what has another reference, description or entry point", async () => {
    const lane = fakeLane();
    const { queue } = start([lane]);
    const [row] = rowsOf("a");
    const rows = [row!, { ...row!, reference: "q" }, { ...row!, description: "d" }, { ...row!, entryPoint: "f" }, row!];
    await queue.enter(5, 10).run(rows, asked, never);
    expect(lane.jobs.map((job) => job.length)).toEqual([2, 1, 1, 1]);
  });

  it("lets a large request hold no small one, and uses every lane", async () => {
    const lanes = [fakeLane({ hold: true }), fakeLane({ hold: true })];
    const { queue } = start(lanes);
    const large = queue.enter(6, 1).run(tasksOf("1", "2", "3", "4", "5", "6"), asked, never);
    const small = queue.enter(1, 1).run(rowsOf("small"), asked, never);
    expect(lanes.map(({ jobs }) => jobs)).toEqual([[["1"]], [["2"]]]);
    for (let i = 0; i < 3; i++) lanes[0]!.next(); // 1, then 3, then the next one
    await small;
    expect(lanes[0]!.jobs.flat().slice(0, 3)).toEqual(["1", "3", "small"]);
    for (const lane of lanes) lane.release();
    expect(await large).toHaveLength(6);
  });

  it("accepts no more rows or characters than its limit, from the moment they come until they are answered", async () => {
    const { queue } = start([fakeLane()], 3);
    const first = queue.enter(2, 10);
    expect(queue.length).toBe(2);
    expect(() => queue.enter(2, 10)).toThrow("2 candidates already waiting to be run");
    const second = queue.enter(1, 19_999_990);
    first.leave();
    first.leave();
    expect(queue.length).toBe(1);
    expect(() => queue.enter(1, 11)).toThrow("1 candidate already waiting");
    second.leave();
    expect(queue.length).toBe(0);
  });

  it("says when to come again by how long runs take", async () => {
    const lane = fakeLane({ ms: 40 });
    const { queue } = start([lane], 2);
    await queue.enter(1, 1).run(rowsOf("a"), asked, never);
    queue.enter(1, 1);
    try {
      queue.enter(1, 1);
      expect.unreachable();
    } catch (error) {
      const { seconds } = error as { seconds: number };
      expect(seconds).toBeGreaterThan(0.05); // two rows that take about 0.04 s each
      expect(seconds).toBeLessThan(10);
    }
  });

  it("gives up what a client that left still has waiting, and stops what runs", async () => {
    const lane = fakeLane({ hold: true });
    const { queue, metrics } = start([lane]);
    const gone = new AbortController();
    const left = queue.enter(3, 1).run(tasksOf("a", "b", "c"), asked, gone.signal);
    const other = queue.enter(1, 1).run(rowsOf("other"), asked, never);
    gone.abort();
    await expect(left).rejects.toThrow("the client went away");
    await expect.poll(() => lane.jobs).toEqual([["a"], ["other"]]);
    lane.release();
    expect(await other).toMatchObject([{ score: 0.25 }]);
    expect(metrics.text(0, { runs: 0 })).toContain('codescore_runs_total{outcome="gone"} 1');
    await expect(queue.enter(1, 1).run(rowsOf("d"), asked, gone.signal)).rejects.toThrow("the client went away");
    expect(lane.jobs).toHaveLength(2);
  });

  it("keeps the scores of a task that fails, says why, and goes on", async () => {
    const lane = fakeLane({ error: new CodescoreError("input", "more than 120 s") });
    const { queue, metrics } = start([lane]);
    const results = await queue.enter(2, 1).run(tasksOf("a", "b"), asked, never);
    for (const result of results) {
      expect(result).toMatchObject({ ...byText, behaviour: { source: null, inputs: 0, reason: "more than 120 s" } });
    }
    const text = metrics.text(0, { runs: 0 });
    expect(text).toContain('codescore_runs_total{outcome="stopped"} 2');
    expect(text).toContain('codescore_run_rows_total{outcome="not_run"} 2');
  });

  it("counts for rates in proportion to the inputs", () => {
    expect(runCost(10, { ...asked, inputs: 40 })).toBe(80);
    expect(runCost(1, { ...asked, inputs: 0 })).toBe(1);
    expect(runCost(0, asked)).toBe(0);
  });
});
