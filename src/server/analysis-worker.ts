/** The worker thread of analysis.ts. */
import { type Dissect, dissect, joinConsensus } from "../score/index.ts";
import { doJobs } from "../util/job-worker.ts";
import type { Consensus } from "./analysis.ts";

doJobs(
  Promise.resolve({
    consensus: ({ rows, modules }: Consensus) => joinConsensus(rows, modules),
    dissect: (given: Dissect) => dissect(given),
  }),
);
