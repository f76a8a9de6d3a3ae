import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

// Slow suites (test/**/*.slow.test.ts) need the real data and run only from `.ci/run`.
const slow = process.env.CODESCORE_SLOW === "1";
const include = [slow ? "test/**/*.slow.test.ts" : "test/**/*.test.ts"];
const exclude = [...configDefaults.exclude, ...(slow ? [] : ["test/**/*.slow.test.ts"])];

// It replaces a module of Node's.
const ALONE = "test/onnx/dead.test.ts";

export default defineConfig({
  test: {
    // A busy machine takes several times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: availableParallelism() + 1, // some tests wait for what others do
    minWorkers: 1,
    // Each process runs many files: loading the modules anew for each took a third of the time. Projects share no process.
    poolOptions: { forks: { isolate: false } },
    projects: [
      { extends: true, test: { name: "all", include, exclude: [...exclude, ALONE] } },
      { extends: true, test: { name: "alone", include: slow ? [] : [ALONE], exclude } },
    ],
  },
});
