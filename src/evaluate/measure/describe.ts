/** Describes an evaluation in words. */
import { counted } from "../../util/counted.ts";
import type { EvaluationResult } from "./evaluate.ts";
import { isTable, passLine } from "./models.ts";

/** Says in a few sentences what was measured on what. */
export function describeRows({ counts, labels, settings, columns, models }: EvaluationResult): string[] {
  const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
  const left = [
    counts.noLabel > 0 ? `${counts.noLabel} without a label` : "",
    counts.infra > 0 ? `${counts.infra} whose execution failed (infra)` : "",
    counts.noReference > 0 ? `${counts.noReference} without a reference` : "",
    settings.only === null ? "" : `${counts.outside} that are not ${settings.only}`,
    ...Object.entries(counts.unscored).map(([name, count]) => `${count} that ${name} could not score`),
  ].filter((text) => text !== "");
  const executed = columns.some(({ kind }) => kind === "execution");
  return [
    `${counted(counts.used, "program")} of ${counted(counts.tasks, "task")}${left.length > 0 ? `; left out: ${left.join(", ")}` : ""}.`,
    `Mean PassRatio ${labels.meanPassRatio.toFixed(3)}; ${percent(labels.passesAll)} pass every test${labels.executable === null ? "" : `, ${percent(labels.executable)} execute`}.`,
    ...(models.length === 1 && !isTable(models) ? [`${passLine(models[0]!)}.`] : []),
    `In brackets: ${100 * settings.level}% interval, ${settings.resamples} resamples of whole tasks, seed ${settings.seed}.`,
    ...(executed
      ? [
          "Times of executions: wall-clock time per program, as parallel as codescore label ran them; `-` if OUT.timing.json is missing.",
        ]
      : []),
  ];
}
