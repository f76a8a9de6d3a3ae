/** Concurrent work with results in input order. */

/**
 * The results of `work` in the order of `items`. At most `window` items are started and not yet yielded, so that memory
 * does not grow with the input. The first error is thrown in its position, and nothing more is started.
 */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  window: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  for await (const item of items) {
    const result = work(item);
    result.catch(() => {}); // thrown when its turn comes
    running.push(result);
    if (running.length >= window) yield (await running.shift()) as R;
  }
  for (const result of running) yield await result;
}
