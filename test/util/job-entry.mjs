// The thread code for job-thread.test.ts and job-pool.test.ts.
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
    doubleAll: ({ items, slow, deadly }) =>
      items.map((n) => {
        if (n === deadly) process.exit(3);
        for (const end = performance.now() + 600_000; n === slow && performance.now() < end; );
        return 2 * n;
      }),
    exit: () => process.exit(3),
  }),
);
