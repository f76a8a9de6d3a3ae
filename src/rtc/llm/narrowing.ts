/**
 * Limits simultaneous calls further if many of them get no answer in time. A server with fewer slots than calls (llama.cpp's, Ollama's) lets
 * the others wait. Repeated calls would wait again, and again be too late.
 */
export interface Narrowing {
  /** Runs `call`, at most as many at a time as are left. `isLate` says of its error whether it was too late. */
  run<T>(call: () => Promise<T>, isLate: (error: unknown) => boolean): Promise<T>;
  /** Calls at a time that are left. */
  readonly width: () => number;
}

export function narrowing(concurrency: number): Narrowing {
  let width = concurrency;
  let running = 0;
  const waiting: (() => void)[] = [];
  /** Whether the last calls of this width were late. One lost call among many must not slow a long run down. */
  let recent: boolean[] = [];

  const note = (late: boolean): void => {
    recent = [...recent, late].slice(-2 * width);
    if (width === 1 || recent.filter(Boolean).length < Math.max(2, width / 2)) return;
    width = Math.floor(width / 2);
    recent = [];
  };

  return {
    width: () => width,
    run: async (call, isLate) => {
      while (running >= width) await new Promise<void>((resolve) => waiting.push(resolve));
      running += 1;
      const begunAt = width;
      try {
        const value = await call();
        if (begunAt === width) note(false);
        return value;
      } catch (error) {
        // A call that began before the width changed says nothing about the new width.
        if (begunAt === width) note(isLate(error));
        throw error;
      } finally {
        running -= 1;
        for (const next of waiting.splice(0)) next();
      }
    },
  };
}
