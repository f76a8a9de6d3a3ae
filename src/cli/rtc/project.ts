/** `codescore rtc synthesis --project`: round trips of spans of a Python project, judged by its own tests. */
import type { Command } from "commander";
import { CodescoreError } from "../../errors.ts";
import type { ProjectSummary, SignedSimilarity } from "../../rtc/index.ts";
import {
  checkSims,
  defined,
  type LlmFlags,
  type LlmSpec,
  llmSpec,
  openLlms,
  type SamplingFlags,
  type SandboxFlags,
  type SimilarityFlags,
  samplesOf,
  withSimilarities,
} from "./options.ts";
import { fixed, inColumns, putSummary } from "./output.ts";

/** A model, or the source that changes spans by mutation operators instead of asking one. */
export type Describer = LlmSpec | "mutate";

export const describer = (text: string): Describer => (text === "mutate:" ? "mutate" : llmSpec(text));

export interface ProjectFlags {
  readonly project?: string;
  readonly testCommand?: string;
  readonly python?: string;
}

interface Options extends ProjectFlags, SimilarityFlags, LlmFlags, SamplingFlags, SandboxFlags {
  readonly problems?: readonly string[];
  readonly limit?: number;
  readonly forward: Describer;
  readonly backward?: LlmSpec;
  readonly output: string;
  readonly prompts?: string;
}

export const addProjectOptions = (command: Command): Command =>
  command
    .option("--project <dir>", "a Python project, instead of --problems: its spans of statements make the round trips")
    .option("--test-command <command>", "with --project: command that runs its tests, in a copy of its folder")
    .option("--python <file>", "with --project: Python with the packages that the tests need (default: python3)");

export const projectHelp = `With --project, --forward mutate: asks no model. Half of the samples are one-operator mutants of a span, half are equivalent
rewrites. So similarities can be compared with the project's tests. --project needs bubblewrap.`;

export async function synthesisOfProject(options: Options): Promise<void> {
  const { project: folder, testCommand: command, forward, backward, output: out } = options;
  if (folder === undefined || command === undefined) {
    throw new CodescoreError("usage", "--project and --test-command go together: tests say which spans came back");
  }
  if (options.problems !== undefined) {
    throw new CodescoreError("usage", "give --problems or --project, not both: they are different runs");
  }
  if (options.passRatio) {
    throw new CodescoreError(
      "usage",
      "--pass-ratio needs single tests; a project's test command passes or fails whole",
    );
  }
  if (forward === "mutate" && backward !== undefined) {
    throw new CodescoreError("usage", "--forward mutate: also makes the candidates; leave --backward away");
  }
  if (forward === "mutate" && options.repeats !== undefined) {
    throw new CodescoreError("usage", "--repeats draws samples anew; --forward mutate: makes the same ones each time");
  }
  await checkSims(options);
  const { openProject } = await import("../../execute/index.ts");
  const { mutateLlm, projectBehaviour, projectCalls, projectPass, projectRtc, projectSpans } = await import(
    "../../rtc/index.ts"
  );
  const { sandbox, allowUnsafe, workers, python, seed } = options;
  const project = await openProject({ folder, command, sandbox, ...defined({ allowUnsafe, workers, python }) });
  const closing: { close(): Promise<void> }[] = [project];
  try {
    const found = await projectSpans({ project, out, ...defined({ spans: options.limit, seed }) });
    const mutated = forward === "mutate" ? mutateLlm(found.spans, seed ?? 0) : null;
    const llms =
      forward === "mutate" ? { forward: mutated!, backward: mutated! } : await openLlms({ forward, backward }, options);
    const pass = projectPass({ project, found });
    const calls = projectCalls({ project, found, pass, out });
    closing.push(calls);
    const behaviourOf = (behaviour: SignedSimilarity) => projectBehaviour(behaviour, { found }, pass.placed);
    await withSimilarities(options, { pass, calls, behaviourOf }, async (similarities) => {
      const { summary, files } = await projectRtc(
        {
          ...llms,
          project,
          found,
          similarities,
          out,
          samples: samplesOf(options),
          thresholds: options.threshold,
          lift: options.lift && mutated === null,
          ...defined({ prompts: options.prompts, repeats: options.repeats, seed, cache: options.cache }),
        },
        pass,
      );
      process.stderr.write(spansLine(summary));
      putSummary(summary, files, similarities);
      process.stdout.write(`\n${timesTable(summary)}`);
    });
  } finally {
    for (const thing of closing.reverse()) await thing.close();
  }
}

const spansLine = ({ project: p }: ProjectSummary): string =>
  `spans: ${p.spans} of ${p.drawn} drawn from ${p.candidates} in ${p.files} files; ` +
  `deleting ${p.without_effect} (${(100 * p.dropped_share).toFixed(0)}%) changes no test result; ` +
  `${p.test_files} files with tests left out\n`;

function timesTable({ project }: ProjectSummary): string {
  const head = ["sim", "AUC of pass", "CPU s a candidate", "s a candidate", "candidates timed"];
  const rows = project.times.map(({ name, pairs, median_cpu_s: cpu, median_wall_s: wall }) => [
    name,
    fixed(project.auc_of_pass[name]),
    cpu.toPrecision(3),
    wall.toPrecision(3),
    String(pairs),
  ]);
  return inColumns([head, ...rows]);
}
