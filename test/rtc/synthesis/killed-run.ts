/** A run in a separate process that tests kill: `killed-run.ts URL OUT`. */
import { openAiLlm, openSimilarity, synthesisRtc } from "../../../src/rtc/index.ts";
import { clip, greet, twice } from "../problems.ts";

const [url, out] = process.argv.slice(-2) as [string, string];
const llm = openAiLlm({ model: "m", baseUrl: url });
await synthesisRtc({
  problems: [twice, greet, clip],
  forward: llm,
  backward: llm,
  similarities: [openSimilarity("exact")],
  out,
  quiet: true,
});
