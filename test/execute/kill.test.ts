/** Servers that are killed while they start. */
import { spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { findSandbox } from "../../src/execute/sandbox/index.ts";
import { ServerProcess } from "../../src/execute/sandbox/process.ts";
import { sandboxes } from "./open.ts";

/** Bubblewrap sets up its namespaces 1 to 6 ms after it is started. */
const AGES_MS = Array.from({ length: 24 }, (_, i) => (i % 12) / 2);

describe.skipIf(!sandboxes.includes("bwrap"))("a server that is killed while it starts", () => {
  // On a busy machine the parts of bubblewrap wait longer for each other.
  beforeAll(() => {
    const busy = [1, 2, 3].map(() => spawn(process.execPath, ["-e", "for (;;) {}"]));
    return () => {
      for (const child of busy) child.kill("SIGKILL");
    };
  });

  it("ends, at every age", async () => {
    const { command } = await findSandbox({ sandbox: "bwrap" });
    const killed: Promise<void>[] = [];
    for (const age of AGES_MS) {
      const server = new ServerProcess(command("guard", 64));
      await setTimeout(age);
      killed.push(server.kill());
    }
    await expect(Promise.all(killed)).resolves.toBeDefined();
  }, 60_000);
});
