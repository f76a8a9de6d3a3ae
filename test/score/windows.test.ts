import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Window, windows } from "../../src/score/windows.ts";

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

const sized = (size: number) => ({ first: size, most: size });

const shape = (found: readonly Window<number>[]): string =>
  found.map(({ items, paused }) => `${items.join("")}${paused ? "|" : ""}`).join(" ");

async function* slowly(...pauses: number[]): AsyncGenerator<number> {
  for (const [i, pause] of pauses.entries()) {
    await setTimeout(pause);
    yield i;
  }
}

describe("windows", () => {
  it("cuts arrays and generators into full windows and a rest", async () => {
    expect(shape(await all(windows([1, 2, 3, 4, 5], sized(2))))).toBe("12 34 5");
    expect(shape(await all(windows(slowly(0, 0, 0, 0), sized(2))))).toBe("01 23");
    expect(await all(windows([], sized(2)))).toEqual([]);
  });

  it("begins with small ones", async () => {
    const numbers = Array.from({ length: 30 }, (_, i) => i);
    const found = await all(windows(numbers, { first: 2, most: 7 }));
    expect(found.map(({ items }) => items.length)).toEqual([2, 4, 7, 7, 7, 3]);
    expect(found.flatMap(({ items }) => items)).toEqual(numbers);
  });

  it("hands on what has come where the source pauses", async () => {
    expect(shape(await all(windows(slowly(0, 0, 400, 0), sized(8))))).toBe("01| 23");
  });

  it("asks for nothing while a window is in use, and ends the source when its consumer stops", async () => {
    const seen: string[] = [];
    function* source(): Generator<number> {
      try {
        for (let i = 0; ; i++) {
          seen.push(`asked ${i}`);
          yield i;
        }
      } finally {
        seen.push("ended");
      }
    }
    for await (const { items } of windows(source(), sized(2))) {
      await setTimeout(20);
      seen.push(`used ${items.join("")}`);
      if (items.includes(3)) break;
    }
    expect(seen).toEqual(["asked 0", "asked 1", "used 01", "asked 2", "asked 3", "used 23", "ended"]);
  });

  it("does not wait for a source that hangs when its consumer stops, but ends it afterwards", async () => {
    let ended = false;
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    async function* source(): AsyncGenerator<number> {
      try {
        yield 0;
        await gate;
        yield 1;
      } finally {
        ended = true;
      }
    }
    for await (const { items, paused } of windows(source(), sized(8))) {
      expect([items, paused]).toEqual([[0], true]);
      break;
    }
    expect(ended).toBe(false);
    go();
    await setTimeout(0);
    expect(ended).toBe(true);
  });

  it("throws what the source throws, and does not end it twice", async () => {
    let returned = 0;
    const source: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error("torn")),
        return: () => {
          returned += 1;
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    };
    await expect(all(windows(source, sized(8)))).rejects.toThrow("torn");
    expect(returned).toBe(0);
  });
});
