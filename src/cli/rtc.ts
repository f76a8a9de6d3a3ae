/** `codescore rtc`: evaluates language models by round trips, with one subcommand per task. */
import { Command } from "commander";
import { CodescoreError } from "../errors.ts";
import type { MbppSplit } from "../problems/mbpp-splits.ts";
import { integer, paths } from "./options/values.ts";
import { compare } from "./rtc/compare.ts";
import { editing } from "./rtc/editing.ts";
import { identity } from "./rtc/identity.ts";
import { addNotebookOptions, type NotebookFlags, synthesisOfNotebooks } from "./rtc/notebook.ts";
import {
  addLlmOptions,
  addSamplingOptions,
  addSandboxOptions,
  addShotsOption,
  addSimilarityOptions,
  addSplitOption,
  checkSims,
  defined,
  type LlmFlags,
  type LlmSpec,
  llmHelp,
  llmSpec,
  openLlms,
  type SamplingFlags,
  type SandboxFlags,
  type SimilarityFlags,
  samplesOf,
  withSimilarities,
} from "./rtc/options.ts";
import { putSummary } from "./rtc/output.ts";
import { patched } from "./rtc/patched.ts";
import { ofSplit, readPrograms } from "./rtc/problems.ts";
import {
  addProjectOptions,
  type Describer,
  describer,
  type ProjectFlags,
  projectHelp,
  synthesisOfProject,
} from "./rtc/project.ts";
import { synthesisOfProjects } from "./rtc/projects.ts";
import { report } from "./rtc/report.ts";
import { resumable } from "./rtc/stop.ts";

interface Options extends ProjectFlags, NotebookFlags, SimilarityFlags, LlmFlags, SamplingFlags, SandboxFlags {
  readonly problems?: readonly string[];
  readonly limit?: number;
  readonly forward: Describer;
  readonly backward?: LlmSpec;
  readonly output: string;
  readonly prompts?: string;
  readonly shots?: number;
  readonly split?: MbppSplit;
}

export const rtcVerb = (): Command =>
  new Command("rtc")
    .description("evaluate a language model by round trips: code to description and back")
    .addCommand(synthesis())
    .addCommand(identity())
    .addCommand(editing())
    .addCommand(patched())
    .addCommand(report())
    .addCommand(compare())
    .addHelpText(
      "after",
      `
Example:
  $ codescore rtc synthesis --problems HumanEval.jsonl.gz --forward openai:gpt-4o-mini --output runs/mini`,
    );

const synthesis = (): Command => {
  const command = new Command("synthesis")
    .description("describe solutions, write them again from the description, compare (SynthesisRTC)")
    .option("--problems <path>", "a problem file or a folder of them; may be repeated", paths)
    .requiredOption(
      "--forward <llm>",
      "model that describes: openai:MODEL or replay:FILE; with --project mutate:",
      describer,
    )
    .option("--backward <llm>", "model that writes it again (default: the same)", llmSpec)
    .requiredOption("--output <dir>", "folder for samples.jsonl, summary.json and the files to resume from")
    .option(
      "--limit <n>",
      "only the first n problems (default: all), or n spans of a project (default: 100)",
      integer(1),
    )
    .option(
      "--prompts <dir>",
      "folder with synthesis-forward.txt and synthesis-backward.txt (default: the shipped ones)",
    );
  addProjectOptions(addShotsOption(addSplitOption(command)));
  addNotebookOptions(command);
  addSimilarityOptions(command, ["codescore", "pass", "chrf"], "behaviour, pass, calls (with --project), hybrid");
  addSandboxOptions(addLlmOptions(addSamplingOptions(command)));
  return command
    .addHelpText(
      "after",
      `
${llmHelp}
${projectHelp}
Exit code 1 if a round trip is missing or a similarity gave no value.

Examples:
  $ codescore rtc synthesis --problems HumanEval.jsonl.gz --forward openai:gpt-4o-mini --output runs/mini
  $ OPENAI_BASE_URL=http://localhost:8000/v1 codescore rtc synthesis --problems mbpp.jsonl --forward openai:qwen \\
      --sims codescore,pass,chrf --threshold codescore=0.5 --output runs/qwen
  $ codescore rtc synthesis --problems HumanEval.jsonl.gz --forward replay:runs/mini/recording.jsonl \\
      --sims bleu,chrf --output runs/again
  $ codescore rtc synthesis --project toolz --test-command "python -m pytest -x -q" --python venv/bin/python \\
      --forward openai:gpt-4o-mini --output runs/toolz
  $ codescore rtc synthesis --projects projects.jsonl --sims calls,pass --forward openai:gpt-4o-mini --output runs/projects
  $ codescore rtc synthesis --notebook analysis.ipynb --python venv/bin/python --sims codescore,pass,chrf \\
      --forward openai:gpt-4o-mini --output runs/analysis`,
    )
    .action(resumable(run));
};

async function run(options: Options): Promise<void> {
  const sources = [options.problems, options.project, options.projects, options.notebook].filter(
    (source) => source !== undefined,
  );
  if (
    sources.length > 0 &&
    options.problems === undefined &&
    (options.shots !== undefined || options.split !== undefined)
  ) {
    throw new CodescoreError(
      "usage",
      "--shots and --split are for --problems; projects and notebooks have their own prompts",
    );
  }
  if (options.notebook !== undefined) {
    if (sources.length > 1 || options.testCommand !== undefined) {
      throw new CodescoreError("usage", "give --notebook without --problems, --project, --projects and --test-command");
    }
    return synthesisOfNotebooks(options);
  }
  if (options.files !== undefined || options.fields !== undefined) {
    throw new CodescoreError("usage", "--files and --fields are for --notebook");
  }
  if (options.projects !== undefined) return synthesisOfProjects(options);
  if (options.leastSpans !== undefined) throw new CodescoreError("usage", "--least-spans is for --projects");
  if (options.project !== undefined) return synthesisOfProject(options);
  const { forward } = options;
  if (options.problems === undefined)
    throw new CodescoreError("usage", "expected --problems, --project, --projects or --notebook, got none");
  if (options.testCommand !== undefined || options.python !== undefined || forward === "mutate") {
    throw new CodescoreError(
      "usage",
      "--test-command, --python and --forward mutate: are for --project (--python also for --notebook)",
    );
  }
  const { synthesisRtc } = await import("../rtc/index.ts");
  await checkSims(options);
  const problems = await readPrograms(options.problems);
  const llms = await openLlms({ ...options, forward }, options);
  await withSimilarities(options, { problems }, async (similarities) => {
    const { summary, files } = await synthesisRtc({
      ...llms,
      problems: ofSplit([...problems.values()], options.split).slice(0, options.limit),
      similarities,
      out: options.output,
      samples: samplesOf(options),
      thresholds: options.threshold,
      lift: options.lift,
      ...defined({
        shots: options.shots,
        prompts: options.prompts,
        repeats: options.repeats,
        seed: options.seed,
        cache: options.cache,
      }),
    });
    putSummary(summary, files, similarities);
  });
}
