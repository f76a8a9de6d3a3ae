/** Cuts a stream into windows that are scored together. */

import { setImmediate, setTimeout } from "node:timers/promises";

export interface Window<T> {
  readonly items: readonly T[];
  /** The source had nothing more for a while. These items should be answered before the source is asked again. */
  readonly paused: boolean;
}

/** How long a source may take for its next item before the items so far are passed on, in milliseconds. */
const PATIENCE = 250;

export interface WindowSizes {
  /** Size of the first window. Each later window may hold twice as many as the one before, up to `most`. */
  readonly first: number;
  readonly most: number;
}

/**
 * Yields full windows, and shorter ones at the end and when the source pauses. Does not read from the source while a window is in use. Ends
 * the source when its own consumer stops.
 */
export async function* windows<T>(
  source: Iterable<T> | AsyncIterable<T>,
  { first, most }: WindowSizes,
): AsyncGenerator<Window<T>> {
  let size = first;
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  let items: T[] = [];
  let asked: Promise<IteratorResult<T>> | null = null;
  let ended = false;
  try {
    while (!ended) {
      const next: IteratorResult<T> | Promise<IteratorResult<T>> = asked ?? iterator.next();
      let result: IteratorResult<T>;
      if ("then" in next) {
        asked = next;
        if (items.length > 0 && !(await settles(asked))) {
          yield { items, paused: true };
          items = [];
        }
        result = await asked;
        asked = null;
      } else {
        result = next;
      }
      if (result.done) ended = true;
      else items.push(result.value);
      if (items.length === size || (ended && items.length > 0)) {
        yield { items, paused: false };
        items = [];
        size = Math.min(2 * size, most);
      }
    }
  } catch (error) {
    ended = true; // a source that threw has ended
    throw error;
  } finally {
    const closing = ended ? undefined : iterator.return?.();
    // A source that is still busy with its next item learns of it later. Nobody waits for that.
    if (asked === null) await closing;
    else Promise.all([asked, closing]).catch(() => {});
  }
}

/** Whether a promise settles soon. */
async function settles(promise: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const settled = promise.then(
    () => true,
    () => true,
  );
  // Waits one event-loop turn after the timer: on a busy machine, an item that has arrived may not have been handled yet.
  const late = setTimeout(PATIENCE, false, { signal: timer.signal }).then((no) => setImmediate(no));
  late.catch(() => {}); // the timer was aborted
  try {
    return await Promise.race([settled, late]);
  } finally {
    timer.abort();
  }
}
