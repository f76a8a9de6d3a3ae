/**
 * Allows only one run per output: a file `OUTPUT.lock` names the process that writes the output. A lock whose process no longer
 * runs, for example because it was killed, blocks nobody. For a process on another machine with a shared disk, the file's
 * modification time decides, because a live holder updates it regularly.
 */
import { readFileSync, rmSync } from "node:fs";
import { readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, resolve } from "node:path";
import { CodescoreError } from "../errors.ts";
import { whileWriting } from "./file-errors.ts";
import { makeFolder } from "./files.ts";

const TOUCH_MS = 15_000;
/** Age after which a lock of another machine is stale. Much longer than TOUCH_MS, because a training step may delay the update. */
const SILENT_MS = 10 * 60_000;
/** A lock without content is being written, unless it is older than this. */
const WRITING_MS = 5_000;

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process, to detect that another process has got the same number; null if the system does not report it. */
  readonly began: string | null;
}

export interface Lock {
  release(): Promise<void>;
}

/** Locks of this process. Those not yet released are removed when it exits normally. */
const held = new Set<string>();
process.on("exit", () => {
  for (const file of held) rmSync(file, { force: true });
});

/**
 * Locks an output file or folder. Creates its parent folder. Throws `CodescoreError("usage")` if another live run writes the
 * same output.
 */
export async function lockOutput(path: string): Promise<Lock> {
  const file = `${resolve(path)}.lock`;
  const text = JSON.stringify(ourselves());
  await makeFolder(dirname(file), path);
  while (!(await whileWriting(path, () => create(file, text)))) {
    const found = await readFile(file, "utf8").catch(() => null);
    if (found === null) continue; // released in the meantime
    const age = Date.now() - ((await stat(file).catch(() => null))?.mtimeMs ?? 0);
    const holder = parsed(found);
    if (holder === null ? age < WRITING_MS : isAlive(holder, age)) throw taken(path, file, holder);
    await takeAway(file, found);
  }
  held.add(file);
  const timer = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), TOUCH_MS);
  timer.unref();
  return {
    release: async () => {
      clearInterval(timer);
      if (held.delete(file)) await rm(file, { force: true });
    },
  };
}

/** Runs work while holding the lock of the output. Throws like `lockOutput` and `work`. */
export async function locked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockOutput(path);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** False if the file already exists. */
const create = (file: string, text: string): Promise<boolean> =>
  writeFile(file, text, { flag: "wx" }).then(
    () => true,
    async (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return false;
      if (error.code === "ENOSPC") await rm(file, { force: true }); // created, but empty
      throw error;
    },
  );

/** Removes a stale lock. If another run has replaced it in the meantime, puts the other run's lock back. */
async function takeAway(file: string, stale: string): Promise<void> {
  const aside = `${file}.${process.pid}`;
  await rename(file, aside).catch(() => {});
  const got = await readFile(aside, "utf8").catch(() => stale);
  if (got !== stale) await create(file, got);
  await rm(aside, { force: true });
}

const ourselves = (): Holder => ({ pid: process.pid, host: hostname(), began: beginningOf(process.pid) });

function isAlive({ pid, host, began }: Holder, age: number): boolean {
  if (host !== hostname()) return age < SILENT_MS;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false; // otherwise it exists but belongs to another user
  }
  const now = beginningOf(pid);
  return began === null || now === null || now === began;
}

/** Field 22 of /proc/PID/stat, in clock ticks since boot; null on systems other than Linux. */
function beginningOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function parsed(text: string): Holder | null {
  try {
    const { pid, host, began } = JSON.parse(text) as Partial<Holder>;
    return typeof pid === "number" && typeof host === "string" ? { pid, host, began: began ?? null } : null;
  } catch {
    return null;
  }
}

function taken(path: string, file: string, holder: Holder | null): CodescoreError {
  const who = holder === null ? "another run" : `another run (process ${holder.pid} on ${holder.host})`;
  return new CodescoreError(
    "usage",
    `${path} is being written by ${who}; wait for it to end, or give another --output. If no such run is left, delete ${file}`,
  );
}
