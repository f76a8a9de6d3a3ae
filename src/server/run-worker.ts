/** The worker thread of run-lane.ts: runs the candidates of a task in its own sandbox. If opening it fails, the next task tries again. */
import { workerData } from "node:worker_threads";
import { type Executor, type ExecutorOptions, openExecutor } from "../execute/index.ts";
import { concludedByRun, RunningScorer, type ScoreResult, type TextScorer } from "../score/index.ts";
import type { ScoreInput } from "../types.ts";
import { doJobs } from "../util/job-worker.ts";
import type { LaneFacts, RunJob, TextScored } from "./run-lane.ts";

let opening: Promise<Executor> | null = null;

async function open(): Promise<Executor> {
  opening ??= openExecutor(workerData as ExecutorOptions);
  try {
    return await opening;
  } catch (error) {
    opening = null;
    throw error;
  }
}

async function facts(): Promise<LaneFacts> {
  const { sandbox, python } = await open();
  return { sandbox, python };
}

/** Returns the scores that the texts got earlier, in a batch with others. @param signature of the task's rows, which share one format */
const textScorer = (signature: string): TextScorer => ({
  scoreAll: async (rows: readonly ScoreInput[]) => (rows as readonly TextScored[]).map(({ byText }) => byText),
  signatureOf: () => signature,
});

async function run({ rows, asked }: RunJob): Promise<ScoreResult[]> {
  const executor = await open();
  // What clients send is not stored anywhere, and fills no disk.
  const options = { executor, keep: false, ...asked };
  const scorer = await RunningScorer.load(options, textScorer(rows[0]!.byText.signature));
  const results: ScoreResult[] = [];
  for await (const { result } of scorer.run(rows, "auto")) results.push(concludedByRun(result));
  return results;
}

doJobs(Promise.resolve({ facts, run }));
