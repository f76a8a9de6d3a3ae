/**
 * Commands given as a template, run without a shell: words parted by blanks, quotes around words with blanks, `{name}` for the
 * path of a file. A command runs with the caller's own rights.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";

export interface CommandResult {
  /** The exit status; null when a signal ended it or it ran out of time. */
  readonly status: number | null;
  readonly timedOut: boolean;
  /** The last of what it printed, both streams together. */
  readonly output: string;
  /** All of stdout; null where that is more than `mostStdout`. */
  readonly stdout: string | null;
}

/** Characters of stdout that are read: an analyser's report on one file. */
const mostStdout = 32 * 1024 * 1024;

/** Characters kept of what a command prints. */
const keptOutput = 2000;

/** The words of a template. Throws `CodescoreError("usage")` for an open quote, no word, or a place that is not known. */
export function parseCommand(template: string, places: readonly string[]): string[] {
  const words = [...template.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word);
  const rest = template.replace(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g, "").trim();
  if (rest !== "") throw new CodescoreError("usage", `the command has a quote without its end: ${template}`);
  if (words.length === 0) throw new CodescoreError("usage", "expected a command, got nothing");
  const found = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const unknown = found.find((place) => !places.includes(place));
  if (unknown !== undefined || found.length === 0) {
    const there = places.map((place) => `{${place}}`).join(", ");
    const got = unknown === undefined ? "none" : `{${unknown}}`;
    throw new CodescoreError(
      "usage",
      `expected places for files out of ${there} in the command, got ${got}: ${template}`,
    );
  }
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, a?: string, b?: string) => a ?? b ?? ""));
}

/**
 * Runs the words with the texts in files of a folder of their own, which is removed afterwards. `files` maps a place to the
 * file's name and text; files of different places may have the same name.
 * Throws `CodescoreError("environment")` when the program cannot be started.
 */
export async function runCommand(
  words: readonly string[],
  files: Readonly<Record<string, { readonly name: string; readonly text: string }>>,
  timeoutMs: number,
): Promise<CommandResult> {
  const folder = await mkdtemp(join(tmpdir(), "codescore-oracle-"));
  try {
    const paths: Record<string, string> = {};
    for (const [place, { name, text }] of Object.entries(files)) {
      paths[place] = join(await mkdtemp(join(folder, `${place}-`)), name);
      await writeFile(paths[place], text);
    }
    const [program, ...args] = words.map((word) =>
      word.replace(/\{(\w+)\}/g, (whole, place: string) => paths[place] ?? whole),
    );
    return await runProgram(program!, args, timeoutMs);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runProgram(program: string, args: readonly string[], timeoutMs: number): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that what it starts ends with it.
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], detached: true });
    let output = "";
    let stdout: string | null = "";
    let timedOut = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output = (output + text).slice(-keptOutput);
      });
    }
    child.stdout.on("data", (text: string) => {
      if (stdout !== null) stdout = stdout.length + text.length > mostStdout ? null : stdout + text;
    });
    const killGroup = (): void => {
      try {
        process.kill(-child.pid!, "SIGKILL");
      } catch {
        // the group is gone
      }
    };
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup();
    }, timeoutMs);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(new CodescoreError("environment", `cannot start ${program}: ${error.message}`, { cause: error }));
    });
    child.on("exit", killGroup);
    child.on("close", (status) => {
      clearTimeout(timer);
      resolve({ status: timedOut ? null : status, timedOut, output, stdout });
    });
  });
}
