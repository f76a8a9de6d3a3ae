import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { JobThread } from "../../src/util/job-thread.ts";

const entry = fileURLToPath(new URL("job-entry.mjs", import.meta.url));

function start(jobMs = 60_000): JobThread {
  const thread = new JobThread({ entry, jobMs });
  onTestFinished(() => thread.close());
  return thread;
}

it("does jobs in their order, and hands on what they throw", async () => {
  const thread = start();
  const jobs = [thread.run("double", 1), thread.run("fail", "too deep"), thread.run("double", 3)];
  expect(await Promise.allSettled(jobs)).toMatchObject([
    { value: 2 },
    { reason: { code: "infra", message: "too deep" } },
    { value: 6 },
  ]);
});

it.each([
  ["takes too long", "spin", 600_000, "input", /takes more than 1 s$/],
  ["takes too much memory", "fill", null, "input", /takes more than 1024 MB of memory$/],
  ["ends the thread", "exit", null, "infra", /the thread ended with code 3/],
] as const)("fails the job that %s, and goes on with the others", async (_, name, argument, code, message) => {
  const thread = start(name === "spin" ? 1000 : 60_000);
  const jobs = [thread.run("double", 1), thread.run(name, argument), thread.run("double", 3), thread.run("double", 4)];
  expect(await Promise.allSettled(jobs)).toMatchObject([
    { value: 2 },
    { reason: { code, message: expect.stringMatching(message) } },
    { value: 6 },
    { value: 8 },
  ]);
});

it("stops in the midst of a job that nobody waits for, and forgets one that has not begun", async () => {
  const thread = start();
  await thread.run("double", 1);
  const [running, waiting] = [new AbortController(), new AbortController()];
  const jobs = [
    thread.run("spin", 600_000, running.signal),
    thread.run("double", 2),
    thread.run("spin", 600_000, waiting.signal),
    thread.run("double", 4),
  ];
  setTimeout(() => waiting.abort(new Error("gone first")), 50);
  setTimeout(() => running.abort(new Error("gone")), 100);
  expect(await Promise.allSettled(jobs)).toMatchObject([
    { reason: { message: "gone" } },
    { value: 4 },
    { reason: { message: "gone first" } },
    { value: 8 },
  ]);
  await expect(thread.run("double", 1, AbortSignal.abort(new Error("gone before")))).rejects.toThrow("gone before");
});

it("takes nothing once it is closed, and drops what it has", async () => {
  const thread = start();
  const spinning = thread.run("spin", 600_000);
  const closing = thread.close();
  await expect(spinning).rejects.toMatchObject({ code: "usage" });
  await closing;
  await expect(thread.run("double", 1)).rejects.toMatchObject({ code: "usage" });
});
