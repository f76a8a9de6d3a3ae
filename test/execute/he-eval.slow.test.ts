/**
 * The labels of half of the 1,540 programs of two models on 78 HumanEval tasks, about 107 asserts each (test/cli/he-eval.slow.test.ts
 * has the other half). They are compared with labels by another harness (`bench/plain_labeller.py`, which runs each assert in the program's process,
 * with wall-time alarms), and with labels on a busy machine, under Landlock, and with every program in a separate process.
 */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { beforeAll, describe, expect, it } from "vitest";
import { type ExecutorOptions, openExecutor } from "../../src/execute/index.ts";
import type { Execution } from "../../src/types.ts";
import { every } from "../every.ts";
import { heEvalDev } from "./he-eval.ts";
import { bwrapWorks, landlockWorks } from "./open.ts";

const data = process.env.CODESCORE_DATA;

describe.skipIf(!data || !bwrapWorks)("labels of he-eval-dev", () => {
  let rows: Awaited<ReturnType<typeof heEvalDev>>;
  let labels: Execution[];
  beforeAll(async () => {
    rows = (await heEvalDev(data as string)).filter((_, i) => i % every(2) === 0);
    labels = await label();
  }, 600_000);

  /** Every n-th of them is executed on busy cores, and every n-th without shortcuts, which takes ten times as long. */
  const [BUSY, ALONE] = [every(4), every(6)];

  async function label(options: ExecutorOptions = {}, nth = 1): Promise<Execution[]> {
    const executor = await openExecutor({ sandbox: "bwrap", ...options });
    try {
      return await Promise.all(
        rows.filter((_, i) => i % nth === 0).map(({ task, code }) => executor.execute(task, code)),
      );
    } finally {
      await executor.close();
    }
  }

  /** Rows whose verdicts differ from those of `labels`, test by test. */
  function differences(others: readonly Execution[], nth = 1): string[] {
    const outcomes = ({ status, verdicts }: Execution): string =>
      JSON.stringify([status, verdicts.map(({ outcome, errorType }) => [outcome, errorType])]);
    return others.flatMap((b, i) => {
      const [{ id }, a] = [rows[i * nth]!, labels[i * nth] as Execution];
      return outcomes(a) === outcomes(b)
        ? []
        : [`${id}: ${a.passRatio} ${a.firstError}; ${b.passRatio} ${b.firstError}`];
    });
  }

  it("agree with the recorded ones on at least 99.5% of rows", () => {
    expect(rows).toHaveLength(Math.ceil(1540 / every(2)));
    const same = rows.map(({ id, recorded: { passRatio, executable, firstError } }, i) => {
      const mine = labels[i] as Execution;
      const ratio = mine.passRatio !== null && Math.abs(mine.passRatio - passRatio) < 1e-9;
      if (!ratio || mine.executable !== executable) {
        const ours = `${mine.passRatio} ${mine.executable} ${mine.firstError} ${mine.reason ?? ""}`;
        process.stderr.write(`  ${id}: recorded ${passRatio} ${executable} ${firstError}, ours ${ours}\n`);
      }
      return [ratio, mine.executable === executable] as const;
    });
    const share = (k: 0 | 1): number => same.filter((row) => row[k]).length / same.length;
    process.stderr.write(`  PassRatio agrees on ${share(0)}, Executability on ${share(1)}\n`);
    expect(share(0)).toBeGreaterThanOrEqual(0.995);
    expect(share(1)).toBeGreaterThanOrEqual(0.995);
  });

  const other = landlockWorks ? "landlock" : "bwrap";
  it(`are the same, test by test, in ${other} when every core is kept busy by something else`, async () => {
    const busy = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ["-e", "for (;;);"]));
    try {
      expect(differences(await label({ sandbox: other }, BUSY), BUSY)).toEqual([]);
    } finally {
      for (const process of busy) process.kill("SIGKILL");
    }
  }, 600_000);

  it("are the same, test by test, when no process is shared and every call is made", async () => {
    expect(differences(await label({ isolate: true }, ALONE), ALONE)).toEqual([]);
  }, 600_000);
});
