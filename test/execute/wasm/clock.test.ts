/** CPU time in WebAssembly: a process that waits for a core uses none. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { open } from "../open.ts";

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
  const others = new Set(children("guard"));
  const executor = await open("wasm");
  onTestFinished(() => executor.close());
  const run = (code: string) => executor.answers({ code, entryPoint: "f", setup: "" }, [{ args: "" }], 3);
  await run("def f(): pass");
  const [guard] = children("guard").filter((pid) => !others.has(pid));
  const answers = run(
    "import time\ndef f():\n  wall, cpu = time.perf_counter(), time.process_time()\n" +
      "  while time.process_time() - cpu < 1: pass\n  return time.perf_counter() - wall > 3.5",
  );
  await new Promise((resolve) => setTimeout(resolve, 400));
  process.kill(guard as number, "SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, 3500));
  process.kill(guard as number, "SIGCONT");
  expect(await answers).toMatchObject([{ outcome: "ok", value: { v: true } }]);
});
