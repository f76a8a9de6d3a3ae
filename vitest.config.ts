import { defineConfig } from "vitest/config";

// Slow suites (test/**/*.slow.test.ts) need the real data and run only from `.ci/run`.
const slow = process.env.CODESCORE_SLOW === "1";

export default defineConfig({
  test: {
    include: [slow ? "test/**/*.slow.test.ts" : "test/**/*.test.ts"],
    exclude: slow ? [] : ["test/**/*.slow.test.ts"],
    // A busy machine takes several times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    minWorkers: 1,
  },
});
