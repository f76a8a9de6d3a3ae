/** `codescore cluster slurm`: a job array that processes shards, and a job that joins them when all are done. */
import { mergeScript, type Plan, partScript, quoted, shardsFolder } from "./script.ts";

export interface SlurmFlags {
  readonly time: string;
  readonly partition?: string;
}

/** File contents by file name. */
export function slurmFiles(plan: Plan, { time, partition }: SlurmFlags, folder: string): Record<string, string> {
  const { step, tasks, cpus, memory } = plan;
  const common = [
    ...(partition === undefined ? [] : [`--partition=${partition}`]),
    `--time=${time}`,
    "--open-mode=append",
  ];
  const script = (directives: readonly string[], body: string): string =>
    `#!/bin/bash\n${[...directives, ...common].map((word) => `#SBATCH ${word}\n`).join("")}\n${body}`;
  const part = [
    `--job-name=codescore-${step}`,
    `--array=1-${tasks}`,
    `--cpus-per-task=${cpus}`,
    `--mem=${memory}`,
    "--requeue", // after a machine fails; the script itself retries a command that fails
    `--output=${folder}/logs/%a.log`,
  ];
  const merge = ["--job-name=codescore-merge", `--output=${folder}/logs/merge.log`];
  return {
    [`${step}.sbatch`]: script(part, partScript(plan, '"$SLURM_ARRAY_TASK_ID"')),
    "merge.sbatch": script(merge, mergeScript(plan)),
    "submit.sh": `#!/bin/sh
set -e
cd ${quoted(folder)}
mkdir -p logs ${shardsFolder(plan)}
${step}=$(sbatch --parsable ${step}.sbatch)
sbatch --dependency="afterok:$${step}" --kill-on-invalid-dep=yes merge.sbatch
`,
  };
}
