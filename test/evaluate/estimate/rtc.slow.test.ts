/** `codescore estimate --rtc --problems`: executes the sampled round trips in the sandbox, and no others. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { estimateOfRun } from "../../../src/cli/estimate/rtc.ts";
import { readProblems } from "../../../src/problems/index.ts";
import { packageRoot } from "../../../src/util/files.ts";

it("estimates RTC from the executions it makes", async () => {
  const starter = join(packageRoot, "datasets", "starter", "mbpp-style.jsonl");
  const problems = [...(await readProblems([starter])).values()];
  const folder = await mkdtemp(join(tmpdir(), "codescore-rtc-"));
  const rows = problems.flatMap((problem, i) => {
    const reference = problem.references[0]!;
    const candidates = [reference, i % 3 === 0 ? reference : "x = 1\n"];
    return candidates.map((candidate, forward) => ({
      ...{ task_id: problem.id, kind: "round_trip", forward, backward: 0, candidate, reference },
      sims: { codescore: candidate === reference ? 0.9 : 0.3 },
    }));
  });
  const flags = { sim: "codescore", problems: [starter], draw: "tasks", seed: 1, sandbox: "auto" } as const;
  try {
    await writeFile(join(folder, "samples.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
    const all = await estimateOfRun(folder, { ...flags, budget: 1 });
    expect(all.measures[0]!.all).toBeCloseTo((27 + 9) / 54, 12);
    const some = await estimateOfRun(folder, { ...flags, budget: 0.4 });
    expect(some.counts).toEqual({ programs: 54, tasks: 27, tasksDrawn: 11, executed: 22, leftOut: 0 });
    expect(some.settings).toEqual({ budget: 0.4, draw: "tasks", seed: 1 });
    // The scores separate passing from failing without error, so the few executions determine everything.
    expect(some.measures[0]!.powered.estimate).toBeCloseTo(36 / 54, 9);
    expect(some.measures[0]!.powered.high - some.measures[0]!.powered.low).toBeLessThan(1e-6);
    expect(some.measures[0]!.plain.high - some.measures[0]!.plain.low).toBeGreaterThan(0.1);
  } finally {
    await rm(folder, { recursive: true });
  }
});
