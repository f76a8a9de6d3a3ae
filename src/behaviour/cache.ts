/**
 * Cache of the inputs of tasks, in `CODESCORE_CACHE`, because a benchmark's tasks are scored again and again. The key is a hash of
 * everything that the inputs depend on. Inputs that cannot be read from the cache are generated again; a failed write is ignored.
 */
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { decodeValue, type Executor } from "../execute/index.ts";
import { cacheFolder } from "../util/cache.ts";
import { sha256, writeAtomic } from "../util/files.ts";
import type { InputOptions, TaskInputs } from "./inputs.ts";
import type { Known } from "./oracle.ts";
import type { Task } from "./types.ts";

/** Increased when inputs are generated in another way. */
const VERSION = 59;
/** Maximum number of files. If there are more, the oldest half of this number is deleted. */
const MOST = 20_000;

interface Kept extends Omit<TaskInputs, "known"> {
  readonly known: readonly (Omit<Known, "answer"> & { readonly text: string | null })[];
}

const folder = (): string => join(cacheFolder(), "inputs");

/** The inputs of a task: from the cache, or from `make`. */
export async function remembered(
  task: Task,
  { sandbox, python, packages, limits }: Executor,
  { inputs, seed }: InputOptions,
  make: () => Promise<TaskInputs>,
): Promise<TaskInputs> {
  const { reference, description, entryPoint = null, candidates } = task;
  const all = [VERSION, reference, description, entryPoint, reference === null ? candidates : [], inputs, seed];
  const path = join(folder(), `${sha256(JSON.stringify([...all, sandbox, python, packages, limits]))}.json`);
  const kept = await readFile(path, "utf8").catch(() => null);
  const known = kept === null ? null : parse(kept);
  if (known !== null) return known;
  const made = await make();
  await writeAtomic(path, print(made)).catch(() => {});
  await prune();
  return made;
}

function print({ known, ...rest }: TaskInputs): string {
  const answers = known.map(({ answer, ...one }) => ({ ...one, text: answer?.text ?? null }));
  return JSON.stringify({ ...rest, known: answers } satisfies Kept);
}

function parse(text: string): TaskInputs | null {
  try {
    const { known, ...rest } = JSON.parse(text) as Kept;
    return {
      ...rest,
      known: known.map(({ text: answer, ...one }) => ({
        ...one,
        answer: answer === null ? null : { outcome: "ok", text: answer, value: decodeValue(answer), cpuS: one.cpuS },
      })),
    };
  } catch {
    return null; // damaged
  }
}

let pruned: Promise<void> | null = null;

/** Deletes old files, once per process. */
function prune(): Promise<void> {
  pruned ??= (async () => {
    await mkdir(folder(), { recursive: true });
    const names = await readdir(folder());
    if (names.length <= MOST) return;
    const files = await Promise.all(
      names.map(async (name) => ({ name, time: (await stat(join(folder(), name))).mtimeMs })),
    );
    files.sort((a, b) => a.time - b.time);
    await Promise.all(files.slice(0, MOST / 2).map(({ name }) => rm(join(folder(), name), { force: true })));
  })().catch(() => {});
  return pruned;
}
