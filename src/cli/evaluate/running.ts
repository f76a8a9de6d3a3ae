/** The options of `evaluate` and `compare` that run programs, like `codescore score --run`, and the columns of `--metrics`. */
import { type Command, Option } from "commander";
import { CodescoreError } from "../../errors.ts";
import type { ScoreColumn } from "../../evaluate/index.ts";
import type { SandboxKind } from "../../execute/types.ts";
import type { CodeScorer, RunOptions } from "../../score/index.ts";
import type { InputFormat, LabelledRow } from "../../types.ts";
import { type MetricFlags, metricsOf } from "../options/metrics.ts";
import { allowUnsafeOption, integer, pythonOption, sandboxOption } from "../options/values.ts";
import { RUN_INPUTS } from "../score/run.ts";

/** The metric name in `--metrics` for the score of programs that are run. */
const BEHAVIOUR = "behaviour";

export interface RunningFlags {
  readonly metrics?: string;
  readonly model?: readonly string[] | false;
  readonly inputFormat?: InputFormat;
  readonly inputs?: number;
  readonly sandbox: SandboxKind | "auto";
  readonly allowUnsafe?: boolean;
  readonly python?: string;
  readonly workers?: number;
}

export const addRunningOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--input-format <format>",
        "what models and behaviour compare with; nl ignores references (default: all that a row has)",
      ).choices(["ref", "nl", "ref+nl"]),
    )
    .option("--inputs <n>", `with --metrics behaviour: inputs per task (default: ${RUN_INPUTS})`, integer(0))
    .addOption(sandboxOption())
    .addOption(allowUnsafeOption())
    .addOption(pythonOption())
    .option("--workers <n>", "programs to run at the same time (default: the number of cores)", integer(1));

/** The seed for inputs. Without `--seed` it is 0, as in `codescore score --run`; the default of `--seed` here is for the bootstrap. */
export const inputSeed = ({ seed }: { readonly seed: number }, command: Command): number =>
  command.getOptionValueSource("seed") === "default" ? 0 : seed;

/** A scorer that runs programs, with the first model of `--model`. */
export interface Running {
  readonly scorer: CodeScorer;
  readonly run: RunOptions;
  readonly format: InputFormat | "auto";
  close(): Promise<void>;
}

const namesOf = (metrics: string | undefined): string[] =>
  metrics === undefined || metrics === "none" ? [] : [...new Set(metrics.split(",").map((name) => name.trim()))];

/**
 * Opens the scorer that runs programs; null if nothing needs it. Throws `CodescoreError("usage")` for options about running if nothing
 * runs, and `CodescoreError("environment")` if no sandbox starts.
 * @param seed for the inputs
 * @param asked whether anything other than the metric `behaviour` needs it
 */
export async function openRunning(flags: RunningFlags, seed: number, asked = false): Promise<Running | null> {
  const behaviour = namesOf(flags.metrics).includes(BEHAVIOUR);
  const alone = (["inputs", "python", "workers", "allowUnsafe"] as const).find((name) => flags[name] !== undefined);
  if (alone !== undefined && !behaviour && (alone === "inputs" || !asked)) {
    const name = alone === "allowUnsafe" ? "allow-unsafe" : alone;
    throw new CodescoreError("usage", `--${name} needs --metrics behaviour, which runs the programs`);
  }
  if (!behaviour && !asked) return null;
  const { model, inputFormat = "auto", inputs, sandbox, allowUnsafe, python, workers } = flags;
  const { openExecutor } = await import("../../execute/index.ts");
  const { CodeScorer } = await import("../../score/index.ts");
  const executor = await openExecutor({
    sandbox,
    ...(allowUnsafe === undefined ? {} : { allowUnsafe }),
    ...(python === undefined ? {} : { python }),
    ...(workers === undefined ? {} : { workers }),
  });
  try {
    const scorer = await CodeScorer.load(model ? model[0] : undefined);
    const run = { executor, seed, ...(inputs === undefined ? {} : { inputs }) };
    const close = async (): Promise<void> => void (await Promise.all([scorer.close(), executor.close()]));
    return { scorer, run, format: inputFormat, close };
  } catch (error) {
    await executor.close();
    throw error;
  }
}

export interface MetricColumns {
  /** Number of columns. */
  readonly count: number;
  of(rows: readonly LabelledRow[]): Promise<ScoreColumn[]>;
}

/** The columns of `--metrics` for the rows of `data`, in the order of the names given. */
export async function metricColumns(
  flags: RunningFlags & MetricFlags,
  data: string,
  running: Running | null,
): Promise<MetricColumns> {
  const { behaviourColumn, metricColumn } = await import("../../evaluate/index.ts");
  const { metricNames } = await import("../../metrics/index.ts");
  const names = namesOf(flags.metrics);
  const texts = names.filter((name) => name !== BEHAVIOUR);
  const unknown = texts.find((name) => name !== "none" && !metricNames.includes(name));
  if (unknown !== undefined) {
    const known = [...metricNames, BEHAVIOUR].join(", ");
    throw new CodescoreError("usage", `no metric is called \`${unknown}\`; there are ${known}`);
  }
  const metrics = await metricsOf(texts.length === 0 ? undefined : texts.join(","), flags, data);
  const make = names.map((name) => {
    if (name !== BEHAVIOUR) {
      const metric = metrics[texts.indexOf(name)]!;
      return (rows: readonly LabelledRow[]) => metricColumn(metric, rows);
    }
    const { scorer, run, format } = running!;
    return (rows: readonly LabelledRow[]) => behaviourColumn(scorer, rows, { run, format, progress: true });
  });
  return {
    count: names.length,
    async of(rows) {
      const columns: ScoreColumn[] = [];
      for (const one of make) columns.push(await one(rows));
      return columns;
    },
  };
}
