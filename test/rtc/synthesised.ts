/** SynthesisRTC on two small problems, unless told otherwise. */
import type { Llm } from "../../src/rtc/llm.ts";
import type { RoundTripsOptions } from "../../src/rtc/run.ts";
import { openSimilarity } from "../../src/rtc/similarity.ts";
import { synthesisRtc } from "../../src/rtc/synthesis.ts";
import type { Problem } from "../../src/types.ts";
import { greet, twice } from "./problems.ts";

export const runOf = (
  out: string,
  llm: Llm,
  over: Partial<RoundTripsOptions> & { problems?: readonly Problem[] } = {},
) =>
  synthesisRtc({
    problems: [twice, greet],
    forward: llm,
    backward: llm,
    similarities: [openSimilarity("exact")],
    out,
    quiet: true,
    ...over,
  });
