/**
 * One queue of rows for all requests. A batch is taken whenever the scorer is free: what came in the meantime is scored
 * together, first come first served, so that load makes batches larger and an idle server answers at once.
 */
import { messageOf } from "../errors.ts";
import type { Score, ScoreInput } from "../types.ts";
import type { BatchScorer, RowError } from "./scorer.ts";

export interface QueueOptions {
  /** Rows handed to the scorer at a time. */
  readonly batchRows: number;
  /** Rows that may wait; those being scored do not count. */
  readonly queueLimit: number;
}

interface Waiting {
  readonly input: ScoreInput;
  readonly done: (result: Score | RowError) => void;
}

/** Weight of the newest batch in the running mean of the rate. */
const newest = 0.3;

export class ScoringQueue {
  readonly #scorer: BatchScorer;
  readonly #options: QueueOptions;
  readonly #waiting: Waiting[] = [];
  #busy = false;
  #rowsPerSecond = 0;

  constructor(scorer: BatchScorer, options: QueueOptions) {
    this.#scorer = scorer;
    this.#options = options;
  }

  /** Rows that wait. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Seconds, at least 1, in which the rows that wait should be done. */
  get retryAfterS(): number {
    if (this.#rowsPerSecond === 0) return 1;
    return Math.min(60, Math.max(1, Math.ceil(this.#waiting.length / this.#rowsPerSecond)));
  }

  /** One result a row, in order; null, and nothing taken, when they do not fit into the queue. */
  submit(inputs: readonly ScoreInput[]): Promise<(Score | RowError)[]> | null {
    if (this.#waiting.length + inputs.length > this.#options.queueLimit) return null;
    const results = inputs.map(
      (input) => new Promise<Score | RowError>((done) => void this.#waiting.push({ input, done })),
    );
    if (!this.#busy) void this.#work();
    return Promise.all(results);
  }

  async #work(): Promise<void> {
    this.#busy = true;
    // Requests that arrived in the same turn of the event loop join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#options.batchRows);
      const began = performance.now();
      const results = await this.#score(batch.map(({ input }) => input));
      const rate = (1000 * batch.length) / Math.max(performance.now() - began, 1);
      this.#rowsPerSecond = this.#rowsPerSecond === 0 ? rate : newest * rate + (1 - newest) * this.#rowsPerSecond;
      batch.forEach(({ done }, i) => {
        done(results[i]!);
      });
    }
    this.#busy = false;
  }

  /** Never throws: when a batch fails as a whole, each row is tried alone, so that one cannot take others with it. */
  async #score(inputs: readonly ScoreInput[]): Promise<(Score | RowError)[]> {
    try {
      const results = await this.#scorer.scoreAll(inputs);
      if (results.length === inputs.length) return [...results];
      throw new Error(`expected ${inputs.length} results, got ${results.length}`);
    } catch (error) {
      if (inputs.length === 1) return [{ error: { code: "infra", message: `scoring failed: ${messageOf(error)}` } }];
      const alone: (Score | RowError)[] = [];
      for (const input of inputs) alone.push(...(await this.#score([input])));
      return alone;
    }
  }
}
