/**
 * What takes long besides scores: the consensus of programs, and taking one apart to explain it. One thread does it for all requests,
 * one at a time, and stops in the midst when the client goes away. It begins with the first of them.
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

/** How long one may take, in milliseconds: twice as long as the largest that is taken, on a busy machine. */
const JOB_MS = 60_000;
/** The memory of the thread is given back when it had nothing to do for so long. */
const IDLE_MS = 60_000;
/** Requests that may wait for it. */
const WAITING = 100;
/** When to come again, in seconds, where as many wait. */
const RETRY_S = 30;

export class Analysis {
  readonly #thread = new JobThread({ entry, jobMs: JOB_MS, idleMs: IDLE_MS });

  /** As `joinConsensus`. Throws as `dissect` does. */
  consensus(asked: Consensus, signal: AbortSignal): Promise<ScoreResult[]> {
    return this.#run("consensus", asked, signal);
  }

  /** As that of `score/`. Throws `BusyError` where too many wait, and `GoneError` when `signal` aborts. */
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
