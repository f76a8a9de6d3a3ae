/** Limits the number of concurrent requests to the upstream. Others wait in a queue; if it is full, they get 429. */

import { counted } from "../util/counted.ts";
import { BusyError, GoneError } from "./answers.ts";

export interface LimiterOptions {
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
  /** Maximum number of waiting requests. */
  readonly waiting: number;
}

/** Weight of the newest request in the running mean of request times. */
const NEWEST = 0.3;

export class Limiter {
  readonly #options: LimiterOptions;
  readonly #line: (() => void)[] = [];
  #inside = 0;
  #meanS = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  /** Number of waiting requests. */
  get waiting(): number {
    return this.#line.length;
  }

  /**
   * Waits for a place. Returns a function to call when the request is done; further calls do nothing. Throws `BusyError` at
   * once if too many requests wait, and rejects with `GoneError` if `signal` aborts before a place is free.
   */
  enter(signal: AbortSignal): Promise<() => void> {
    const { concurrency, waiting } = this.#options;
    if (this.#inside < concurrency) {
      this.#inside += 1;
      return Promise.resolve(this.#place());
    }
    if (this.#line.length < waiting) return this.#wait(signal);
    const seconds = Math.min(60, (this.#meanS * (this.#line.length + 1)) / concurrency);
    throw new BusyError(`${counted(this.#line.length, "request")} already waiting`, seconds);
  }

  #place(): () => void {
    const began = performance.now();
    let done = false;
    return () => {
      if (done) return;
      done = true;
      const seconds = (performance.now() - began) / 1000;
      this.#meanS = this.#meanS === 0 ? seconds : NEWEST * seconds + (1 - NEWEST) * this.#meanS;
      const next = this.#line.shift();
      if (next) next();
      else this.#inside -= 1;
    };
  }

  #wait(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        const at = this.#line.indexOf(go);
        if (at !== -1) this.#line.splice(at, 1);
        reject(new GoneError("the client went away"));
      };
      const go = (): void => {
        signal.removeEventListener("abort", giveUp);
        resolve(this.#place());
      };
      if (signal.aborted) return giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      this.#line.push(go);
    });
  }
}
