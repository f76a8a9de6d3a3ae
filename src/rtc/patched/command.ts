/**
 * Commands given as a template and run without a shell. Words are separated by blanks, quotes enclose words with blanks, and
 * `{name}` stands for the path of a file. A command runs with the caller's rights.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";

export interface CommandResult {
  /** The exit status. Null if a signal ended the command or it timed out. */
  readonly status: number | null;
  readonly timedOut: boolean;
  /** The end of its output, both streams together. */
  readonly output: string;
  /** The whole stdout. Null if it is longer than `mostStdout`. */
  readonly stdout: string | null;
}

/** Maximum characters of stdout: enough for an analyser's report on one file. */
const mostStdout = 32 * 1024 * 1024;

/** Characters kept of a command's output. */
const keptOutput = 2000;

/** The words of a template. @throws `CodescoreError("usage")` for an open quote, no words, no place, or an unknown place */
export function parseCommand(template: string, places: readonly string[]): string[] {
  const words = [...template.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word);
  const rest = template.replace(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g, "").trim();
  if (rest !== "") throw new CodescoreError("usage", `the command has an unclosed quote: ${template}`);
  if (words.length === 0) throw new CodescoreError("usage", "expected a command, got nothing");
  const found = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const unknown = found.find((place) => !places.includes(place));
  if (unknown !== undefined || found.length === 0) {
    const there = places.map((place) => `{${place}}`).join(", ");
    const got = unknown === undefined ? "none" : `{${unknown}}`;
    throw new CodescoreError("usage", `expected one or more of ${there} in the command, got ${got}: ${template}`);
  }
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, a?: string, b?: string) => a ?? b ?? ""));
}

/**
 * Runs the words with the texts in files of a temporary folder, which is removed afterwards.
 * @param files by place: the file's name and text; files of different places may have the same name
 * @throws `CodescoreError("environment")` if the program cannot be started
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
    // A separate process group, so that killing it ends all child processes.
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
        // the group has already ended
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
