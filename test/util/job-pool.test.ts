import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { JobPool } from "../../src/util/job-pool.ts";

const entry = fileURLToPath(new URL("job-entry.mjs", import.meta.url));

function start(threads: number, jobMs = 60_000): JobPool {
  const pool = new JobPool({ entry, jobMs, threads });
  onTestFinished(() => pool.close());
  return pool;
}

const numbers = Array.from({ length: 200 }, (_, i) => i);

it.each([1, 3])("gives what %i threads make of items, in the items' order", async (threads) => {
  const outcomes = await start(threads).map(numbers, { job: "doubleAll" });
  expect(outcomes).toEqual(numbers.map((n) => ({ made: 2 * n })));
});

it("works in this thread, too", async () => {
  const here: number[] = [];
  const outcomes = await start(1).map<number, number>(numbers, {
    job: "doubleAll",
    here: async (items) => {
      here.push(...items);
      return items.map((n) => 2 * n);
    },
  });
  expect(outcomes).toEqual(numbers.map((n) => ({ made: 2 * n })));
  expect(here.length).toBeGreaterThan(0);
});

it("gives several calls at once each its own", async () => {
  const pool = start(2);
  const calls = [1, 2, 3].map((n) => pool.map<number, number>([n], { job: "doubleAll" }));
  expect(await Promise.all(calls)).toEqual([[{ made: 2 }], [{ made: 4 }], [{ made: 6 }]]);
});

it("fails the items alone that take too long or end their thread", async () => {
  const [slow, deadly] = [37, 150];
  const outcomes = await start(2, 1000).map(numbers, { job: "doubleAll", more: { slow, deadly } });
  const others = outcomes.filter((_, i) => i !== slow && i !== deadly);
  expect(others).toEqual(numbers.filter((n) => n !== slow && n !== deadly).map((n) => ({ made: 2 * n })));
  expect(outcomes[slow]).toMatchObject({ error: { code: "input", message: expect.stringMatching(/more than 1 s$/) } });
  expect(outcomes[deadly]).toMatchObject({ error: { code: "infra", message: "the thread ended with code 3" } });
});

it("does nothing once it is closed", async () => {
  const pool = start(2);
  const working = pool.map(numbers, { job: "doubleAll", more: { slow: 0 } });
  const closed = expect(working).rejects.toMatchObject({ code: "usage" });
  await pool.close();
  await closed;
  await expect(pool.map([1], { job: "doubleAll" })).rejects.toMatchObject({ code: "usage" });
});
