/**
 * One queue of rows for all requests. Two batches are out at a time, so that the scorer never waits for the next one; rows that
 * arrive meanwhile are scored together. Batches take rows from all waiting requests in turn. So batches grow under load, an idle
 * server answers at once, and a request with a thousand rows does not delay one with a single row.
 */
import { messageOf } from "../errors.ts";
import type { Score, ScoreInput } from "../types.ts";
import { GoneError } from "./answers.ts";
import { charsOf } from "./rows.ts";
import type { BatchScorer, RowError } from "./scorer.ts";

export interface QueueOptions {
  /** Maximum rows per call of the scorer. */
  readonly batchRows: number;
  /** Maximum rows that wait, without those being scored. */
  readonly queueLimit: number;
}

type Result = Score | RowError;

/** The rows of one request. */
interface Job {
  readonly inputs: readonly ScoreInput[];
  /** Indices of the rows not yet in a batch, the shortest last, so that rows of similar length are batched together. */
  readonly rest: number[];
  readonly results: Result[];
  unanswered: number;
  /** Nobody waits for it any more. */
  isGone: boolean;
  readonly resolve: (results: Result[]) => void;
}

interface Slot {
  readonly job: Job;
  readonly index: number;
}

/** Number of batches given to the scorer at a time: one is scored, and the other is ready when it is done. */
const OUT = 2;
/** How long a batch waits for more rows while another is being scored, in ms. */
const GATHER_MS = 10;
/** A batch is closed when it has this many characters, because long texts take long and other rows wait. */
const BATCH_CHARS = 500_000;
/** Maximum characters that wait, to bound memory. */
export const QUEUE_CHARS = 100_000_000;
/** Weight of the newest batch in the running mean of the rate. */
const NEWEST = 0.3;

export class ScoringQueue {
  readonly #scorer: BatchScorer;
  readonly #options: QueueOptions;
  readonly #jobs: Job[] = [];
  #rows = 0;
  #chars = 0;
  #out = 0;
  #soon: NodeJS.Immediate | undefined;
  #later: NodeJS.Timeout | undefined;
  #lastDone = 0;
  #rowsPerSecond = 0;

  constructor(scorer: BatchScorer, options: QueueOptions) {
    this.#scorer = scorer;
    this.#options = options;
  }

  /** Number of waiting rows. */
  get length(): number {
    return this.#rows;
  }

  /** Estimated seconds until the waiting rows are done, from 1 to 60. */
  get retryAfterS(): number {
    if (this.#rowsPerSecond === 0) return 1;
    return Math.min(60, Math.max(1, Math.ceil(this.#rows / this.#rowsPerSecond)));
  }

  /**
   * One result per row, in order; null if the rows do not fit into the queue, and then none is accepted. When `signal` aborts, the
   * promise rejects with `GoneError` and rows that are not yet read are dropped, because nobody will read their scores.
   */
  submit(inputs: readonly ScoreInput[], signal?: AbortSignal): Promise<Result[]> | null {
    const sizes = inputs.map(charsOf);
    const chars = sizes.reduce((sum, size) => sum + size, 0);
    if (this.#rows + inputs.length > this.#options.queueLimit || this.#chars + chars > QUEUE_CHARS) return null;
    if (inputs.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const rest = inputs.map((_, i) => i).sort((a, b) => sizes[b]! - sizes[a]! || b - a);
      const results = new Array<Result>(inputs.length);
      const job: Job = { inputs, rest, results, unanswered: inputs.length, isGone: false, resolve };
      this.#jobs.push(job);
      this.#rows += inputs.length;
      this.#chars += chars;
      const giveUp = (): void => {
        this.#forget(job);
        reject(new GoneError("the client went away"));
      };
      if (signal?.aborted) giveUp();
      else signal?.addEventListener("abort", giveUp, { once: true });
      this.#wake();
    });
  }

  #forget(job: Job): void {
    job.isGone = true;
    const at = this.#jobs.indexOf(job);
    if (at === -1) return;
    this.#jobs.splice(at, 1);
    this.#rows -= job.rest.length;
    for (const index of job.rest) this.#chars -= charsOf(job.inputs[index]!);
  }

  #wake(): void {
    if (this.#rows === 0 || this.#out === OUT) return;
    // Rows that arrive in the same turn of the event loop join the batch, as do rows that arrive while the scorer is busy.
    if (this.#out === 0 || this.#rows >= this.#options.batchRows) this.#soon ??= setImmediate(() => this.#flush());
    else this.#later ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  #flush(): void {
    clearImmediate(this.#soon);
    clearTimeout(this.#later);
    this.#soon = this.#later = undefined;
    if (this.#rows > 0 && this.#out < OUT) void this.#send();
  }

  async #send(): Promise<void> {
    this.#out += 1;
    const batch = this.#take();
    this.#wake();
    const began = performance.now();
    const inputs = batch.map(({ job, index }) => job.inputs[index]!);
    const jobs = new Map(batch.map(({ job }, i) => [inputs[i]!, job]));
    const results = await this.#score(inputs, (input) => jobs.get(input)?.isGone === true);
    const now = performance.now();
    const rate = (1000 * batch.length) / Math.max(now - Math.max(began, this.#lastDone), 1);
    this.#rowsPerSecond = this.#rowsPerSecond === 0 ? rate : NEWEST * rate + (1 - NEWEST) * this.#rowsPerSecond;
    this.#lastDone = now;
    for (const [i, { job, index }] of batch.entries()) {
      job.results[index] = results[i]!;
      if (--job.unanswered === 0) job.resolve(job.results);
    }
    this.#out -= 1;
    this.#wake();
  }

  /** Takes rows from the waiting requests in turn. */
  #take(): Slot[] {
    const { batchRows } = this.#options;
    const share = Math.max(1, Math.floor(batchRows / this.#jobs.length));
    const batch: Slot[] = [];
    let chars = 0;
    while (batch.length < batchRows && chars < BATCH_CHARS && this.#jobs.length > 0) {
      const job = this.#jobs.shift()!;
      for (let n = 0; n < share && job.rest.length > 0 && batch.length < batchRows && chars < BATCH_CHARS; n++) {
        const index = job.rest.pop()!;
        chars += charsOf(job.inputs[index]!);
        batch.push({ job, index });
      }
      if (job.rest.length > 0) this.#jobs.push(job);
    }
    this.#rows -= batch.length;
    this.#chars -= chars;
    return batch;
  }

  /** Never throws. If a whole batch fails, each row is tried alone, so that one bad row does not affect the others. */
  async #score(inputs: readonly ScoreInput[], isGone: (input: ScoreInput) => boolean): Promise<Result[]> {
    try {
      const results = await this.#scorer.scoreAll(inputs, { isGone });
      if (results.length === inputs.length) return [...results];
      throw new Error(`expected ${inputs.length} results, got ${results.length}`);
    } catch (error) {
      if (inputs.length === 1) return [{ error: { code: "infra", message: `scoring failed: ${messageOf(error)}` } }];
      const alone: Result[] = [];
      for (const input of inputs) alone.push(...(await this.#score([input], isGone)));
      return alone;
    }
  }
}
