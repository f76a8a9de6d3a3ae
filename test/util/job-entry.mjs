// A thread for job-thread.test.ts.
import { doJobs } from "../../dist/util/job-worker.js";

doJobs(
  Promise.resolve({
    double: (n) => 2 * n,
    fail: (message) => {
      throw new RangeError(message);
    },
    spin: (ms) => {
      for (const end = performance.now() + ms; performance.now() < end; );
      return ms;
    },
    fill: () => {
      for (const all = []; ; ) all.push(new Array(1000).fill(1.5));
    },
    exit: () => process.exit(3),
  }),
);
