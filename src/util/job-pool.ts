/**
 * Work on many items in several threads (job-thread.ts), some of it in this one. Results come in the order of the items, and do
 * not depend on who worked on what.
 */
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { CodescoreError } from "../errors.ts";
import { JobThread, type JobThreadOptions } from "./job-thread.ts";

export interface JobPoolOptions extends JobThreadOptions {
  /** Threads at most; each starts when there is work for it. */
  readonly threads: number;
}

/** What an item came to: what was made of it, or why nothing was. */
export type Outcome<Made> = { readonly made: Made } | { readonly error: CodescoreError };

export interface Work<Item, Made> {
  /** The job of that name takes several items and gives what it makes of each, in their order. */
  readonly job: string;
  /** What a job gets besides its `items`. */
  readonly more?: object;
  /** Works on items in this thread beside the others. @default this thread only waits */
  readonly here?: (items: readonly Item[]) => Promise<readonly Made[]>;
  /** Told how many more items are done. */
  readonly onDone?: (items: number) => void;
}

/** Items in one message: what it costs to send one is little beside their work, and threads end at about the same time. */
const BATCH = 16;

/** Batches of one call that a thread holds: it need not wait for the next one. */
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
   * What becomes of each item. One that takes too long, too much memory, or its thread with it, is an error, and the others are not.
   * Throws `CodescoreError("usage")` once the pool is closed.
   */
  async map<Item, Made>(items: readonly Item[], work: Work<Item, Made>): Promise<Outcome<Made>[]> {
    const outcomes = new Array<Outcome<Made>>(items.length);
    let next = 0;
    /** Takes batches until there are none. */
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

  /** Where a batch fails, its items are tried one by one. */
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

  /** Stops at once. Work that is not done throws `CodescoreError("usage")`. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

/** Threads unless so many are asked for: each that reads programs takes some 100 MB. */
const MOST_THREADS = 16;
/** Items that one thread has done before another would have started. */
const ALONE = 96;

/**
 * Half of the cores, 16 at most. Each thread compiles all that reads programs anew, and the other half is for what waits for them: on
 * two cores two threads took up to a quarter more CPU time and were no faster (models/LOG.md).
 */
export const defaultThreads = (): number => Math.max(1, Math.min(availableParallelism() >> 1, MOST_THREADS));

export interface InThreads<Item, Made> extends Pick<JobThreadOptions, "entry" | "data"> {
  /** In all, this one among them. @default `defaultThreads()` */
  readonly threads?: number | undefined;
  readonly job: string;
  /** What the job does with each item, in this thread. */
  readonly one: (item: Item) => Made;
  /** Told how many more items are done. */
  readonly onDone?: (items: number) => void;
}

/** How long one item may take, in milliseconds. */
const ITEM_MS = 20_000;

/** What is made of each of many items, in their order, by threads that end with it. Throws what keeps one item from it. */
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
        await setImmediate(); // the others' answers come in between
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
