/** Runs the built command, as a user does. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const entry = join(fileURLToPath(new URL("../..", import.meta.url)), "dist", "cli", "main.js");

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly stdin?: string;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** Closes the pipe after what is printed first, as `| head` does. */
  readonly head?: boolean;
}

export function codescore(
  args: readonly string[],
  { stdin = "", env = {}, cwd, head = false }: RunOptions = {},
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [entry, ...args], { env: { ...process.env, NO_COLOR: "1", ...env }, cwd });
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
    child.stdin.on("error", () => {}); // a command that reads no stdin closes it
    child.stdin.end(stdin);
  });
}
