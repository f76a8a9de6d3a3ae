/** What a machine of a cluster does: it labels the shards of its part, and retries each until it is done or out of attempts. */
import { CodescoreError } from "../../errors.ts";
import { counted } from "../../util/counted.ts";

export interface ClusterFlags {
  readonly problems: readonly string[];
  readonly samples: string;
  readonly output: string;
  readonly shards?: number;
  readonly tasks?: number;
  readonly cpus: number;
  readonly memory: string;
  readonly retries: number;
}

export interface Plan extends Omit<ClusterFlags, "shards" | "tasks"> {
  readonly shards: number;
  /** Number of parts that are scheduled. Part i has the shards i, i + tasks, i + 2 tasks, ... */
  readonly tasks: number;
  /** Extra arguments for `codescore label`. */
  readonly options: readonly string[];
  /** Whether input and output are URLs. The Python package then transfers the rows. */
  readonly isRemote: boolean;
}

/** By default Slurm allows 1,001 entries in an array (MaxArraySize). */
const MOST_TASKS = 1000;

const isUrl = (path: string): boolean => path.includes("://");

/** Throws `CodescoreError("usage")` for flags that contradict each other. */
export async function planOf(flags: ClusterFlags, options: readonly string[]): Promise<Plan> {
  const { readShards } = await import("../../dataset/index.ts");
  const isRemote = isUrl(flags.samples);
  if (isRemote !== isUrl(flags.output)) {
    throw new CodescoreError("usage", "expected --samples and --output to be both paths or both URLs");
  }
  const cut = isRemote ? null : await readShards(flags.samples);
  const shards = flags.shards ?? cut?.count;
  if (shards === undefined) {
    const how = "only a folder of codescore datasets shard says how many there are";
    throw new CodescoreError("usage", `expected --shards N, got none; ${how}`);
  }
  if (cut !== null && cut.count !== shards) {
    throw new CodescoreError(
      "usage",
      `${flags.samples} is divided into ${counted(cut.count, "shard")}, got --shards ${shards}`,
    );
  }
  const owned = options.find((word) => /^--(?:problems|samples|shard|output|stdio|workers)(?:=|$)/.test(word));
  if (owned !== undefined)
    throw new CodescoreError("usage", `${owned} is set for each shard: remove it from the options after --`);
  const [samples, output] = [flags.samples, flags.output].map(withoutSlashes) as [string, string];
  return { ...flags, samples, output, shards, tasks: Math.min(flags.tasks ?? MOST_TASKS, shards), options, isRemote };
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

/** Quotes a word for POSIX shells. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const words = (...all: readonly string[]): string => all.map(quoted).join(" ");

/** Shell script that labels the shards of part `index`, a shell expression counted from 1. Exits with 1 if a shard could not be labelled at all. */
export function partScript(plan: Plan, index: string): string {
  const { shards, tasks, retries } = plan;
  const undone = plan.isRemote ? "failed=1" : '[ -e "$out" ] || failed=1 # rows that could not be judged are in it';
  return `set -u
failed=0
shard=${index}
while [ "$shard" -le ${shards} ]; do
  ${plan.isRemote ? `name=$(printf '%05d-of-%05d.jsonl' "$shard" ${shards})` : `out=${quoted(`${plan.output}/labels/`)}"$shard".arrow`}
  attempt=0
  until ${labelCommand(plan)}; do
    attempt=$((attempt + 1))
    echo "shard $shard of ${shards}: attempt $attempt failed" >&2
    if [ "$attempt" -gt ${retries} ]; then
      ${undone}
      break
    fi
  done
  shard=$((shard + ${tasks}))
done
exit "$failed"
`;
}

/** Labels the shard `$shard`: writes its labelled set and manifest. A run that was killed resumes, except with URLs. */
function labelCommand({ problems, samples, output, shards, options, cpus, isRemote }: Plan): string {
  const given = problems.flatMap((path) => ["--problems", path]);
  const rest = words("--workers", `${cpus}`, ...options);
  if (isRemote) {
    const place = words("--output", `${output}/labels`);
    return `python3 -m codescore.shards label ${quoted(`${samples}/`)}"$name" ${words(...given)} ${place} ${rest}`;
  }
  return `codescore label ${words(...given, "--samples", samples)} --shard "$shard/${shards}" --output "$out" ${rest}`;
}

/** Shell script that joins the shards. */
export function mergeScript({ samples, output, isRemote }: Plan): string {
  const whole = `${output}/labels.arrow`;
  if (!isRemote) return `codescore datasets merge ${quoted(whole)} ${quoted(`${output}/labels/`)}*.arrow\n`;
  const join = words("python3", "-m", "codescore.shards", "join", `${output}/labels`);
  return `${join} ${words("--samples", `${samples}/shards.json`, "--output", whole)}\n`;
}
