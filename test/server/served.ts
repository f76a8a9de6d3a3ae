/** `codescore serve` as a process. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const entry = join(fileURLToPath(new URL("../..", import.meta.url)), "dist", "cli", "main.js");

export interface Served {
  readonly url: string;
  readonly child: ChildProcess;
  readonly stderr: () => string;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts it on a free port. It ends with the test. */
export function startServer(args: readonly string[], env: Record<string, string> = {}): Promise<Served> {
  const all = [entry, "serve", "--port", "0", ...args];
  const child = spawn(process.execPath, all, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  const ended = new Promise<Awaited<Served["ended"]>>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal })),
  );
  return new Promise((resolve, reject) => {
    child.stderr.on("data", (piece: Buffer) => {
      stderr += piece.toString();
      const url = /^listening on (\S+);/m.exec(stderr)?.[1];
      if (url !== undefined) resolve({ url, child, stderr: () => stderr, ended });
    });
    child.on("close", () => reject(new Error(stderr)));
  });
}
