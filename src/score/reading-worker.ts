/** The thread of reading-thread.ts. */
import { workerData } from "node:worker_threads";
import { readConfig } from "../model/config.ts";
import type { InputFormat, ScoreInput } from "../types.ts";
import { doJobs, type Jobs } from "../util/job-worker.ts";
import { openReader } from "./reading.ts";

interface Asked {
  readonly input: ScoreInput;
  readonly wanted: InputFormat | "auto";
}

async function open(folder: string): Promise<Jobs> {
  const { vocabSize, trees, read } = await openReader(folder, await readConfig(folder));
  return { facts: () => ({ vocabSize, trees }), read: ({ input, wanted }: Asked) => read(input, wanted) };
}

doJobs(open((workerData as { readonly folder: string }).folder));
