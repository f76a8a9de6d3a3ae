/** Servers of a sandbox whose parent is killed, while they run a program, run a test, or are idle. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bundled } from "../bundled.ts";
import { allGone, tree } from "../cli/kill.ts";
import { sandboxes } from "./open.ts";

const script = bundled(new URL("orphan.ts", import.meta.url));

// Processes are found in /proc.
describe.skipIf(!existsSync("/proc/self/stat")).each(sandboxes)(
  "the %s sandbox of a process that is killed",
  (sandbox) => {
    it.each(sandbox === "wasm" ? ["a program"] : ["a test and a program", "nothing"])(
      "ends, with its servers busy with: %s",
      async (what) => {
        const child = spawn(process.execPath, [script, sandbox, what], {
          stdio: ["ignore", "pipe", "inherit"],
        });
        let stdout = "";
        child.stdout.on("data", (piece: Buffer) => {
          stdout += piece.toString();
        });
        await expect.poll(() => stdout, { timeout: 120_000 }).toContain("busy");
        const processes = tree(child.pid as number);
        const scratch = /busy (.*)/.exec(stdout)?.[1] as string;
        expect(processes.length).toBeGreaterThanOrEqual(2);
        child.kill("SIGKILL");
        await allGone(processes).catch((error: unknown) => {
          // Remaining processes would run for a long time.
          for (const { pid } of processes.slice(1)) if (existsSync(`/proc/${pid}`)) process.kill(pid, "SIGKILL");
          throw error;
        });
        if (scratch !== "/tmp") await expect.poll(() => existsSync(scratch)).toBe(false);
      },
    );
  },
);
