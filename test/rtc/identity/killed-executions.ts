/** A run in a separate process that tests kill while it executes: `killed-executions.ts RECORDING OUT DONE`. */
import { openExecutor } from "../../../src/execute/index.ts";
import { identityChain, identityTasks, openSimilarity, replayLlm } from "../../../src/rtc/index.ts";
import { chained, hangingAfter } from "../executed.ts";

const [recording, out, done] = process.argv.slice(-3) as [string, string, string];
const llm = await replayLlm(recording);
const executor = await openExecutor({ workers: 1 });
await identityChain(await identityTasks(chained), {
  forward: llm,
  backward: llm,
  executor: hangingAfter(executor, Number(done)),
  similarities: [openSimilarity("exact")],
  length: 2,
  out,
  quiet: true,
});
