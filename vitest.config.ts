import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Slow suites (test/**/*.slow.test.ts) need the real data and run only from `.ci/run`.
const slow = process.env.CODESCORE_SLOW === "1";

/** Fast suites that `.ci/run` runs again, in bubblewrap, among the slow ones: they use the cores while slow ones wait. */
const also = process.env.CODESCORE_TEST_ALSO?.split(" ") ?? [];

// Some tests wait for what others do. Fewer than that at times, and tinypool would end workers that have work.
const workers = availableParallelism() + 1;

/** What takes longest: begun late, the others would have ended long before it. */
const LONGEST = [
  ...[
    "python/client.slow",
    "cli/pack.slow",
    "docs/commands.slow",
    "docs/smaller.slow",
    "docs/others.slow",
    "behaviour/hostile.slow",
    "execute/hostile-wasm.slow",
    "execute/attacks-long.slow",
    "train/base.slow",
    "train/pretrain/pretrain.slow",
    "execute/wasm/snapshot.slow",
    "execute/notebook/set.slow",
    "execute/hostile-packages.slow",
    "evaluate/estimate/estimate.slow",
    "evaluate/robustness/robustness.slow",
    "execute/agreement.slow",
    "dataset/expand.slow",
  ],
  ...["execute/bigcodebench.slow", "dataset/build/build.slow", "train/engine/webgpu.slow", "score/light.slow"],
  ...["cli/kill.slow", "execute/short-cuts.slow"],
  ...[
    "execute/hostile-wasm",
    "execute/hostile-landlock",
    "dataset/expand-verbs",
    "evaluate/fit/boost",
    "execute/hostile-bwrap",
    "execute/options",
    "execute/packages",
    "execute/endless",
  ],
  ...[
    "cli/kill",
    "cli/outputs",
    "execute/attacks-judged",
    "execute/attacks-neighbours",
    "execute/short-cuts",
    "execute/orphan",
    "behaviour/hostile",
    "execute/project/project",
    "server/serve",
    "server/evaluate",
    "server/malformed",
    "cli/bad-input",
    "execute/shareable-attacks",
    "server/proxy",
    "behaviour/inputs",
    "server/run",
    "rtc/gemma",
  ],
].map((name) => `/test/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    // Where CI is set, picocolors colours what tests read.
    env: { NO_COLOR: "1" },
    globalSetup: "test/before-all.mjs",
    include: slow ? ["test/**/*.slow.test.ts", ...also] : ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(slow ? [] : ["test/**/*.slow.test.ts"])],
    // A busy machine takes several times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: workers,
    minWorkers: workers,
    // Each process runs many files: loading the modules anew for each took a third of the time.
    isolate: false,
    // The cores are busy: threads that collect garbage side by side take more of them in all than one does.
    poolOptions: { forks: { execArgv: ["--single-threaded-gc"] } },
    sequence: { sequencer: LongestFirst },
  },
});
