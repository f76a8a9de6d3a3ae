/** A folder for temporary files that is also removed if this process is killed. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

export async function temporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  // It reads until this process has ended, in whatever way, and then removes the folder. A group of its own: ^C does not reach it.
  const remover = spawn("/bin/sh", ["-c", 'read _; rm -rf -- "$1"', "sh", path], {
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    detached: true,
  });
  remover.on("error", () => {}); // without a shell, only `remove` removes it
  remover.stdin.on("error", () => {});
  remover.unref();
  (remover.stdin as Socket).unref();
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true });
      remover.stdin.end();
    },
  };
}
