/** The robustness card of the shipped model on half of the starter problems. Every program is executed in the sandbox. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeRobustnessSet, metricColumn, robustness, scorerColumn } from "../../../src/evaluate/index.ts";
import { openExecutor } from "../../../src/execute/index.ts";
import { getMetric } from "../../../src/metrics/index.ts";
import { readProblems } from "../../../src/problems/index.ts";
import { CodeScorer } from "../../../src/score/index.ts";
import { packageRoot } from "../../../src/util/files.ts";

it("moves less by harmless changes than chrF does, and more by harmful ones", { timeout: 300_000 }, async () => {
  const all80 = [...(await readProblems([join(packageRoot, "datasets", "starter")])).values()];
  const problems = all80.filter((_, i) => i % 2 === 0);
  const executor = await openExecutor();
  const set = await makeRobustnessSet({ problems, executor, variants: 1, mutants: 4 }).finally(() => executor.close());
  expect(set.counts).toMatchObject({ problems: 40, withoutOriginal: 0, infra: 0 });
  const harmless = set.rows.filter(({ effect }) => effect === "harmless");
  expect(new Set(harmless.map(({ kind }) => kind)).size).toBe(5);
  expect(harmless.length).toBeGreaterThan(120);
  expect(Object.values(set.counts.changed).reduce((a, b) => a + b, 0)).toBeLessThan(5);
  const scorer = await CodeScorer.load(join(packageRoot, "models", "codescore-small"));
  const model = await scorerColumn(scorer, set.rows).finally(() => scorer.close());
  const card = robustness(set, [model, await metricColumn(getMetric("chrf"), set.rows)]);
  const [ours, chrf] = card.results as [(typeof card.results)[0], (typeof card.results)[0]];
  // It reads programs without comments and with normalised variable names.
  for (const kind of ["renaming", "comments", "formatting"]) {
    expect(ours.harmless.find((one) => one.kind === kind)!.p90Change.value).toBeLessThan(1e-6);
  }
  const all = (result: typeof ours) => [result.harmless.at(-1)!, result.harmful.at(-1)!] as const;
  expect(all(ours)[0].meanChange.value!).toBeLessThan(all(chrf)[0].meanChange.value!);
  expect(all(ours)[1].drop.value!).toBeGreaterThan(all(chrf)[1].drop.value!);
  expect(all(ours)[1].auc.low!).toBeGreaterThan(0.5);
});
