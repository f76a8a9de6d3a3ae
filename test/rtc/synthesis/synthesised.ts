/** SynthesisRTC on two small problems by default. */
import type { Llm } from "../../../src/rtc/llm/llm.ts";
import { synthesisRtc } from "../../../src/rtc/synthesis/synthesis.ts";
import type { RoundTripsOptions } from "../../../src/rtc/trip/run.ts";
import { openSimilarity } from "../../../src/rtc/trip/similarity.ts";
import type { Problem } from "../../../src/types.ts";
import { greet, twice } from "../problems.ts";

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
