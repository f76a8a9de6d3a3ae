/** CPU time in WebAssembly: a process that waits for a core uses none. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openShared } from "../open.ts";

/** The child processes of this one whose command line contains `word`. */
const children = (word: string): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
        const parent = Number(rest.split(" ")[1]);
        return parent === process.pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(word);
      } catch {
        return false; // it has ended
      }
    })
    .map(Number);

it.skipIf(process.platform !== "linux")("does not count what a program waits for a core", async () => {
  const executor = await openShared("wasm");
  const run = (code: string) => executor.answers({ code, entryPoint: "f", setup: "" }, [{ args: "" }], 3);
  await run("def f(): pass");
  const guards = children("guard"); // those that other test files left are idle
  const answers = run(
    "import time\ndef f():\n  wall, cpu = time.perf_counter(), time.process_time()\n" +
      "  while time.process_time() - cpu < 1: pass\n  return time.perf_counter() - wall > 3.5",
  );
  await new Promise((resolve) => setTimeout(resolve, 400));
  for (const guard of guards) process.kill(guard, "SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, 3500));
  for (const guard of guards) process.kill(guard, "SIGCONT");
  expect(await answers).toMatchObject([{ outcome: "ok", value: { v: true } }]);
});
