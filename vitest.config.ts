import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

// Slow suites (test/**/*.slow.test.ts) need the real data and run only from `.ci/run`.
const slow = process.env.CODESCORE_SLOW === "1";

// Some tests wait for what others do. Fewer than that at times, and tinypool would end workers that have work.
const workers = availableParallelism() + 1;

export default defineConfig({
  test: {
    include: [slow ? "test/**/*.slow.test.ts" : "test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(slow ? [] : ["test/**/*.slow.test.ts"])],
    // A busy machine takes several times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: workers,
    minWorkers: workers,
    // Each process runs many files: loading the modules anew for each took a third of the time.
    isolate: false,
  },
});
