/** What a machine of a cluster does: it processes the shards of its part, and retries each until it is done or out of attempts. */
import { CodescoreError } from "../../errors.ts";
import { counted } from "../../util/counted.ts";
import { dividedTasks } from "../score/shard.ts";

/** A command that processes shards. */
export type Step = "label" | "expand" | "score";

export interface ClusterFlags {
  readonly step: Step;
  readonly problems?: readonly string[];
  readonly samples?: string;
  /** Rows to score. */
  readonly input?: string;
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
  /** Extra arguments for the step's command. */
  readonly options: readonly string[];
  /** Whether input and output are URLs. The Python package then transfers the rows. */
  readonly isRemote: boolean;
}

/** The folder of a step's shards, their ending, and the file that they are joined into. */
const FILES: Readonly<Record<Step, { readonly folder: string; readonly ending: string; readonly whole: string }>> = {
  label: { folder: "labels", ending: "arrow", whole: "labels.arrow" },
  expand: { folder: "expanded", ending: "jsonl", whole: "expanded.jsonl" },
  score: { folder: "scores", ending: "jsonl", whole: "scores.jsonl" },
};

/** The folder of a step's shards within the output. */
export const shardsFolder = ({ step }: Pick<Plan, "step">): string => FILES[step].folder;

/** By default Slurm allows 1,001 entries in an array (MaxArraySize). */
const MOST_TASKS = 1000;

const isUrl = (path: string): boolean => path.includes("://");

/** Options that the scripts set, or that only a command of one machine can have. */
const OWNED: Readonly<Record<Step, RegExp>> = {
  label: /^--(?:problems|samples|shard|output|stdio|workers)(?:=|$)/,
  expand: /^--(?:problems|shard|output|stdio|workers|llm)(?:=|$)/,
  score: /^--(?:problems|samples|input|shard|output|stdio|workers|threads)(?:=|$)/,
};

/** Throws `CodescoreError("usage")` for flags that contradict each other. */
export async function planOf(flags: ClusterFlags, options: readonly string[]): Promise<Plan> {
  const { readShards } = await import("../../dataset/index.ts");
  const { step, samples } = flags;
  const { name, path } = inputOf(flags);
  const isRemote = isUrl(path);
  if (isRemote !== isUrl(flags.output)) {
    throw new CodescoreError("usage", `expected --${name} and --output to be both paths or both URLs`);
  }
  if (isRemote && step === "label" && /\.(?:jsonl|json|csv|parquet)(?:\.gz)?$/.test(path)) {
    const what = "a URL of the folder that codescore datasets shard wrote";
    throw new CodescoreError("usage", `with --step label expected --samples to be ${what}, got ${path}`);
  }
  const cut = isRemote || samples === undefined ? null : await readShards(samples);
  const shards = flags.shards ?? cut?.count;
  if (shards === undefined) {
    const how = "only a folder of codescore datasets shard says how many there are";
    throw new CodescoreError("usage", `expected --shards N, got none; ${how}`);
  }
  if (cut !== null && cut.count !== shards) {
    throw new CodescoreError(
      "usage",
      `${samples} is divided into ${counted(cut.count, "shard")}, got --shards ${shards}`,
    );
  }
  const owned = options.find((word) => OWNED[step].test(word));
  if (owned !== undefined)
    throw new CodescoreError("usage", `${owned} is set for each shard: remove it from the options after --`);
  const compares = options.find((word) => word === "--run" || word === "--consensus");
  if (step === "score" && cut !== null && compares !== undefined)
    throw new CodescoreError("usage", dividedTasks(compares, cut.folder));
  return {
    ...flags,
    ...(samples !== undefined && { samples: withoutSlashes(samples) }),
    output: withoutSlashes(flags.output),
    shards,
    tasks: Math.min(flags.tasks ?? MOST_TASKS, shards),
    options,
    isRemote,
  };
}

/** What the step divides. Throws `CodescoreError("usage")` if it is not given, or something is given that the step does not read. */
function inputOf({ step, problems, samples, input }: ClusterFlags): { readonly name: string; readonly path: string } {
  const refuse = (message: string): never => {
    throw new CodescoreError("usage", message);
  };
  if (step !== "score" && input !== undefined) refuse("--input needs --step score");
  if (step === "expand" && samples !== undefined) refuse("--step expand reads no samples: remove --samples");
  if (input !== undefined) {
    if (samples !== undefined || problems !== undefined) refuse("give --input, or --problems and --samples");
    return { name: "input", path: input };
  }
  const [first] = problems ?? [];
  if (step === "expand") return { name: "problems", path: first ?? refuse("expected --problems PATH, got none") };
  if (first !== undefined && samples !== undefined) return { name: "samples", path: samples };
  const missing = first === undefined ? "--problems PATH" : "--samples PATH";
  return refuse(`expected ${missing}, got none${step === "score" ? "; or rows as --input FILE" : ""}`);
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

/** Shell script that processes the shards of part `index`, a shell expression counted from 1. Exits with 1 if a shard has no output. */
export function partScript(plan: Plan, index: string): string {
  const { shards, tasks, retries, step, isRemote, output } = plan;
  const { folder, ending } = FILES[step];
  const undone = isRemote ? "failed=1" : '[ -e "$out" ] || failed=1 # rows that could not be judged are in it';
  const setting =
    isRemote && step === "label"
      ? `name=$(printf '%05d-of-%05d.jsonl' "$shard" ${shards})`
      : `out=${quoted(`${output}/${folder}/`)}"$shard".${ending}`;
  return `set -u
failed=0
shard=${index}
while [ "$shard" -le ${shards} ]; do
  ${setting}
  attempt=0
  until ${shardCommand(plan)}; do
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

/** Processes the shard `$shard`: writes its output and manifest. A run of `label` or `expand` that was killed resumes, except with URLs. */
function shardCommand({ step, problems = [], samples, input, output, shards, options, cpus, isRemote }: Plan): string {
  const given = problems.flatMap((path) => ["--problems", path]);
  const cores = [
    ...(step === "score" ? ["--threads", `${cpus}`] : []),
    ...(step !== "score" || options.includes("--run") ? ["--workers", `${cpus}`] : []),
  ];
  const rest = words(...cores, ...options);
  if (isRemote && step === "label") {
    const place = words("--output", `${output}/${FILES.label.folder}`);
    return `python3 -m codescore.shards label ${quoted(`${samples}/`)}"$name" ${words(...given)} ${place} ${rest}`;
  }
  const rows = [
    ...(samples === undefined ? [] : ["--samples", samples]),
    ...(input === undefined ? [] : ["--input", input]),
  ];
  const command = isRemote ? `python3 -m codescore.shards ${step}` : `codescore ${step}`;
  return `${command} ${words(...given, ...rows)} --shard "$shard/${shards}" --output "$out" ${rest}`;
}

/** Shell script that joins the shards. */
export function mergeScript({ step, samples, output, isRemote }: Plan): string {
  const { folder, ending } = FILES[step];
  const whole = `${output}/${FILES[step].whole}`;
  if (!isRemote) return `codescore datasets merge ${quoted(whole)} ${quoted(`${output}/${folder}/`)}*.${ending}\n`;
  const join = words("python3", "-m", "codescore.shards", "join", `${output}/${folder}`);
  const all = step === "label" ? ["--samples", `${samples}/shards.json`] : [];
  return `${join} ${words(...all, "--output", whole)}\n`;
}
