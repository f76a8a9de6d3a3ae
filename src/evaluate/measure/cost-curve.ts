/** The cost and the benefit of each stage of running programs: the curve between reading programs and testing them. */

import type { Estimated, NamedTable } from "../../report/tables.ts";
import { mean } from "../../statistics/index.ts";
import type { LabelledRow } from "../../types.ts";
import { counted } from "../../util/counted.ts";
import { ENOUGH_INPUTS } from "./behaviour.ts";
import { type ColumnResult, measureColumn, type Settings } from "./column.ts";
import type { Machine, Stages } from "./stages.ts";
import type { Subset } from "./subset.ts";
import { type Counts, selectUsable } from "./usable.ts";

export interface CostCurve {
  /** The rows that every stage has a score for. All stages are measured on these. */
  readonly counts: Counts;
  /** In order of how much is run, beginning with the text. */
  readonly stages: readonly CostStage[];
  readonly machine: Machine;
}

export interface CostStage extends ColumnResult {
  /** Share of tasks in which some program ran on ten or more inputs; null for stages that make up no inputs. */
  readonly enoughInputs: number | null;
  /** Wall-clock seconds for a thousand programs. */
  readonly secondsPerThousand: number;
  readonly programsPerSecond: number;
}

/** Throws as `selectUsable` does. */
export function measureCostCurve(
  rows: readonly LabelledRow[],
  { stages, machine }: Stages,
  settings: Settings,
  only?: Subset,
): CostCurve {
  const data = selectUsable(
    rows,
    stages.map(({ column }) => column),
    only,
  );
  const used = new Set(data.rows);
  return {
    counts: data.counts,
    machine,
    stages: stages.map(({ inputs, seconds }, i) => {
      const most = new Map<string, number>();
      for (const [r, row] of rows.entries()) {
        if (!used.has(row as (typeof data.rows)[0])) continue;
        most.set(row.task_id, Math.max(most.get(row.task_id) ?? 0, inputs?.[r] ?? 0));
      }
      return {
        ...measureColumn(data.columns[i]!, data, settings),
        enoughInputs: inputs && mean([...most.values()].map((n) => Number(n >= ENOUGH_INPUTS))),
        secondsPerThousand: (1000 * seconds) / rows.length,
        programsPerSecond: rows.length / seconds,
      };
    }),
  };
}

/** A figure of a stage with its interval. */
export const stageFigure = (stage: CostStage, measure: "spearman" | "withinAuc"): Estimated => ({
  value: stage[measure],
  low: stage.bounds[measure]?.low ?? null,
  high: stage.bounds[measure]?.high ?? null,
});

export function costCurveTable({ counts, stages, machine }: CostCurve): Omit<NamedTable, "name"> {
  const { cores, cpu, sandbox, python } = machine;
  return {
    title: "Cost and benefit of running more",
    note: `${counted(counts.used, "program")} of ${counted(counts.tasks, "task")}. Each stage is a separate run, which includes generating inputs but not finding counterexamples; wall-clock time on ${cores} cores (${cpu}), sandbox ${sandbox}, Python ${python}. coverage, width: of the prediction intervals; top-1: PassRatio of each task's best-scored program, and how many of them pass every test.`,
    table: {
      columns: [
        { label: "stage" },
        { label: "r_s", latex: "$r_s$", best: "highest" },
        { label: "within AUC", best: "highest" },
        { label: "MAE", best: "lowest" },
        { label: "coverage" },
        { label: "width" },
        { label: `tasks with ${ENOUGH_INPUTS} inputs` },
        { label: "top-1", best: "highest" },
        { label: "top-1 passes", best: "highest" },
        { label: "s/1,000", digits: 1 },
        { label: "programs/s", digits: 1 },
      ],
      rows: stages.map((stage) => [
        stage.name,
        stageFigure(stage, "spearman"),
        stageFigure(stage, "withinAuc"),
        stage.mae,
        stage.intervals?.held ?? null,
        stage.intervals?.width ?? null,
        stage.enoughInputs,
        stage.top1,
        stage.top1Passes,
        stage.secondsPerThousand,
        stage.programsPerSecond,
      ]),
      quiet: stages.flatMap(({ kind }, i) => (kind === "execution" ? [i] : [])),
    },
  };
}
