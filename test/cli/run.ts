/**
 * Runs the command: either the built one in a separate process, like a user, or in this process. The latter takes a tenth of the time
 * and is enough for exit code, stdout and stderr. Signals, pipes and the end of the process need the former.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import { runCommand } from "../../src/cli/run.ts";

const entry = join(fileURLToPath(new URL("../..", import.meta.url)), "dist", "cli", "main.js");

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CallOptions {
  readonly stdin?: string;
  readonly cwd?: string;
}

interface RunOptions extends CallOptions {
  readonly env?: Record<string, string>;
  /** Closes the pipe after the first output, like `| head`. */
  readonly head?: boolean;
}

/** Runs it in a separate process. */
export function codescore(
  args: readonly string[],
  { stdin = "", env = {}, cwd, head = false }: RunOptions = {},
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [entry, ...args], { env: { ...process.env, ...env }, cwd });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => {
      stdout.push(chunk);
      if (head) child.stdout.destroy();
    });
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }),
    );
    child.stdin.on("error", () => {}); // a command that does not read stdin closes it
    child.stdin.end(stdin);
  });
}

let calls: Promise<unknown> = Promise.resolve();

/** Runs it in this process. Calls run one after another, because they share its streams, folder and exit code. */
export function codescoreHere(args: readonly string[], options: CallOptions = {}): Promise<CliResult> {
  const result = calls.then(() => call(args, options));
  calls = result.catch(() => {});
  return result;
}

async function call(args: readonly string[], { stdin = "", cwd = process.cwd() }: CallOptions): Promise<CliResult> {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const input = Readable.from(stdin === "" ? [] : [Buffer.from(stdin)]);
  const streams = Object.entries({ stdin: input, stdout, stderr }).map(([name, stream]) =>
    vi.spyOn(process, name as "stdout", "get").mockReturnValue(stream as unknown as typeof process.stdout),
  );
  const before = { cwd: process.cwd(), exitCode: process.exitCode };
  try {
    process.chdir(cwd);
    process.exitCode = undefined;
    await runCommand(args);
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text, stderr: stderr.text };
  } finally {
    process.chdir(before.cwd);
    process.exitCode = before.exitCode;
    for (const stream of streams) stream.mockRestore();
  }
}

class Collector extends Writable {
  readonly #pieces: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#pieces).toString();
  }

  override _write(piece: Buffer, _: string, done: () => void): void {
    this.#pieces.push(piece);
    done();
  }
}
