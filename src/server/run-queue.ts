/**
 * The queue of candidates to run. Tasks of all requests run in turn, one per lane, so that a large request does not delay a
 * small one. The accepted amount is limited from the moment a request arrives. Plain scoring has a separate queue.
 */
import { messageOf } from "../errors.ts";
import { type ScoreResult, withReason } from "../score/index.ts";
import { counted } from "../util/counted.ts";
import { BusyError, GoneError } from "./answers.ts";
import type { ServerMetrics } from "./metrics.ts";
import type { Asked, RunLane, TextScored } from "./run-lane.ts";

export interface RunQueueOptions {
  /** Maximum rows that are accepted and not yet answered. */
  readonly runQueueLimit: number;
}

/** The reserved part of the queue for one request. */
export interface Place {
  /**
   * The results of running the rows, in order. If a task was stopped or its sandbox is gone, its rows keep the scores of their texts
   * and say why. Rejects with `GoneError` when `signal` aborts.
   */
  run(rows: readonly TextScored[], asked: Asked, signal: AbortSignal): Promise<ScoreResult[]>;
  /** Call this when the request is answered. */
  leave(): void;
}

interface Request {
  readonly rows: readonly TextScored[];
  readonly asked: Asked;
  readonly signal: AbortSignal;
  /** Tasks not yet started, each as the indices of its rows. */
  readonly left: (readonly number[])[];
  readonly results: ScoreResult[];
  /** Number of tasks not yet done. */
  open: number;
  readonly resolve: (results: ScoreResult[]) => void;
}

/** Running a row on this many inputs counts as one row of the client's rate, in addition to its score. */
const INPUTS_A_ROW = 5;
/** Maximum characters of all accepted rows, to bound memory. */
export const QUEUE_CHARS = 20_000_000;
/** Weight of the newest task in the running mean of the time per row. */
const NEWEST = 0.3;
/** Maximum seconds after which to retry. */
const LONGEST_WAIT_S = 300;

/** The cost of running this many rows, in rows of the client's rate. */
export const runCost = (rows: number, { inputs }: Asked): number =>
  rows * Math.max(1, Math.ceil(inputs / INPUTS_A_ROW));

export class RunQueue {
  readonly #lanes: number;
  readonly #idle: RunLane[];
  readonly #options: RunQueueOptions;
  readonly #metrics: ServerMetrics;
  readonly #requests: Request[] = [];
  #rows = 0;
  #chars = 0;
  #secondsARow = 0;

  constructor(lanes: readonly RunLane[], metrics: ServerMetrics, options: RunQueueOptions) {
    this.#lanes = lanes.length;
    this.#idle = [...lanes];
    this.#metrics = metrics;
    this.#options = options;
  }

  /** Rows accepted and not yet answered. */
  get length(): number {
    return this.#rows;
  }

  /** Accepts a request's rows. Throws `BusyError` if there is no room for them. */
  enter(rows: number, chars: number): Place {
    if (this.#rows + rows > this.#options.runQueueLimit || this.#chars + chars > QUEUE_CHARS) {
      throw new BusyError(`${counted(this.#rows, "candidate")} already waiting to be run`, this.#retryAfterS);
    }
    this.#rows += rows;
    this.#chars += chars;
    let left = false;
    return {
      run: (...given) => this.#run(...given),
      leave: () => {
        if (left) return;
        left = true;
        this.#rows -= rows;
        this.#chars -= chars;
      },
    };
  }

  get #retryAfterS(): number {
    return Math.min(LONGEST_WAIT_S, (this.#rows * this.#secondsARow) / this.#lanes);
  }

  #run(rows: readonly TextScored[], asked: Asked, signal: AbortSignal): Promise<ScoreResult[]> {
    const results = rows.map(({ byText }): ScoreResult => byText);
    const left = tasksIn(rows);
    if (left.length === 0) return Promise.resolve(results);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        const at = this.#requests.indexOf(request);
        if (at !== -1) this.#requests.splice(at, 1);
        reject(new GoneError("the client went away"));
      };
      const done = (found: ScoreResult[]): void => {
        signal.removeEventListener("abort", giveUp);
        resolve(found);
      };
      const request: Request = { rows, asked, signal, left, results, open: left.length, resolve: done };
      if (signal.aborted) return giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      this.#requests.push(request);
      this.#feed();
    });
  }

  /** Gives idle lanes the next tasks, taking the requests in turn. */
  #feed(): void {
    while (this.#idle.length > 0 && this.#requests.length > 0) {
      const request = this.#requests.shift()!;
      const places = request.left.shift()!;
      if (request.left.length > 0) this.#requests.push(request);
      void this.#runTask(this.#idle.shift()!, request, places);
    }
  }

  async #runTask(lane: RunLane, request: Request, places: readonly number[]): Promise<void> {
    const { asked, signal, results } = request;
    const rows = places.map((place) => request.rows[place]!);
    const began = performance.now();
    let found: ScoreResult[];
    try {
      found = await lane.run({ rows, asked }, signal);
      this.#metrics.run("done", (performance.now() - began) / 1000);
    } catch (error) {
      this.#metrics.run(signal.aborted ? "gone" : "stopped", (performance.now() - began) / 1000);
      found = rows.map(({ byText }) => withReason(byText, messageOf(error)));
    }
    this.#idle.push(lane);
    const seconds = (performance.now() - began) / 1000 / places.length;
    this.#secondsARow = this.#secondsARow === 0 ? seconds : NEWEST * seconds + (1 - NEWEST) * this.#secondsARow;
    this.#feed();
    if (signal.aborted) return;
    for (const [i, place] of places.entries()) {
      const result = found[i]!;
      results[place] = result;
      this.#metrics.runRow("behaviour" in result && result.behaviour?.reason === undefined);
    }
    if (--request.open === 0) request.resolve(results);
  }
}

/** Indices of rows that are run together, as in `RunningScorer`: the same task, entry point, reference and description. */
function tasksIn(rows: readonly TextScored[]): number[][] {
  const tasks = new Map<string, number[]>();
  for (const [i, { taskId, entryPoint, reference, description }] of rows.entries()) {
    const key = JSON.stringify([taskId, entryPoint, reference, description]);
    const places = tasks.get(key) ?? [];
    places.push(i);
    tasks.set(key, places);
  }
  return [...tasks.values()];
}
