/**
 * Ends this process when its parent is gone, or when judging a test takes too long. Neither can be left to the main thread:
 * it may be in the midst of a program or a test that never ends.
 */
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { cpuUs } from "./clock.mjs";

const LOOK_MS = 500;
const JUDGE_S = 3; // CPU seconds of a test, as JUDGING and HARD_SECONDS of judging.py
const MOST_TESTS = 5; // what takes longer than so many is judged again one by one
const IDLE = -1;
const OUT_OF_TIME = process.platform === "win32" ? "SIGKILL" : "SIGXCPU"; // by which judge.ts knows

/** To be called once, by the main thread. Returns what marks the beginning and the end of judging. */
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
    if (until !== IDLE && cpuUs() / 1000 > until) process.kill(process.pid, OUT_OF_TIME);
  }, LOOK_MS);
}

/** Orphans get another parent, but on Windows. */
function isThere(parent) {
  if (process.ppid !== parent) return false;
  try {
    process.kill(parent, 0);
  } catch (error) {
    return error.code !== "ESRCH"; // else it is there, but another user's
  }
  return true;
}
