/** Concurrency with order: many at work, results one after another as the input was. */

/**
 * The results of `work` in the order of `items`, at most `window` of them started and not yet handed on, so that memory
 * does not grow with the input. The first error is thrown at its place, and nothing more is started.
 */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  window: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  for await (const item of items) {
    const result = work(item);
    result.catch(() => {}); // seen when its turn comes
    running.push(result);
    if (running.length >= window) yield (await running.shift()) as R;
  }
  for (const result of running) yield await result;
}
