/**
 * A model in as many threads as batches can be computed at the same time. Small models gain nothing from splitting a batch's operations
 * between threads: with two threads on two cores, a third of the time is lost on waiting for each other (models/LOG.md).
 */
import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { CodescoreError } from "../errors.ts";
import { closedError, type Integers, isCpu, type Outputs, type Port, Session, type SessionOptions } from "./session.ts";

/**
 * Maximum bytes of a file that is loaded once per thread. A larger model is loaded only once: its operations are large enough to split, and
 * copies would need too much memory. fp16 takes several times its file size in memory, because a CPU computes it as fp32.
 */
const SMALL = 20e6;

/**
 * Another thread starts when a batch would wait for so many milliseconds, or when no thread has been idle for so many. Starting one takes
 * about 250 ms of CPU time, so for less work it would not pay.
 */
const WAIT_MS = 500;
const BUSY_MS = 1000;

/** One thread of a pool. */
interface Place {
  readonly session: Session;
  /** Batches not yet answered. */
  busy: number;
  /** When it began to compute the first of them. */
  began: number;
}

export class SessionPool {
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  /** The execution provider in use. */
  readonly provider: string;
  /** Number of batches that can be computed at the same time. */
  readonly width: number;
  readonly #open: () => Promise<Session>;
  #places: Place[];
  /** When the last thread that was idle got a batch; undefined if a thread is idle. */
  #busySince: number | undefined;
  /** Batches computed so far, and the milliseconds that they took. */
  #computed = { batches: 0, ms: 0 };
  /** Another thread that is starting, because all are busy or none is alive. */
  #opening: Promise<Place> | undefined;
  #closing: Promise<unknown> | undefined;

  private constructor(first: Session, width: number, open: () => Promise<Session>) {
    this.inputs = first.inputs;
    this.outputs = first.outputs;
    this.provider = first.provider;
    this.width = width;
    this.#open = open;
    this.#places = [{ session: first, busy: 0, began: 0 }];
  }

  /** As `Session.open`. `threads` counts the threads of the pool. */
  static async open(path: string, { threads, device }: SessionOptions, remedy: string): Promise<SessionPool> {
    const { bytes, version } = await fileState(path);
    const width = isCpu(device) && bytes <= SMALL ? threads || availableParallelism() : 1;
    const open = () => Session.open(path, { threads: width > 1 ? 1 : threads, device }, remedy);
    return new SessionPool(await open(), width, async () => {
      // Another model must not answer under this model's name.
      if ((await fileState(path)).version === version) return open();
      throw new CodescoreError("model", `${path} has changed since it was loaded; load the model again`);
    });
  }

  /**
   * Computes a batch in the least busy thread. Otherwise as `Session.run`. If a thread dies, its batches are rejected, and a new thread
   * computes the next ones.
   */
  async run(feeds: Readonly<Record<string, Integers>>, wanted: readonly string[]): Promise<Outputs> {
    const place = this.#leastBusy() ?? (await this.#another());
    if (place.busy === 0) place.began = performance.now();
    place.busy++;
    try {
      return await place.session.run(feeds, wanted);
    } finally {
      const now = performance.now();
      this.#computed.batches++;
      this.#computed.ms += now - place.began;
      place.began = now;
      place.busy--;
    }
  }

  /** Resolves when a thread can compute. Starts a new one if all have died. Throws the errors of `run`. */
  async ready(): Promise<void> {
    if (this.#leastBusy() === undefined) await this.#another();
  }

  /** Frees the model. Batches not yet computed are rejected. A second call does nothing. */
  async close(): Promise<void> {
    const close = ({ session }: Place): Promise<void> => session.close();
    const last = this.#opening?.then(close, () => {}); // one that failed to open needs no closing
    this.#closing ??= Promise.all([...this.#places.map(close), last]);
    await this.#closing;
  }

  /**
   * The least busy thread, undefined if none is alive. Starts another one if all are so busy that it pays. Its failure to start does not
   * affect the others.
   */
  #leastBusy(): Place | undefined {
    if (this.#closing) throw closedError();
    this.#places = this.#places.filter(({ session }) => session.alive);
    const [least] = this.#places.toSorted((a, b) => a.busy - b.busy);
    if (least === undefined || least.busy === 0) {
      this.#busySince = undefined;
      return least;
    }
    const now = performance.now();
    this.#busySince ??= now;
    const { batches, ms } = this.#computed;
    const wait = batches === 0 ? 0 : (least.busy * ms) / batches;
    const pays = wait >= WAIT_MS || now - this.#busySince >= BUSY_MS;
    if (pays && this.#places.length < this.width) this.#another().catch(() => {});
    return least;
  }

  #another(): Promise<Place> {
    const add = (session: Session): Place => {
      const place = { session, busy: 0, began: 0 };
      this.#places.push(place);
      return place;
    };
    this.#opening ??= this.#open()
      .then(add)
      .finally(() => {
        this.#opening = undefined;
      });
    return this.#opening;
  }
}

/** Size and identity of a file. For a missing file `Session.open` throws. */
async function fileState(path: string): Promise<{ readonly bytes: number; readonly version: string }> {
  try {
    const { size, mtimeMs, ino } = await stat(path);
    return { bytes: size, version: `${ino} ${mtimeMs} ${size}` };
  } catch {
    return { bytes: 0, version: "none" };
  }
}
