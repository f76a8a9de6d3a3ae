/**
 * Processes many items in several threads (job-thread.ts), optionally also in this one. Results are in the order of the items, and do
 * not depend on which thread processed what.
 */
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { CodescoreError } from "../errors.ts";
import { JobThread, type JobThreadOptions } from "./job-thread.ts";

export interface JobPoolOptions extends JobThreadOptions {
  /** Maximum number of threads. Each starts when there is work for it. */
  readonly threads: number;
}

/** The result for an item, or the error. */
export type Outcome<Made> = { readonly made: Made } | { readonly error: CodescoreError };

export interface Work<Item, Made> {
  /** Name of a job that takes several items and returns the results in order. */
  readonly job: string;
  /** Further arguments of the job, besides `items`. */
  readonly more?: object;
  /** Processes items in this thread too. @default this thread only waits */
  readonly here?: (items: readonly Item[]) => Promise<readonly Made[]>;
  /** Called with the number of items just done. */
  readonly onDone?: (items: number) => void;
}

/** Items per message. Sending a batch costs little compared with its work, and the threads still end at about the same time. */
const BATCH = 16;

/** Number of batches of one call that a thread holds, so that it need not wait for the next one. */
const AHEAD = 2;

export class JobPool {
  readonly #threads: readonly JobThread[];

  constructor({ threads, ...options }: JobPoolOptions) {
    this.#threads = Array.from({ length: threads }, () => new JobThread(options));
  }

  /** As `JobThread.run`, in the first thread. */
  first<Value>(name: string, argument: unknown): Promise<Value> {
    return this.#threads[0]!.run(name, argument);
  }

  /**
   * The outcome of each item. An item that takes too much time or memory, or crashes its thread, is an error; the others are unaffected.
   * Throws `CodescoreError("usage")` if the pool is closed.
   */
  async map<Item, Made>(items: readonly Item[], work: Work<Item, Made>): Promise<Outcome<Made>[]> {
    const outcomes = new Array<Outcome<Made>>(items.length);
    let next = 0;
    /** Processes batches until there are none left. */
    const lane = async (doBatch: (batch: readonly Item[]) => Promise<readonly Outcome<Made>[]>): Promise<void> => {
      while (next < items.length) {
        const from = next;
        next = Math.min(items.length, from + BATCH);
        const done = await doBatch(items.slice(from, next));
        for (const [i, outcome] of done.entries()) outcomes[from + i] = outcome;
        work.onDone?.(done.length);
      }
    };
    const { here } = work;
    const lanes: Promise<void>[] = [];
    const batches = Math.ceil(items.length / BATCH);
    const threads = [...this.#threads].sort((a, b) => a.waiting - b.waiting);
    for (let ahead = 0; ahead < AHEAD; ahead++) {
      for (const thread of threads) {
        if (lanes.length < batches) lanes.push(lane((batch) => this.#inThread(thread, batch, work)));
      }
    }
    if (here !== undefined) lanes.push(lane(async (batch) => (await here(batch)).map((made) => ({ made }))));
    await Promise.all(lanes);
    return outcomes;
  }

  /** Processes a batch in a thread. If it fails, tries its items one by one. */
  async #inThread<Item, Made>(
    thread: JobThread,
    items: readonly Item[],
    work: Work<Item, Made>,
  ): Promise<readonly Outcome<Made>[]> {
    try {
      const made = await thread.run<readonly Made[]>(work.job, { ...work.more, items });
      return made.map((one) => ({ made: one }));
    } catch (error) {
      if (!(error instanceof CodescoreError) || error.code === "usage") throw error;
      if (items.length === 1) return [{ error }];
      const outcomes: Outcome<Made>[] = [];
      for (const item of items) outcomes.push(...(await this.#inThread(thread, [item], work)));
      return outcomes;
    }
  }

  /** Stops at once. Unfinished work throws `CodescoreError("usage")`. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

/** Maximum default number of threads. Each one that reads programs takes about 100 MB. */
const MOST_THREADS = 16;
/** One thread processes this many items in the time that another one needs to start. */
const ALONE = 96;

/**
 * Half of the cores, 16 at most. Each thread compiles all code for reading programs again, and the other cores are for the work that
 * waits for the results. On two cores, two threads took up to a quarter more CPU time and were no faster (models/LOG.md). `isAlone`: no such
 * work, so all cores read.
 */
export const defaultThreads = (isAlone = false): number =>
  Math.max(1, Math.min(isAlone ? availableParallelism() : availableParallelism() >> 1, MOST_THREADS));

export interface InThreads<Item, Made> extends Pick<JobThreadOptions, "entry" | "data"> {
  /** Number of threads, including this one. @default `defaultThreads()` */
  readonly threads?: number | undefined;
  readonly job: string;
  /** The same as the job for one item, for this thread. */
  readonly one: (item: Item) => Made;
  /** Called with the number of items just done. */
  readonly onDone?: (items: number) => void;
}

/** Time limit of one item, in ms. */
const ITEM_MS = 20_000;

/** Processes many items in temporary threads, and returns the results in order. Throws the first error of an item. */
export async function mapInThreads<Item, Made>(
  items: readonly Item[],
  { entry, data, threads = defaultThreads(), job, one, onDone }: InThreads<Item, Made>,
): Promise<Made[]> {
  const others = items.length > ALONE ? threads - 1 : 0;
  const pool = new JobPool({ entry, data, jobMs: ITEM_MS, threads: others });
  try {
    const outcomes = await pool.map<Item, Made>(items, {
      job,
      ...(onDone && { onDone }),
      here: async (batch) => {
        await setImmediate(); // lets messages from the other threads arrive
        return batch.map(one);
      },
    });
    return outcomes.map((outcome) => {
      if ("error" in outcome) throw outcome.error;
      return outcome.made;
    });
  } finally {
    await pool.close();
  }
}
