/** What the two threads of a WebAssembly guard share: the cells of their `state`, the out-of-memory fault, a limit, and the CPU clock. */

/**
 * Cells of `state`: bytes on the board; lines so far; CPU microseconds of the process at the last line; MiB of memory claimed since the
 * program began; 1 if the program must not answer any more.
 */
export const [WRITTEN, LINES, CPU_US, CLAIMED, ENOUGH] = [0, 1, 2, 3, 4];
export const CELLS = 5;

/** The `fault` of a program that left no memory to report it. */
export const OUT_OF_MEMORY = "out of memory";

/** Limit of all answers of a program, as a multiple of the limit of one answer. candidate.py stops a little before. */
export const MOST_ANSWERS = 110;

/** CPU microseconds of this process. */
export function cpuUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Asking for CPU time is a system call, which many tests are shorter than. Within this many milliseconds wall time is taken for it. */
export const BRIEF_MS = 0.2;

/**
 * A clock in milliseconds that advances by wall time or by CPU time of the process, whichever is less, because the CPU time
 * includes V8's compiler threads.
 */
export function cpuClock() {
  let [time, wall, cpu] = [0, performance.now(), cpuUs()];
  return () => {
    const now = performance.now();
    const passed = now - wall;
    const used = passed < BRIEF_MS ? passed : (cpuUs() - cpu) / 1000;
    time += Math.max(0, Math.min(passed, used));
    wall = now;
    cpu += 1000 * used;
    return time;
  };
}
