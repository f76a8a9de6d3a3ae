/** What a machine of a cluster does: the shards of its number, each until it is done or was tried often enough. */
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
  /** Machines' parts: part i has the shards i, i + tasks and so on. */
  readonly tasks: number;
  /** Further words for `codescore label`. */
  readonly options: readonly string[];
  /** Whether rows come and go by URL, through the Python package. */
  readonly isRemote: boolean;
}

/** Slurm's array has 1,001 entries unless its site says otherwise (MaxArraySize). */
const MOST_TASKS = 1000;

const isUrl = (path: string): boolean => path.includes("://");

/** Throws `CodescoreError("usage")` for flags that do not go together. */
export async function planOf(flags: ClusterFlags, options: readonly string[]): Promise<Plan> {
  const { readShards } = await import("../../dataset/index.ts");
  const isRemote = isUrl(flags.samples);
  if (isRemote !== isUrl(flags.output)) {
    throw new CodescoreError("usage", "expected --samples and --output to be both paths or both URLs");
  }
  const cut = isRemote ? null : await readShards(flags.samples);
  const shards = flags.shards ?? cut?.count;
  if (shards === undefined) {
    const how = "codescore datasets shard cuts samples, and its folder says how many there are";
    throw new CodescoreError("usage", `expected --shards N, got none; ${how}`);
  }
  if (cut !== null && cut.count !== shards) {
    throw new CodescoreError(
      "usage",
      `${flags.samples} is cut into ${counted(cut.count, "shard")}, got --shards ${shards}`,
    );
  }
  const owned = options.find((word) => /^--(?:problems|samples|shard|output|stdio|workers)(?:=|$)/.test(word));
  if (owned !== undefined) throw new CodescoreError("usage", `${owned} is set for each shard: leave it out behind --`);
  const [samples, output] = [flags.samples, flags.output].map(withoutSlashes) as [string, string];
  return { ...flags, samples, output, shards, tasks: Math.min(flags.tasks ?? MOST_TASKS, shards), options, isRemote };
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

/** A word as POSIX shells read it. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const words = (...all: readonly string[]): string => all.map(quoted).join(" ");

/** Shell that labels the shards of part `index`, a number from 1 in the shell's words. Ends with 1 where one could not be labelled at all. */
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

/** Of the shard `$shard`: from a part of the samples to a file and its manifest. A killed one goes on where it was, but from URLs. */
function labelCommand({ problems, samples, output, shards, options, cpus, isRemote }: Plan): string {
  const given = problems.flatMap((path) => ["--problems", path]);
  const rest = words("--workers", `${cpus}`, ...options);
  if (isRemote) {
    const place = words("--output", `${output}/labels`);
    return `python3 -m codescore.shards label ${quoted(`${samples}/`)}"$name" ${words(...given)} ${place} ${rest}`;
  }
  return `codescore label ${words(...given, "--samples", samples)} --shard "$shard/${shards}" --output "$out" ${rest}`;
}

/** Shell that joins the shards. */
export function mergeScript({ samples, output, isRemote }: Plan): string {
  const whole = `${output}/labels.arrow`;
  if (!isRemote) return `codescore datasets merge ${quoted(whole)} ${quoted(`${output}/labels/`)}*.arrow\n`;
  const join = words("python3", "-m", "codescore.shards", "join", `${output}/labels`);
  return `${join} ${words("--samples", `${samples}/shards.json`, "--output", whole)}\n`;
}
