/** `codescore expand --stdio`: a worker for one shard, between two pipes (docs/clusters.md). */
import { CodescoreError } from "../../errors.ts";
import { answerRows } from "../../util/row-stream.ts";
import { executorOptions } from "../options/executor.ts";
import type { Flags } from "./flags.ts";

/** Ends when stdin ends. */
export async function expandStdio({ problems, output, llm, shard, count, seed, ...rest }: Flags): Promise<void> {
  const alone = Object.entries({ problems, output, shard }).find(([, value]) => value !== undefined)?.[0];
  if (alone !== undefined) {
    throw new CodescoreError("usage", `--${alone} cannot be used with --stdio, which reads and writes pipes`);
  }
  if (llm !== undefined)
    throw new CodescoreError("usage", "--llm cannot be used with --stdio: the answers of a model vary");
  const { ExpandWorker, expandColumns, expandDefaults } = await import("../../dataset/index.ts");
  const { openExecutor } = await import("../../execute/index.ts");
  const executor = await openExecutor(executorOptions(rest));
  const again = await openExecutor({ ...executorOptions(rest), workers: 1, hashSeed: 1 });
  try {
    const wanted = { count: count ?? expandDefaults.count, seed: seed ?? expandDefaults.seed };
    const worker = await ExpandWorker.open({ executor, again, ...wanted });
    await answerRows({
      input: process.stdin,
      output: process.stdout,
      columns: expandColumns,
      settings: worker.settings,
      answer: (rows) => worker.batch(rows),
    });
  } finally {
    await Promise.all([executor.close(), again.close()]);
  }
}
