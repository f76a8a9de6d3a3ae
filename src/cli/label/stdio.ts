/** `codescore label --stdio`: a worker for one shard, between two pipes (docs/clusters.md). */
import { CodescoreError } from "../../errors.ts";
import { answerRows } from "../../util/row-stream.ts";
import { executorOptions } from "../options/executor.ts";
import { type Flags, notebooksOf } from "./flags.ts";

/** Ends when stdin ends. */
export async function labelStdio(flags: Flags): Promise<void> {
  const { problems, samples, output, shard, expand, seed, ...rest } = flags;
  const alone = Object.entries({ samples, output, shard }).find(([, value]) => value !== undefined)?.[0];
  if (alone !== undefined) {
    throw new CodescoreError("usage", `--${alone} cannot be used with --stdio, which reads and writes pipes`);
  }
  const { LabelWorker, workerColumns } = await import("../../dataset/index.ts");
  const { openExecutor } = await import("../../execute/index.ts");
  const executor = await openExecutor(executorOptions(rest));
  try {
    const notebooks = notebooksOf(flags);
    const worker = await LabelWorker.open({
      problems,
      executor,
      seed,
      notebooks,
      ...(expand !== undefined && { expand }),
    });
    await answerRows({
      input: process.stdin,
      output: process.stdout,
      columns: workerColumns,
      settings: worker.settings,
      answer: (rows) => worker.batch(rows),
    });
  } finally {
    await executor.close();
  }
}
