/** Cuts a stream into windows that are scored together. */

import { setImmediate, setTimeout } from "node:timers/promises";

export interface Window<T> {
  readonly items: readonly T[];
  /** The source had nothing more for a while: what there is should be answered before it is asked again. */
  readonly paused: boolean;
}

/** How long a source may take for its next item before what has come is handed on, in milliseconds. */
const PATIENCE = 250;

export interface WindowSizes {
  /** Of the first window; each one after it may hold twice as much. */
  readonly first: number;
  readonly most: number;
}

/**
 * Full windows, and shorter ones at the end and where the source pauses. Asks the source for nothing while a window is in
 * use, and ends the source when its own consumer stops.
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
    ended = true; // a source that threw has ended itself
    throw error;
  } finally {
    const closing = ended ? undefined : iterator.return?.();
    // A source that is still busy with its next item hears of it afterwards; nobody waits for that.
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
  // The turn after the timer: on a busy machine, what has arrived may not have been looked at before.
  const late = setTimeout(PATIENCE, false, { signal: timer.signal }).then((no) => setImmediate(no));
  late.catch(() => {}); // aborted
  try {
    return await Promise.race([settled, late]);
  } finally {
    timer.abort();
  }
}
