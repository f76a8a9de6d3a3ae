/**
 * Are the programs of model B better than those of model A? From scores or labels of both, over the tasks that both have: the mean over
 * tasks of each task's mean, with a paired bootstrap over tasks.
 */
import { CodescoreError } from "../../errors.ts";
import { bootstrapByCluster, mean, orNull } from "../../statistics/index.ts";
import { counted } from "../../util/counted.ts";
import type { Settings } from "./column.ts";
import { type Difference, pValue } from "./compare.ts";
import type { ModelPrograms } from "./load-models.ts";

export interface ModelComparison {
  readonly a: ModelSummary;
  readonly b: ModelSummary;
  readonly settings: Omit<Settings, "only">;
  readonly counts: { readonly tasks: number };
  readonly measures: readonly ModelDifference[];
}

export interface ModelSummary {
  readonly name: string;
  readonly signature: string | null;
  readonly programs: number;
  /** Rows with an error or without a label. They are not used. */
  readonly unused: number;
  /** Tasks that the other model lacks. They are not used. */
  readonly othersLack: number;
}

export type ModelDifference = Omit<Difference, "measure"> & {
  /** `score` and `pass` are predicted, from `codescore score`. `AvgPassRatio` and `pass@1` are from tests. */
  readonly measure: "score" | "pass" | "AvgPassRatio" | "pass@1";
  /** Tasks for which both models have a value. */
  readonly tasks: number;
};

const LEVEL = 0.95;

/**
 * Throws `CodescoreError("input")` if one file has scores and the other labels, if scores were made in different ways, and without a
 * common task.
 */
export function compareModels(
  a: ModelPrograms,
  b: ModelPrograms,
  { resamples = 1000, seed = 1 }: { readonly resamples?: number; readonly seed?: number } = {},
): ModelComparison {
  const bad = (message: string): CodescoreError => new CodescoreError("input", message);
  if (a.kind !== b.kind) {
    throw bad(`expected two files of scores or two of labels; ${a.name} has ${a.kind}, ${b.name} has ${b.kind}`);
  }
  // With --run, programs that could not run have the signature of their texts' scores.
  const ofRuns = ({ signatures }: ModelPrograms): string | undefined => signatures.find((one) => one.includes("|run:"));
  const isAlike = (ofRuns(a) === undefined) === (ofRuns(b) === undefined);
  const areAlike = isAlike && a.signatures.some((one) => b.signatures.includes(one));
  const shown = (model: ModelPrograms): string =>
    `${model.name} ${ofRuns(model) ?? model.signatures[0] ?? "without a signature"}`;
  if (!areAlike && a.signatures.length + b.signatures.length > 0) {
    throw bad(
      `the scores were made in different ways, so they cannot be compared: ${shown(a)}, ${shown(b)}; score both with the same command`,
    );
  }
  const settings = { resamples, seed, level: LEVEL };
  const tasksOf = ({ programs }: ModelPrograms): Set<string> => new Set(programs.map(({ task }) => task));
  const [ours, theirs] = [tasksOf(a), tasksOf(b)];
  const common = [...ours].filter((task) => theirs.has(task));
  if (common.length === 0)
    throw bad(`no task is in both files: ${[...ours][0]} in ${a.name}, ${[...theirs][0]} in ${b.name}`);
  const names = a.kind === "labels" ? (["AvgPassRatio", "pass@1"] as const) : (["score", "pass"] as const);
  const measures = names.flatMap((measure, i): ModelDifference[] => {
    const [ofA, ofB] = [a, b].map((model) => taskMeans(model, i === 0 ? "value" : "pass"));
    const tasks = common.filter((task) => ofA!.has(task) && ofB!.has(task));
    if (tasks.length === 0) return [];
    const over = (of: ReadonlyMap<string, number>, rows: ArrayLike<number>): number =>
      mean(Array.from(rows, (row) => of.get(tasks[row]!)!));
    const all = Int32Array.from(tasks.keys());
    const interval = bootstrapByCluster(tasks, (rows) => over(ofB!, rows) - over(ofA!, rows), settings);
    return [
      {
        measure,
        higherIsBetter: true,
        tasks: tasks.length,
        a: over(ofA!, all),
        b: over(ofB!, all),
        difference: interval.estimate,
        low: orNull(interval.low),
        high: orNull(interval.high),
        pValue: pValue(interval),
      },
    ];
  });
  const summary = (model: ModelPrograms, own: ReadonlySet<string>): ModelSummary => ({
    name: model.name,
    signature: model.signatures.length === 0 ? null : model.signatures.join(" & "),
    programs: model.programs.length,
    unused: model.unused,
    othersLack: own.size - common.length,
  });
  return { a: summary(a, ours), b: summary(b, theirs), settings, counts: { tasks: common.length }, measures };
}

/** The mean of each task's programs that have a value. */
function taskMeans({ programs }: ModelPrograms, field: "value" | "pass"): ReadonlyMap<string, number> {
  const byTask = new Map<string, number[]>();
  for (const program of programs) {
    const value = program[field];
    if (value === null) continue;
    const values = byTask.get(program.task);
    if (values === undefined) byTask.set(program.task, [value]);
    else values.push(value);
  }
  return new Map([...byTask].map(([task, values]) => [task, mean(values)]));
}

/** What readers must know, a sentence a line. */
export function describeModels({ a, b, settings, counts, measures }: ModelComparison): string[] {
  const left = [a, b].flatMap(({ name, unused, othersLack }, i) => [
    ...(unused === 0 ? [] : [`${name}: ${counted(unused, "row")} with an error or without a label not used.`]),
    ...(othersLack === 0
      ? []
      : [
          `${name}: ${counted(othersLack, "task")} not used, because ${[b, a][i]!.name} lacks ${othersLack === 1 ? "it" : "them"}.`,
        ]),
  ]);
  const isRead = a.signature !== null && !a.signature.includes("run:");
  return [
    `${counted(a.programs, "program")} of ${a.name}, ${b.programs} of ${b.name}, on ${counted(counts.tasks, "common task")}. Means over tasks; 95% interval of B - A and two-sided p from ${settings.resamples} resamples of whole tasks.`,
    ...measures
      .filter(({ tasks }) => tasks < counts.tasks)
      .map(({ measure, tasks }) => `${measure}: ${counted(tasks, "task")} have it in both files.`),
    ...left,
    ...(isRead
      ? [
          "The programs were not run: a model that writes like the references scores higher. Score with --run to compare what programs do.",
        ]
      : []),
  ];
}
