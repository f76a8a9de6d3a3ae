/**
 * A model in as many threads as batches can be computed at once. Small models gain nothing from sharing one batch's operations
 * between threads: of two threads on two cores they lose a third of the time waiting for each other (models/LOG.md).
 */
import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { CodescoreError } from "../errors.ts";
import { closedError, type Integers, isCpu, type Outputs, type Port, Session, type SessionOptions } from "./session.ts";

/**
 * A file of more bytes is loaded once, its operations being large enough to share, and its copies too many to hold: fp16 takes
 * several times its size in memory, since a CPU computes it as fp32.
 */
const SMALL = 20e6;

/** One thread of a pool. */
interface Place {
  readonly session: Session;
  /** Batches that it has not answered. */
  busy: number;
}

export class SessionPool {
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  /** The execution provider that computes. */
  readonly provider: string;
  /** Batches that are computed at once, when as many wait. */
  readonly width: number;
  readonly #open: () => Promise<Session>;
  #places: Place[];
  /** One more that comes up, since all were busy or none was left. */
  #opening: Promise<Place> | undefined;
  #closing: Promise<unknown> | undefined;

  private constructor(first: Session, width: number, open: () => Promise<Session>) {
    this.inputs = first.inputs;
    this.outputs = first.outputs;
    this.provider = first.provider;
    this.width = width;
    this.#open = open;
    this.#places = [{ session: first, busy: 0 }];
  }

  /** As `Session.open`; `threads` are those of the pool. */
  static async open(path: string, { threads, device }: SessionOptions, remedy: string): Promise<SessionPool> {
    const { bytes, version } = await fileState(path);
    const width = isCpu(device) && bytes <= SMALL ? threads || availableParallelism() : 1;
    const open = () => Session.open(path, { threads: width > 1 ? 1 : threads, device }, remedy);
    return new SessionPool(await open(), width, async () => {
      // Another model must not answer under the name of this one.
      if ((await fileState(path)).version === version) return open();
      throw new CodescoreError("model", `${path} is no more the file that was loaded; load it again to go on`);
    });
  }

  /**
   * Whichever is least busy computes it. Otherwise as `Session.run`: where a thread dies its batches are rejected, and a new
   * one computes the next.
   */
  async run(feeds: Readonly<Record<string, Integers>>, wanted: readonly string[]): Promise<Outputs> {
    const place = this.#leastBusy() ?? (await this.#another());
    place.busy++;
    try {
      return await place.session.run(feeds, wanted);
    } finally {
      place.busy--;
    }
  }

  /** Resolves when there is a thread that computes; where all have died, a new one. Throws what `run` would. */
  async ready(): Promise<void> {
    if (this.#leastBusy() === undefined) await this.#another();
  }

  /** Frees the model. What was not computed yet is rejected; a second call does nothing. */
  async close(): Promise<void> {
    const close = ({ session }: Place): Promise<void> => session.close();
    const last = this.#opening?.then(close, () => {}); // one that failed to open is none
    this.#closing ??= Promise.all([...this.#places.map(close), last]);
    await this.#closing;
  }

  /** Undefined where none is left; one more is opened while all are busy, and what keeps it from coming up is no fault of theirs. */
  #leastBusy(): Place | undefined {
    if (this.#closing) throw closedError();
    this.#places = this.#places.filter(({ session }) => session.alive);
    const [least] = this.#places.toSorted((a, b) => a.busy - b.busy);
    if (least && least.busy > 0 && this.#places.length < this.width) this.#another().catch(() => {});
    return least;
  }

  #another(): Promise<Place> {
    const add = (session: Session): Place => {
      const place = { session, busy: 0 };
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

/** Size of a file, and what another file in its place would not share. One that is not there is for `Session.open` to refuse. */
async function fileState(path: string): Promise<{ readonly bytes: number; readonly version: string }> {
  try {
    const { size, mtimeMs, ino } = await stat(path);
    return { bytes: size, version: `${ino} ${mtimeMs} ${size}` };
  } catch {
    return { bytes: 0, version: "none" };
  }
}
