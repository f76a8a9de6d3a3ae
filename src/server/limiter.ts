/** How many requests may be with the upstream at a time; the others wait in line, and beyond that get 429. */

import { counted } from "../util/counted.ts";
import { BusyError, GoneError } from "./answers.ts";

export interface LimiterOptions {
  /** Requests that are let through at a time. */
  readonly concurrency: number;
  /** Requests that may wait. */
  readonly waiting: number;
}

/** Weight of the newest request in the running mean of their time. */
const NEWEST = 0.3;

export class Limiter {
  readonly #options: LimiterOptions;
  readonly #line: (() => void)[] = [];
  #inside = 0;
  #meanS = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#line.length;
  }

  /**
   * Waits for a place; what it gives is to be called when the request is done, more than once if need be. Throws `BusyError` at
   * once when too many wait already; rejects with `GoneError` when `signal` aborts before there is a place.
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
