/** `codescore cluster`: writes files with which a cluster labels, expands or scores shards. Submits nothing, so that you can read them first. */
import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { CodescoreError } from "../errors.ts";
import type { K8sFlags } from "./cluster/k8s.ts";
import type { ClusterFlags, Step } from "./cluster/script.ts";
import type { SlurmFlags } from "./cluster/slurm.ts";
import { integer, paths } from "./options/values.ts";

const STEPS = ["label", "expand", "score"] as const satisfies readonly Step[];

export const clusterVerb = (): Command =>
  new Command("cluster")
    .description("write files with which Slurm or Kubernetes labels, expands or scores shards and joins the results")
    .addCommand(slurmVerb())
    .addCommand(k8sVerb());

const common = (command: Command): Command =>
  command
    .argument("[options...]", "after --: extra options for the command of the step")
    .addOption(new Option("--step <step>", "the command that processes the shards").choices(STEPS).default("label"))
    .option(
      "--problems <path>",
      "a problem file or a folder of them, as a path on the cluster's machines; may be repeated",
      paths,
    )
    .option(
      "--samples <path>",
      "samples to label or score, as a path on the cluster's machines: the folder that codescore datasets shard wrote, or a file",
    )
    .option("--input <file>", "with --step score: rows to score, as for codescore score --input")
    .option("--shards <n>", "number of shards (default: read from the folder)", integer(1))
    .option(
      "--tasks <n>",
      "number of parts to schedule, each of one shard or more (default: one per shard, at most 1000)",
      integer(1),
    )
    .option("--cpus <n>", "cores per part", integer(1), 1)
    .option("--retries <n>", "maximum number of retries per shard", integer(0), 3);

const slurmVerb = (): Command =>
  common(new Command("slurm").description("an sbatch array that processes shards, and a step that joins its results"))
    .requiredOption(
      "--output <folder>",
      "a folder that all machines share: the files, and after the run logs/, the shards and the joined file",
    )
    .option("--memory <size>", "memory per part, in Slurm's format", sizeOf(/^\d+[KMGT]?$/), "4G")
    .option("--time <limit>", "time limit per part, in Slurm's format", "1-00:00:00")
    .option("--partition <name>", "Slurm partition to run in")
    .addHelpText(
      "after",
      `
Examples:
  $ codescore datasets shard --problems mbpp.jsonl --samples samples.jsonl --shards 256 --output run/samples
  $ codescore cluster slurm --problems mbpp.jsonl --samples run/samples --output run
  $ sh run/submit.sh
  $ codescore cluster slurm --step expand --shards 16 --problems mbpp.jsonl --output expand -- --count 50
  $ codescore cluster slurm --step score --shards 64 --input rows.jsonl --output scores -- --run`,
    )
    .action(async (options: string[], flags: ClusterFlags & SlurmFlags) => {
      const { planOf } = await import("./cluster/script.ts");
      const { slurmFiles } = await import("./cluster/slurm.ts");
      const { problems, samples, input, output } = flags;
      const given = {
        ...(problems && { problems: problems.map(at) }),
        ...(samples !== undefined && { samples: at(samples) }),
        ...(input !== undefined && { input: at(input) }),
      };
      const plan = await planOf({ ...flags, ...given, output: at(output) }, options);
      await writeFiles(plan.output, slurmFiles(plan, flags, plan.output));
    });

const k8sVerb = (): Command =>
  common(new Command("k8s").description("an indexed Job that processes shards, and a Job that joins its results"))
    .requiredOption(
      "--output <place>",
      "where the Jobs write: a path on the cluster's machines inside the claim, or a URL",
    )
    .requiredOption("--image <name>", "an image built from the Dockerfile")
    .requiredOption("--write <folder>", "local folder for the files")
    .option("--name <name>", "name of the Jobs", nameOf, "codescore")
    .option("--claim <name>", "a PersistentVolumeClaim that all machines can write; not needed if all paths are URLs")
    .option("--mount <path>", "where the claim is mounted", "/data")
    .option(
      "--secret <name>",
      "a Secret whose entries become environment variables, such as AWS_ACCESS_KEY_ID for URLs",
      nameOf,
    )
    .option("--parallelism <n>", "maximum number of parts at a time (default: all)", integer(1))
    .option("--memory <size>", "memory per part, in Kubernetes' format", sizeOf(/^\d+(?:Mi|Gi|M|G)$/), "4Gi")
    .addHelpText(
      "after",
      `
Examples:
  $ codescore cluster k8s --image registry/codescore --claim sets --shards 256 --write jobs \\
      --problems /data/mbpp.jsonl --samples /data/run/samples --output /data/run
  $ codescore cluster k8s --image registry/codescore --shards 256 --write jobs \\
      --problems s3://sets/mbpp.jsonl --samples s3://sets/run/samples --output s3://sets/run
  $ sh jobs/submit.sh`,
    )
    .action(async (options: string[], flags: ClusterFlags & K8sFlags & { readonly write: string }) => {
      const { planOf } = await import("./cluster/script.ts");
      const { k8sFiles } = await import("./cluster/k8s.ts");
      const folder = resolve(flags.write);
      await writeFiles(folder, k8sFiles(await planOf(flags, options), flags, folder));
    });

/** An absolute path. Throws `CodescoreError("usage")` for a URL, because Slurm's machines share a disk. */
function at(path: string): string {
  if (!path.includes("://")) return resolve(path);
  throw new CodescoreError("usage", `expected a path that all machines share, got ${path}; cluster k8s takes URLs`);
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const { writeAtomic } = await import("../util/files.ts");
  const { join } = await import("node:path");
  for (const [name, text] of Object.entries(files)) {
    await writeAtomic(join(folder, name), text);
    process.stderr.write(`wrote ${join(folder, name)}\n`);
  }
  process.stderr.write(`check them, then run: sh ${join(folder, "submit.sh")}\n`);
}

const sizeOf =
  (form: RegExp) =>
  (text: string): string => {
    if (form.test(text)) return text;
    throw new InvalidArgumentError(`Expected a size such as 4G or 4Gi, got \`${text}\`.`);
  };

function nameOf(text: string): string {
  if (/^[a-z](?:[a-z0-9-]{0,50}[a-z0-9])?$/.test(text)) return text;
  throw new InvalidArgumentError(`Expected lower-case letters, digits and hyphens, got \`${text}\`.`);
}
