/** `codescore rtc synthesis --project`: round trips of spans of a Python project, judged by the project's tests. */

import type { Command } from "commander";
import { CodescoreError } from "../../errors.ts";
import type { ProjectSummary, RoundTripsResult, SignedSimilarity } from "../../rtc/index.ts";
import { counted } from "../../util/counted.ts";
import { integer } from "../options/values.ts";
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

/** A model, or `mutate`, which changes spans by mutation operators instead of asking a model. */
export type Describer = LlmSpec | "mutate";

export const describer = (text: string): Describer => (text === "mutate:" ? "mutate" : llmSpec(text));

export interface ProjectFlags {
  readonly project?: string;
  readonly testCommand?: string;
  readonly python?: string;
  readonly projects?: string;
  readonly leastSpans?: number;
}

/** The options for the run of any project. */
export interface ProjectRunOptions extends SimilarityFlags, LlmFlags, SamplingFlags, SandboxFlags {
  readonly limit?: number;
  readonly forward: Describer;
  readonly backward?: LlmSpec;
  readonly prompts?: string;
}

interface Options extends ProjectFlags, ProjectRunOptions {
  readonly problems?: readonly string[];
  readonly output: string;
}

export const addProjectOptions = (command: Command): Command =>
  command
    .option("--project <dir>", "a Python project, instead of --problems: its spans of statements make the round trips")
    .option("--test-command <command>", "with --project: command that runs its tests, in a copy of its folder")
    .option(
      "--python <file>",
      "with --project or --notebook: Python with the packages that are needed (default: python3)",
    )
    .option("--projects <file>", "many projects: JSON lines {name, project: folder or wheel, tests: command, python}")
    .option("--least-spans <n>", "with --projects: leave out projects with fewer spans (default: 80)", integer(1));

export const projectHelp = `With --project, --forward mutate: asks no model. Samples are, in turn, one-operator mutants of a span and equivalent
rewrites. So similarities can be compared with the project's tests. --project needs bubblewrap.
--sims calls replays what the tests call instead of running them for each candidate.`;

export async function synthesisOfProject(options: Options): Promise<void> {
  const { project, testCommand: command } = options;
  if (project === undefined || command === undefined) {
    throw new CodescoreError("usage", "give --project and --test-command together: the tests judge the spans");
  }
  if (options.problems !== undefined) {
    throw new CodescoreError("usage", "give --problems or --project, not both");
  }
  checkProjectOptions(options);
  await checkSims(options);
  const { python } = options;
  await runProject(
    options,
    { folder: project, command, out: options.output, ...defined({ python }) },
    (summary, files, similarities) => {
      putSummary(summary, files, similarities);
      process.stdout.write(`\n${timesTable(summary)}`);
    },
  );
}

/** Throws `CodescoreError("usage")` for options that cannot be used with projects. */
export function checkProjectOptions({ passRatio, forward, backward, repeats }: ProjectRunOptions): void {
  if (passRatio) {
    throw new CodescoreError(
      "usage",
      "--pass-ratio needs single tests; a project's test command passes or fails as a whole",
    );
  }
  if (forward === "mutate" && backward !== undefined) {
    throw new CodescoreError("usage", "--forward mutate: also makes the candidates; leave --backward away");
  }
  if (forward === "mutate" && repeats !== undefined) {
    throw new CodescoreError("usage", "--repeats draws new samples; --forward mutate: makes the same ones each time");
  }
}

/** A project's folder, how its tests run, and where the results of its run are written. */
export interface ProjectPlace {
  readonly folder: string;
  readonly command: string;
  readonly python?: string;
  readonly out: string;
  /** Minimum number of spans. A project with fewer is left out before a model is asked. @default 1 */
  readonly leastSpans?: number;
}

/** Runs one project. Calls `put` before its similarities are closed. Throws `CodescoreError("input")` if it has too few spans. */
export async function runProject(
  options: ProjectRunOptions,
  { folder, command, python, out, leastSpans = 1 }: ProjectPlace,
  put: (summary: ProjectSummary, files: RoundTripsResult["files"], similarities: readonly SignedSimilarity[]) => void,
): Promise<ProjectSummary> {
  const { openProject } = await import("../../execute/index.ts");
  const { mutateLlm, projectBehaviour, projectCalls, projectPass, projectRtc, projectSpans } = await import(
    "../../rtc/index.ts"
  );
  const { sandbox, allowUnsafe, workers, seed, forward, backward } = options;
  const project = await openProject({ folder, command, sandbox, ...defined({ allowUnsafe, workers, python }) });
  const closing: { close(): Promise<void> }[] = [project];
  try {
    const found = await projectSpans({ project, out, ...defined({ spans: options.limit, seed }) });
    if (found.spans.length < leastSpans) {
      const why = `expected ${leastSpans} or more spans (--least-spans), got ${found.spans.length}`;
      throw new CodescoreError("input", why);
    }
    const mutated = forward === "mutate" ? mutateLlm(found.spans, seed ?? 0) : null;
    const llms =
      forward === "mutate" ? { forward: mutated!, backward: mutated! } : await openLlms({ forward, backward }, options);
    const pass = projectPass({ project, found });
    const calls = projectCalls({ project, found, pass, out });
    closing.push(calls);
    const behaviourOf = (behaviour: SignedSimilarity) => projectBehaviour(behaviour, { found }, pass.placed);
    return await withSimilarities(options, { pass, calls, behaviourOf }, async (similarities) => {
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
      put(summary, files, similarities);
      return summary;
    });
  } finally {
    for (const thing of closing.reverse()) await thing.close();
  }
}

const spansLine = ({ project: p }: ProjectSummary): string =>
  `spans: ${p.spans} of ${p.drawn} drawn from ${p.candidates} in ${counted(p.files, "file")}; ` +
  `deleting ${p.without_effect} (${(100 * p.dropped_share).toFixed(0)}%) changes no test result; ` +
  `${counted(p.test_files, "file")} with tests left out\n`;

function timesTable({ project }: ProjectSummary): string {
  const head = ["similarity", "AUC of pass", "CPU s per candidate", "s per candidate", "candidates timed"];
  const rows = project.times.map(({ name, pairs, median_cpu_s: cpu, median_wall_s: wall }) => [
    name,
    fixed(project.auc_of_pass[name]),
    cpu.toPrecision(3),
    wall.toPrecision(3),
    String(pairs),
  ]);
  return inColumns([head, ...rows]);
}
