import { describe, expect, it } from "vitest";
import { ScoringQueue } from "../../src/server/queue.ts";
import type { Score } from "../../src/types.ts";
import { fakeScorer } from "./fake.ts";

const start = (options: { batchRows?: number; queueLimit?: number } = {}) => {
  const scorer = fakeScorer();
  const queue = new ScoringQueue(scorer, { batchRows: 64, queueLimit: 1000, ...options });
  const submit = (candidates: readonly string[], signal?: AbortSignal) =>
    queue.submit(
      candidates.map((candidate) => ({ candidate, description: "d" })),
      signal,
    );
  /** Waits until this many batches have been given to the scorer. */
  const batches = (count: number) => expect.poll(() => scorer.batches.length).toBe(count);
  return { scorer, queue, submit, batches };
};

const scoresOf = async (results: ReturnType<ScoringQueue["submit"]> | Promise<unknown>) =>
  ((await results) as Score[]).map(({ score }) => score);

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("the queue", () => {
  it("scores together what comes while the scorer is busy, and answers each request with its own", async () => {
    const { scorer, submit, batches } = start();
    scorer.hold = true;
    const [first, second] = [submit(["0.1"]), submit(["0.2"])]; // in the same turn, so in one batch
    await batches(1);
    const third = submit(["0.3"]);
    const late = sleep(5).then(() => submit(["0.4"])); // while the third waits for more
    await batches(2);
    const others = ["0.5", "0.6"].map((candidate) => submit([candidate, "1"])); // two batches are out, so these wait
    await sleep(30);
    expect(scorer.batches).toEqual([
      ["0.1", "0.2"],
      ["0.3", "0.4"],
    ]);
    scorer.release();
    const scores = await Promise.all([first, second, third, late, ...others].map((results) => scoresOf(results)));
    expect(scores).toEqual([[0.1], [0.2], [0.3], [0.4], [0.5, 1], [0.6, 1]]);
    expect(scorer.batches.slice(2)).toEqual([["1", "0.5", "1", "0.6"]]);
  });

  it("takes a full batch at once", async () => {
    const { scorer, submit } = start({ batchRows: 2 });
    expect(await scoresOf(submit(["0.1", "0.2", "0.3", "0.4", "0.5"]))).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
    expect(scorer.batches.map((batch) => batch.length)).toEqual([2, 2, 1]);
  });

  it("lets a large request hold no small one", async () => {
    const { scorer, submit, batches } = start({ batchRows: 10 });
    scorer.hold = true;
    const large = submit(Array.from({ length: 100 }, () => "0.5"));
    await batches(2);
    const small = submit(["0.25"]);
    let largeDone = false;
    void large?.then(() => {
      largeDone = true;
    });
    scorer.release();
    expect(await scoresOf(small)).toEqual([0.25]);
    expect(largeDone).toBe(false);
    expect(await scoresOf(large)).toHaveLength(100);
    expect(scorer.batches.findIndex((batch) => batch.includes("0.25"))).toBe(2);
    expect(scorer.batches.every((batch) => batch.length <= 10)).toBe(true);
  });

  it("puts few long texts into one batch", async () => {
    const { scorer, submit } = start();
    await submit(Array.from({ length: 8 }, () => "x".repeat(200_000)));
    expect(scorer.batches.map((batch) => batch.length)).toEqual([3, 3, 2]);
  });

  it("takes no more than its limit of rows or characters, and says when to come again", async () => {
    const { scorer, queue, submit, batches } = start({ queueLimit: 3 });
    scorer.hold = true;
    const first = submit(["0.1"]);
    await batches(1);
    const second = submit(["0.2"]);
    await batches(2);
    expect(queue.length).toBe(0); // both are being scored
    const waiting = submit(["0.3", "0.4"]);
    expect(submit(["0.5", "0.6"])).toBeNull();
    const long = "x".repeat(60_000_000);
    const longest = submit([long]);
    expect(longest).not.toBeNull();
    expect(submit(["1"])).toBeNull();
    expect(queue.length).toBe(3);
    expect(queue.retryAfterS).toBe(1);
    scorer.release();
    await Promise.all([first, second, waiting, longest]);
    expect(queue.length).toBe(0);
    const [one, two] = [submit([long]), submit([long])];
    expect(one).not.toBeNull();
    expect(two).toBeNull(); // 120 million characters
    await one;
  });

  it("gives up the rows of a client that went away, those that wait", async () => {
    const { scorer, queue, submit, batches } = start({ batchRows: 2, queueLimit: 10 });
    scorer.hold = true;
    const gone = new AbortController();
    const given = submit(["0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1"], gone.signal);
    await batches(2);
    const other = submit(["0.2", "0.3"]);
    expect(queue.length).toBe(5);
    gone.abort();
    await expect(given).rejects.toThrow("the client went away");
    expect(queue.length).toBe(2);
    scorer.release();
    expect(await scoresOf(other)).toEqual([0.2, 0.3]);
    expect(scorer.batches.flat().filter((candidate) => candidate === "0.1")).toHaveLength(4);
    await expect(submit(["0.4"], gone.signal)).rejects.toThrow("the client went away");
    await sleep(30);
    expect(scorer.batches.flat()).not.toContain("0.4");
  });

  it("goes on after a batch that failed", async () => {
    const { submit } = start();
    const results = await submit(["0.1", "poison", "0.2"]);
    expect(results).toMatchObject([
      { score: 0.1 },
      { error: { code: "infra", message: "scoring failed: the session died" } },
      { score: 0.2 },
    ]);
  });
});
