/**
 * Ends this process when its parent is gone. The closed pipe does not tell: the thread that would read it may be in the midst
 * of a program or a test that never ends.
 */
import { isMainThread, Worker } from "node:worker_threads";

const LOOK_MS = 500;

/** To be called once, by the main thread. */
export function watchParent() {
  new Worker(new URL(import.meta.url), { env: {} }).unref();
}

if (!isMainThread) {
  const parent = process.ppid;
  setInterval(() => {
    if (!isThere(parent)) process.kill(process.pid, "SIGKILL");
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
