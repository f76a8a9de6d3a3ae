import { configDefaults, defineConfig } from "vitest/config";

// Slow suites (test/**/*.slow.test.ts) need the real data and run only from `.ci/run`.
const slow = process.env.CODESCORE_SLOW === "1";

// These replace a module of Node's, or hold hooks in a file that several of them import.
const ALONE = ["test/onnx/dead.test.ts", "test/rtc/patched/*.test.ts", "test/rtc/report/*.test.ts"];

const all = slow ? ["test/**/*.slow.test.ts"] : ["test/**/*.test.ts"];
const others = [...configDefaults.exclude, ...(slow ? [] : ["test/**/*.slow.test.ts"])];

export default defineConfig({
  test: {
    // A busy machine takes several times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    minWorkers: 1,
    projects: [
      // One process for many files: loading the modules anew for each took a third of the time.
      { extends: true, test: { name: "shared", include: all, exclude: [...others, ...ALONE], isolate: false } },
      { extends: true, test: { name: "alone", include: slow ? [] : ALONE, exclude: others } },
    ],
  },
});
