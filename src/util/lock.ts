/**
 * One run an output: a file `OUTPUT.lock` names the process that writes the output. A lock whose process is gone, such as one
 * that was killed, holds nobody up. Of a process on another machine, which may share the disk, that shows from the file's
 * time: the holder touches it as long as it lives.
 */
import { readFileSync, rmSync } from "node:fs";
import { readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, resolve } from "node:path";
import { CodescoreError } from "../errors.ts";
import { whileWriting } from "./file-errors.ts";
import { makeFolder } from "./files.ts";

const TOUCH_MS = 15_000;
/** Long beside TOUCH_MS: a step of training may keep a process from touching its lock. */
const SILENT_MS = 10 * 60_000;
/** A lock without its text is being written by someone, unless it is older. */
const WRITING_MS = 5_000;

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, so that another with its number is not taken for it; null where the system does not say. */
  readonly began: string | null;
}

export interface Lock {
  release(): Promise<void>;
}

/** Held by this process: let go of when it ends in an orderly way without having done so. */
const held = new Set<string>();
process.on("exit", () => {
  for (const file of held) rmSync(file, { force: true });
});

/**
 * Makes the folder that `path`, a file or a folder, is in. Throws `CodescoreError`: `usage` where another run that is alive
 * writes the same.
 */
export async function lockOutput(path: string): Promise<Lock> {
  const file = `${resolve(path)}.lock`;
  const text = JSON.stringify(ourselves());
  await makeFolder(dirname(file), path);
  while (!(await whileWriting(path, () => create(file, text)))) {
    const found = await readFile(file, "utf8").catch(() => null);
    if (found === null) continue; // released meanwhile
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

/** Does work while it holds the output. Throws as `lockOutput` and `work` do. */
export async function locked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockOutput(path);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** False where the file is there already. */
const create = (file: string, text: string): Promise<boolean> =>
  writeFile(file, text, { flag: "wx" }).then(
    () => true,
    async (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return false;
      if (error.code === "ENOSPC") await rm(file, { force: true }); // made, but without its text
      throw error;
    },
  );

/** Of two runs that find the same lock stale, one must not remove what the other has made in its place. */
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
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false; // else it is there, but another user's
  }
  const now = beginningOf(pid);
  return began === null || now === null || now === began;
}

/** The 22nd field of /proc/PID/stat, in ticks since the machine's start; null on other systems than Linux. */
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
