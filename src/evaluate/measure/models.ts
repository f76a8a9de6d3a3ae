/** pass@k by model and temperature, on all tests and on the tests that the problems first came with, and text about it. */
import type { ModelPasses, TaskPasses } from "../../dataset/index.ts";
import { type Estimated, formatCell, type NamedTable, type Table } from "../../report/tables.ts";
import type { BootstrapOptions } from "../../statistics/index.ts";
import { counted } from "../../util/counted.ts";
import { type OfSize, passAtCounts } from "./measure.ts";

/** pass@k of one model at one temperature; see `passAtModels`. */
export interface ModelResult {
  readonly model: string;
  readonly temperature: number | null;
  readonly tasks: number;
  readonly programs: number;
  /** Programs that lack a package and so count as failing. */
  readonly missing: number;
  /** On all tests. */
  readonly at: readonly OfSize[];
  /** On the tests that the problems first came with, over the same tasks; null if this is unknown for some program. */
  readonly base: readonly OfSize[] | null;
}

/** The sizes that HumanEval's paper and later harnesses report. */
const SIZES = [1, 10, 100];
/** Sizes for models with too few samples for pass@10. With pass@10 they would only widen the table. */
const SMALL_SIZES = [2, 5];

/** The maker of a sample whose row does not name one. */
const UNNAMED = "unknown";

/** The model's name in a cell, and in a sentence. A bare `unknown` would read like a count of programs. */
const inCell = (model: string): string => (model === UNNAMED ? "(no name)" : model);
const inSentence = (model: string): string => (model === UNNAMED ? "the model without a name" : `\`${model}\``);

/**
 * pass@k (Chen et al. 2021) of each model, averaged over tasks, with the interval from resampling tasks. `k` is 1, 10 and 100 if
 * at least half of the model's tasks have that many programs. The mean is then over those tasks.
 * @param small whether a model without pass@10 has pass@2 and pass@5 if every task has that many programs
 */
export const passAtModels = (
  models: readonly ModelPasses[],
  settings: BootstrapOptions,
  small = false,
): ModelResult[] =>
  models.map(({ model, temperature, tasks }) => {
    const at = (passed: (task: TaskPasses) => number): OfSize[] => {
      const counts = tasks.map((task) => ({ programs: task.programs, passed: passed(task) }));
      const found = passAtCounts(counts, SIZES, settings);
      if (!small || found.some(({ n }) => n === 10)) return found;
      const smaller = passAtCounts(counts, SMALL_SIZES, settings).filter((size) => size.tasks === tasks.length);
      return [...found, ...smaller];
    };
    return {
      model,
      temperature,
      tasks: tasks.length,
      programs: tasks.reduce((sum, { programs }) => sum + programs, 0),
      missing: tasks.reduce((sum, { missing }) => sum + missing, 0),
      at: at(({ passed }) => passed),
      base: tasks.every(({ passedBase }) => passedBase !== null) ? at(({ passedBase }) => passedBase as number) : null,
    };
  });

/** Whether there is more to show than one line. */
export const isTable = (models: readonly ModelResult[]): boolean =>
  models.length > 1 || models.some(({ at }) => at.length > 1);

/** One row per model; null if there are no models. Temperature and base tests have columns if any model has them. */
export function modelsTable(models: readonly ModelResult[]): Omit<NamedTable, "name"> | null {
  if (models.length === 0) return null;
  const hasTemperature = models.some(({ temperature }) => temperature !== null);
  const hasBase = models.some(({ base }) => base !== null);
  const sizes = [...SIZES, ...SMALL_SIZES]
    .sort((a, b) => a - b)
    .filter((k) => models.some(({ at }) => at.some(({ n }) => n === k)));
  const cell = (found: readonly OfSize[] | null, k: number): Estimated | null =>
    found?.find(({ n }) => n === k) ?? null;
  const table: Table = {
    columns: [
      { label: "model" },
      ...(hasTemperature ? [{ label: "temperature", digits: 2 }] : []),
      { label: "tasks", digits: 0 },
      { label: "programs", digits: 0 },
      ...sizes.flatMap((k) => [
        ...(hasBase ? [{ label: `base pass@${k}`, best: "highest" as const }] : []),
        { label: `pass@${k}`, best: "highest" as const },
      ]),
    ],
    rows: models.map(({ model, temperature, tasks, programs, at, base }) => [
      inCell(model),
      ...(hasTemperature ? [temperature] : []),
      tasks,
      programs,
      ...sizes.flatMap((k) => [...(hasBase ? [cell(base, k)] : []), cell(at, k)]),
    ]),
  };
  const fewer = models.flatMap(({ model, tasks, at }) =>
    at.flatMap((size) =>
      size.tasks < tasks ? [`pass@${size.n} of ${inSentence(model)}: ${size.tasks} of ${counted(tasks, "task")}`] : [],
    ),
  );
  const lacking = models.flatMap(({ model, missing }) => (missing > 0 ? [`${missing} of ${inSentence(model)}`] : []));
  const notes = [
    "Unbiased (Chen et al. 2021), the mean over tasks, with a 95% interval of drawing tasks.",
    ...(hasBase ? ["base: by the original tests of the problems."] : []),
    ...(fewer.length > 0 ? [`Only over tasks with that many programs (${fewer.join("; ")}).`] : []),
    ...(lacking.length > 0 ? [`Programs that lack a package count as failing: ${lacking.join(", ")}.`] : []),
  ];
  return { title: "pass@k by model", note: notes.join(" "), table };
}

/** One line for one model: `pass@1 0.417 [0.312, 0.523] over 78 tasks`, the basis of it, and what a larger k would need. */
export function passLine({ model, at, base, tasks, missing }: ModelResult): string {
  const [first] = at;
  const shown = (found: OfSize | undefined): string => formatCell(found, { label: "" });
  const beside = base === null ? "" : `, by the original tests ${shown(base[0])}`;
  const over = `${tasks} ${tasks === 1 ? "task" : "tasks"}`;
  const failing =
    missing === 1
      ? "1 program lacks a package and counts as failing"
      : `${missing} programs lack a package and count as failing`;
  const notes = [
    ...(missing > 0 ? [failing] : []),
    "pass@10 needs 10 samples per task",
    ...(model === UNNAMED ? ["rows with `model` and `temperature` give a line for each model"] : []),
  ];
  return `pass@1 ${shown(first)} over ${over}${beside} (${notes.join("; ")})`;
}
