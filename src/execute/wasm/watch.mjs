/**
 * Ends this process when its parent is gone, or when judging a test takes too long. The main thread can do neither:
 * it may be in the middle of a program or a test that never ends.
 */
import { writeSync } from "node:fs";
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { cpuUs } from "./clock.mjs";

const LOOK_MS = 500;
const JUDGE_S = 3; // CPU seconds of a test: JUDGING plus HARD_SECONDS of judging.py
const MOST_TESTS = 5; // maximum number of tests that add to the time limit; if it is exceeded, they are judged again one by one
const IDLE = -1;
const OUT_OF_TIME = "TimeoutError: SIGXCPU\n"; // judge.ts recognises SIGXCPU as a timeout; written, because Windows has no such signal

/** Call it once, from the main thread. Returns functions that mark the beginning and the end of judging. */
export function watch() {
  const until = new Int32Array(new SharedArrayBuffer(4)).fill(IDLE); // CPU milliseconds
  new Worker(new URL(import.meta.url), { env: {}, workerData: until }).unref();
  return {
    begin: (tests) => Atomics.store(until, 0, cpuUs() / 1000 + 1000 * JUDGE_S * Math.min(tests, MOST_TESTS)),
    end: () => Atomics.store(until, 0, IDLE),
  };
}

if (!isMainThread) {
  const parent = process.ppid;
  setInterval(() => {
    if (!isThere(parent)) process.kill(process.pid, "SIGKILL");
    const until = Atomics.load(workerData, 0);
    if (until === IDLE || cpuUs() / 1000 <= until) return;
    try {
      writeSync(2, OUT_OF_TIME);
    } finally {
      process.kill(process.pid, "SIGKILL");
    }
  }, LOOK_MS);
}

/** An orphan gets another parent, except on Windows. */
function isThere(parent) {
  if (process.ppid !== parent) return false;
  try {
    process.kill(parent, 0);
  } catch (error) {
    return error.code !== "ESRCH"; // any other error: the parent exists, but belongs to another user
  }
  return true;
}
