/**
 * Slow work other than scoring: the consensus of programs, and splitting a program into parts to explain its score. One thread does it
 * for all requests, one job at a time, and stops a job when its client disconnects. The thread starts with the first job.
 */
import { join } from "node:path";
import type { Dissect, Dissected, ScoreResult, TaskResult } from "../score/index.ts";
import { counted } from "../util/counted.ts";
import { packageRoot } from "../util/files.ts";
import { JobThread } from "../util/job-thread.ts";
import { BusyError, GoneError } from "./answers.ts";

const entry = join(packageRoot, "dist", "server", "analysis-worker.js");

export interface Consensus {
  readonly rows: readonly TaskResult[];
  readonly modules: ReadonlySet<string> | undefined;
}

/** Time limit of one job, in ms. Twice the time of the largest accepted job on a busy machine. */
const JOB_MS = 60_000;
/** The thread ends after this much idle time, in ms, to free its memory. */
const IDLE_MS = 60_000;
/** Maximum number of waiting requests. */
const WAITING = 100;
/** Seconds after which to retry, if the queue is full. */
const RETRY_S = 30;

export class Analysis {
  readonly #thread = new JobThread({ entry, jobMs: JOB_MS, idleMs: IDLE_MS });

  /** As `joinConsensus`. Throws like `dissect`. */
  consensus(asked: Consensus, signal: AbortSignal): Promise<ScoreResult[]> {
    return this.#run("consensus", asked, signal);
  }

  /** As `dissect` of `score/`. Throws `BusyError` if too many requests wait, and `GoneError` when `signal` aborts. */
  dissect(asked: Dissect, signal: AbortSignal): Promise<Dissected> {
    return this.#run("dissect", asked, signal);
  }

  async #run<Value>(name: string, asked: object, signal: AbortSignal): Promise<Value> {
    const { waiting } = this.#thread;
    if (waiting >= WAITING) throw new BusyError(`${counted(waiting, "request")} already waiting`, RETRY_S);
    try {
      return await this.#thread.run<Value>(name, asked, signal);
    } catch (error) {
      if (signal.aborted) throw new GoneError("the client went away");
      throw error;
    }
  }
}
