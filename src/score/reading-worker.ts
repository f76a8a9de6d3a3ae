/** Worker thread of reading-threads.ts. */
import { workerData } from "node:worker_threads";
import { readScorerConfig } from "../model/config.ts";
import type { InputFormat, ScoreInput } from "../types.ts";
import { doJobs, type Jobs } from "../util/job-worker.ts";
import { openReader } from "./reading.ts";

interface Asked {
  readonly items: readonly ScoreInput[];
  readonly wanted: InputFormat | "auto";
}

async function open(folder: string): Promise<Jobs> {
  const { vocabSize, trees, read } = await openReader(folder, await readScorerConfig(folder));
  return { facts: () => ({ vocabSize, trees }), read: ({ items, wanted }: Asked) => read(items, wanted, () => false) };
}

doJobs(open((workerData as { readonly folder: string }).folder));
