/** Shows the course of a training run, from the log in its folder. */
import { basename, join, resolve } from "node:path";
import { CodescoreError } from "../../errors.ts";
import type { Table, TableColumn } from "../../report/tables.ts";
import { readJsonLines } from "../../util/jsonl.ts";
import { renderSections } from "./render.ts";
import type { ReportSection } from "./sections.ts";

interface Step {
  readonly step: number;
  readonly loss: number;
  readonly dev: Readonly<Record<string, number | null>> | null;
}

/** The figures of an evaluation on dev, by their names in the log. */
const FIGURES = {
  kendallTau: { label: "tau", best: "highest" },
  spearman: { label: "r_s", best: "highest" },
  pearson: { label: "r_p", best: "highest" },
  mae: { label: "MAE", best: "lowest" },
  withinAuc: { label: "within AUC", best: "highest" },
  execF1: { label: "Exec F1", best: "highest" },
  execAuc: { label: "Exec AUC", best: "highest" },
} as const satisfies Record<string, TableColumn>;

/** The curves of `log.jsonl` in a training run's folder. Throws `CodescoreError("input")` if there is none. */
export async function trainingSection(folder: string): Promise<ReportSection> {
  return curves(await readSteps(folder));
}

/** A self-contained page with a run's curves and evaluations. Throws as `trainingSection` does. */
export async function renderTraining(folder: string): Promise<string> {
  const steps = await readSteps(folder);
  const last = steps.at(-1);
  const line = last === undefined ? "No step yet." : `Step ${last.step}, loss ${last.loss.toFixed(4)}.`;
  const sections: ReportSection[] = [curves(steps)];
  const table = evaluations(steps);
  if (table.rows.length > 0) sections.push({ kind: "table", title: "Evaluations on dev", table });
  return renderSections(`Training of ${basename(resolve(folder))}`, line, sections);
}

async function readSteps(folder: string): Promise<Step[]> {
  const steps: Step[] = [];
  for await (const { value, where } of readJsonLines(join(folder, "log.jsonl"))) {
    const { step, loss, dev = null } = value as Partial<Step>;
    if (typeof step !== "number" || typeof loss !== "number") {
      throw new CodescoreError("input", `${where}: expected a line of a training log with \`step\` and \`loss\``);
    }
    steps.push({ step, loss, dev });
  }
  return steps;
}

function curves(steps: readonly Step[]): ReportSection {
  const loss = steps.map(({ step, loss }): [number, number] => [step, loss]);
  const dev = steps.flatMap(({ step, dev }): [number, number][] =>
    typeof dev?.spearman === "number" ? [[step, dev.spearman]] : [],
  );
  return {
    kind: "plot-lines",
    title: "Training",
    plots: [
      { title: "Loss of each step", x: "step", y: "loss", lines: [{ name: "loss", points: loss }] },
      ...(dev.length > 0
        ? [{ title: "Held-out problems", x: "step", y: "Spearman r_s", lines: [{ name: "dev r_s", points: dev }] }]
        : []),
    ],
  };
}

function evaluations(steps: readonly Step[]): Table {
  return {
    columns: [{ label: "step", digits: 0 }, ...Object.values(FIGURES)],
    rows: steps.flatMap(({ step, dev }) =>
      dev === null ? [] : [[step, ...Object.keys(FIGURES).map((name) => dev[name] ?? null)]],
    ),
  };
}
