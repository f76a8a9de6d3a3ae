/** A run in a separate process that tests kill: `killed-chains.ts URL OUT`. */
import type { Executor } from "../../../src/execute/index.ts";
import { identityChain, identityTasks, openAiLlm, openSimilarity } from "../../../src/rtc/index.ts";
import { clip, twice } from "../problems.ts";

const [url, out] = process.argv.slice(-2) as [string, string];
const llm = openAiLlm({ model: "m", baseUrl: url });
await identityChain(await identityTasks([twice, clip]), {
  forward: llm,
  backward: llm,
  executor: {} as Executor, // it is killed before anything is executed
  similarities: [openSimilarity("exact")],
  out,
  quiet: true,
});
