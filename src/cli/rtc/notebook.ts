/** `codescore rtc synthesis --notebook`: round trips of notebook cells, judged by replaying the cells. */
import type { Command } from "commander";
import { CodescoreError } from "../../errors.ts";
import type { Executor } from "../../execute/types.ts";
import type { SplitFields } from "../../problems/index.ts";
import type { SignedSimilarity } from "../../rtc/index.ts";
import type { Problem } from "../../types.ts";
import { counted } from "../../util/counted.ts";
import { fields } from "../options/notebooks.ts";
import { paths } from "../options/values.ts";
import {
  checkSims,
  defined,
  type LlmFlags,
  type LlmSpec,
  openLlms,
  type SamplingFlags,
  type SandboxFlags,
  type SimilarityFlags,
  samplesOf,
  withSimilarities,
} from "./options.ts";
import { putSummary } from "./output.ts";
import type { Describer } from "./project.ts";

export interface NotebookFlags {
  readonly notebook?: readonly string[];
  readonly files?: string;
  readonly fields?: Partial<SplitFields>;
}

interface Options extends NotebookFlags, SimilarityFlags, LlmFlags, SamplingFlags, SandboxFlags {
  readonly forward: Describer;
  readonly backward?: LlmSpec;
  readonly limit?: number;
  readonly output: string;
  readonly prompts?: string;
  readonly python?: string;
}

export const addNotebookOptions = (command: Command): Command =>
  command
    .option("--notebook <path>", "a notebook (.ipynb), a split of notebooks (.json), or a folder of notebooks", paths)
    .option("--files <dir>", "with --notebook: folder with the data files (default: the notebook's)")
    .option("--fields <names>", "with --notebook: fields of a split, such as intent=nl.value,code=answer", fields);

export async function synthesisOfNotebooks(options: Options): Promise<void> {
  const { forward, backward, output: out, notebook = [], files, seed } = options;
  if (forward === "mutate") throw new CodescoreError("usage", "--forward mutate: is for --project");
  const running = options.sims.find((name) => name === "behaviour");
  if (running !== undefined) {
    throw new CodescoreError(
      "usage",
      "the similarity `behaviour` needs functions, and a cell is not a function; use `pass`",
    );
  }
  await checkSims(options);
  // Also where nothing is run, and before notebooks are read.
  if (options.python !== undefined) await (await import("../../execute/index.ts")).pythonOf(options.python);
  const { readNotebooks } = await import("../../problems/index.ts");
  const { notebookRtc, similarityNeeds } = await import("../../rtc/index.ts");
  const turns = (await readNotebooks(notebook, defined({ files, fields: options.fields }))).slice(0, options.limit);
  const llms = await openLlms({ forward, ...(backward && { backward }) }, options);
  const problems = new Map(turns.map(({ problem }) => [problem.id, problem]));
  // `hybrid` falls back on `behaviour` if `pass` has no value. Cells have no `behaviour`, so it returns NaN.
  const behaviourOf = (behaviour: SignedSimilarity): SignedSimilarity => ({
    ...behaviour,
    compare: async (pairs) => pairs.map(() => Number.NaN),
  });
  const { sandbox, allowUnsafe, workers, python } = options;
  const runs = options.sims.some((name) => similarityNeeds(name).some((need) => need !== "scorer"));
  const { openExecutor } = await import("../../execute/index.ts");
  const executor = runs ? await openExecutor({ sandbox, ...defined({ allowUnsafe, workers, python }) }) : null;
  const runnable = { problems, behaviourOf, ...(executor && { executor }) };
  try {
    if (executor !== null) await checkReplays([...problems.values()], executor);
    await withSimilarities(options, runnable, async (similarities) => {
      const { summary, files } = await notebookRtc({
        ...llms,
        turns,
        similarities,
        out,
        samples: samplesOf(options),
        thresholds: options.threshold,
        ...defined({ prompts: options.prompts, repeats: options.repeats, seed, cache: options.cache }),
      });
      putSummary(summary, files, similarities);
    });
  } finally {
    await executor?.close();
  }
}

/** Checks, before a model is asked, that the original cells can be judged here. Throws `CodescoreError("environment")` if none can. */
async function checkReplays(problems: readonly Problem[], executor: Executor): Promise<void> {
  const found = await Promise.all(problems.map((problem) => executor.execute(problem, problem.references[0]!)));
  const failed = problems.flatMap(({ id }, i) => (found[i]!.passRatio === null ? [`${id}: ${found[i]!.reason}`] : []));
  if (failed.length === 0) return;
  const fix = "--python ENV/bin/python runs them with the packages of ENV";
  if (failed.length === problems.length) {
    const other = "without pass and hybrid in --sims, no cell is replayed";
    throw new CodescoreError("environment", `no cell can be replayed. ${failed[0]}; ${fix}; ${other}`);
  }
  process.stderr.write(
    `warning: ${failed.length} of ${counted(problems.length, "cell")} cannot be replayed. ${failed[0]}; ${fix}\n`,
  );
}
