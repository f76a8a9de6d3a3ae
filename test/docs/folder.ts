/** A folder for the commands of documents, in which `codescore` and `npx codescore` are the built command. */
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { vi } from "vitest";
import { type CliResult, codescoreHere } from "../cli/run.ts";
import { root, wordsOf } from "./commands.ts";

export interface Folder {
  at(name: string): string;
  write(name: string, text: string | Uint8Array): Promise<void>;
  /** Runs a command in a shell. */
  run(command: string): Promise<CliResult>;
  /** The same, but in this process if it needs no shell and a shell has run its verb. That takes less than half of the time. */
  runAgain(command: string): Promise<CliResult>;
  /** Runs a command of codescore in this process. Throws if it fails. */
  make(command: string): Promise<void>;
  remove(): Promise<void>;
}

export async function openFolder(): Promise<Folder> {
  const folder = await mkdtemp(join(tmpdir(), "codescore-docs-"));
  const at = (name: string): string => join(folder, name);
  const write = async (name: string, text: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
  };
  const run = async (command: string): Promise<CliResult> => {
    const env = { ...process.env, PATH: `${at("bin")}:${process.env.PATH}`, CODESCORE_CACHE: at("cache") };
    const options = { cwd: folder, env, maxBuffer: 1e8 };
    try {
      return { code: 0, ...(await promisify(execFile)("bash", ["-c", command], options)) };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, stdout, stderr };
    }
  };
  const started = new Set<string>();
  const runAgain = (command: string): Promise<CliResult> => {
    const [, ...args] = wordsOf(command);
    const isPlain = /^(npx )?codescore [^$&*;<>?\\`|~]*$/.test(command);
    const verb = args.slice(0, /^(cluster|datasets|rtc)$/.test(args[0]!) ? 2 : 1).join(" ");
    if (isPlain && started.has(verb)) return codescoreHere(args, { cwd: folder });
    started.add(verb);
    return run(command);
  };
  const make = async (command: string): Promise<void> => {
    const { code, stderr } = await codescoreHere(wordsOf(command).slice(1), { cwd: folder });
    if (code !== 0) throw new Error(`${command}: ${stderr}`);
  };
  await write("bin/codescore", `#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist/cli/main.js")}" "$@"\n`);
  await write("bin/npx", '#!/bin/sh\nexec "$@"\n');
  for (const name of ["codescore", "npx"]) await chmod(at(`bin/${name}`), 0o755);
  vi.stubEnv("CODESCORE_CACHE", at("cache"));
  await symlink(join(root, "examples"), at("examples"));
  return { at, write, run, runAgain, make, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The first lines of a file of the repository. */
export const firstLines = async (path: string, count: number): Promise<string> =>
  (await readFile(join(root, path), "utf8")).trim().split("\n").slice(0, count).join("\n");
