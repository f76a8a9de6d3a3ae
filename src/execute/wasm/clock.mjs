/** What the two threads of a WebAssembly guard share: cells of their `state`, the word for no memory, a limit, and the clock of the process. */

/**
 * Bytes on the board, lines so far, CPU of the process at the last line, MiB of memory claimed since the program began, whether it is to
 * answer no more.
 */
export const [WRITTEN, LINES, CPU_US, CLAIMED, ENOUGH] = [0, 1, 2, 3, 4];
export const CELLS = 5;

/** The `fault` of a program that left no memory to report so in. */
export const OUT_OF_MEMORY = "out of memory";

/** Times what one answer may have, of all answers of a program; candidate.py stops a little before. */
export const MOST_ANSWERS = 110;

/** CPU microseconds of this process. */
export function cpuUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/**
 * A clock in milliseconds that goes on by the time of the wall or the CPU time of the process, whichever is less: the CPU time
 * has that of V8's compiling threads in it.
 */
export function cpuClock() {
  let [time, wall, cpu] = [0, performance.now(), cpuUs()];
  return () => {
    const [nowWall, nowCpu] = [performance.now(), cpuUs()];
    time += Math.max(0, Math.min(nowWall - wall, (nowCpu - cpu) / 1000));
    [wall, cpu] = [nowWall, nowCpu];
    return time;
  };
}
