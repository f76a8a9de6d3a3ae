/** The robustness card as tables and in words. */

import type { NamedTable } from "../../report/tables.ts";
import { counted } from "../../util/counted.ts";
import type { RobustnessCard } from "./robustness.ts";

/** Harmless changes and harmful ones, one row per column of scores and kind. */
export function robustnessTables({ results }: RobustnessCard): NamedTable[] {
  return [
    {
      name: "robustness-harmless",
      title: "Changes that keep what a program does",
      note: "change: |score of the variant - score of its original|; the smaller the better.",
      table: {
        columns: [
          { label: "metric" },
          { label: "change" },
          { label: "variants", digits: 0 },
          { label: "problems", digits: 0 },
          { label: "mean change" },
          { label: "90% change less than" },
        ],
        rows: results.flatMap(({ name, harmless }) =>
          harmless.map((row) => [name, row.kind, row.variants, row.problems, row.meanChange, row.p90Change]),
        ),
      },
    },
    {
      name: "robustness-harmful",
      title: "Mutants by one operator that fail tests",
      note:
        "drop: score of the original - score of the mutant. AUC: how often the original scores higher, a tie counting half; " +
        "disguised: how often its harmless variants do.",
      table: {
        columns: [
          { label: "metric" },
          { label: "operator" },
          { label: "mutants", digits: 0 },
          { label: "problems", digits: 0 },
          { label: "PassRatio" },
          { label: "mean drop" },
          { label: "AUC" },
          { label: "AUC disguised" },
        ],
        rows: results.flatMap(({ name, harmful }) =>
          harmful.map((row) => [
            name,
            row.kind,
            row.mutants,
            row.problems,
            row.passRatio,
            row.drop,
            row.auc,
            row.disguisedAuc,
          ]),
        ),
      },
    },
  ];
}

/** Says what was verified, and what was left out. */
export function describeRobustness({ counts, settings, results }: RobustnessCard): string[] {
  const changed = Object.values(counts.changed).reduce((sum, count) => sum + count, 0);
  const left = [
    counts.withoutOriginal > 0 ? `${counted(counts.withoutOriginal, "problem")} without a reference that passes` : "",
    changed > 0 ? `${changed} variants that a test distinguishes from their original` : "",
    counts.survived > 0 ? `${counted(counts.survived, "mutant")} that no test distinguishes from their original` : "",
    counts.infra > 0 ? `${counted(counts.infra, "program")} whose execution failed (infra)` : "",
    ...results.map(({ name, unscored }) => (unscored > 0 ? `${unscored} that ${name} could not score` : "")),
  ].filter((text) => text !== "");
  return [
    `${counted(counts.problems, "problem")}; every program executed on their tests${left.length > 0 ? `; left out: ${left.join(", ")}` : ""}.`,
    `In brackets: ${100 * settings.level}% intervals, ${settings.resamples} resamples of whole problems, seed ${settings.seed}.`,
    ...results.map(({ name, original }) => `${name} gives the originals ${original.toFixed(3)} on average.`),
  ];
}
