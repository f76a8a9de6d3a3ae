import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mapInOrder } from "../../src/util/ordered.ts";
import { all } from "../problems/helpers.ts";

describe("mapInOrder", () => {
  it("keeps the order whatever each item takes, within the window", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 4 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 8 }),
        async (delays, window) => {
          let running = 0;
          let most = 0;
          const work = async (ms: number) => {
            most = Math.max(most, ++running);
            await sleep(ms);
            running -= 1;
            return ms;
          };
          expect(await all(mapInOrder(delays, window, work))).toEqual(delays);
          expect(most).toBeLessThanOrEqual(window);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("throws an error at its place and starts nothing after it was seen", async () => {
    const started: number[] = [];
    const seen: number[] = [];
    const run = async () => {
      for await (const n of mapInOrder([0, 1, 2, 3, 4, 5, 6, 7, 8], 2, async (n) => {
        started.push(n);
        if (n === 2) throw new Error("two");
        return n;
      }))
        seen.push(n);
    };
    await expect(run()).rejects.toThrow("two");
    expect(seen).toEqual([0, 1]);
    expect(started).toEqual([0, 1, 2, 3]);
  });
});
