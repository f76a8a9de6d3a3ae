import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Integers, SessionPool } from "../../src/onnx/index.ts";
import { makeModel } from "../score/model.ts";
import { recordWorkers } from "./workers.ts";

const WANTED = ["score", "exec"];
const DEVICE = { device: "cpu" } as const;

const batch = (i: number): Record<string, Integers> => {
  const integers = (value: (at: number) => number): Integers => ({
    data: Int32Array.from({ length: 40 }, (_, at) => value(at)),
    shape: [2, 20],
  });
  return { input_ids: integers((at) => (at * 7 + i) % 90), attention_mask: integers(() => 1) };
};

describe("a pool of sessions", () => {
  let model: string;
  let path: string;

  beforeAll(async () => {
    model = await makeModel();
    path = join(model, "onnx", "model.onnx");
  });
  afterAll(() => rm(model, { recursive: true }));

  it("computes several batches at once to what one session gives", async () => {
    const [alone, pool] = await Promise.all(
      [1, 3].map((threads) => SessionPool.open(path, { ...DEVICE, threads }, "")),
    );
    expect([alone!.width, pool!.width]).toEqual([1, 3]);
    const batches = Array.from({ length: 12 }, (_, i) => i);
    const expected = [];
    for (const i of batches) expected.push(await alone!.run(batch(i), WANTED));
    expect(new Set(expected.map(({ score }) => score!.data[0])).size).toBe(12);
    expect(await Promise.all(batches.map((i) => pool!.run(batch(i), WANTED)))).toEqual(expected);
    await Promise.all([alone!.close(), pool!.close()]);
  });

  it("starts another thread when none has been idle for long, not before", async () => {
    const { workers, end } = recordWorkers();
    const pool = await SessionPool.open(path, { ...DEVICE, threads: 2 }, "");
    const several = (): Promise<unknown> => Promise.all([0, 1, 2, 3].map((i) => pool.run(batch(i), WANTED)));
    const expected = await several();
    expect(workers).toHaveLength(1);
    const running = [several()];
    const began = performance.now();
    while (workers.length < 2 && performance.now() - began < 10_000) {
      running.push(several());
      expect(await running.shift()).toEqual(expected);
    }
    expect(performance.now() - began).toBeGreaterThan(800);
    expect(workers).toHaveLength(2);
    for (const results of [...(await Promise.all(running)), await several()]) expect(results).toEqual(expected);
    await pool.close();
    end();
  });

  it("starts another thread at once when a batch would wait for long, and only then", async () => {
    const { workers, end } = recordWorkers();
    const pool = await SessionPool.open(path, { ...DEVICE, threads: 2 }, "");
    const timed = async (count: number): Promise<number> => {
      const began = performance.now();
      await Promise.all(Array.from({ length: count }, (_, i) => pool.run(batch(i % 90), WANTED)));
      return (performance.now() - began) / count;
    };
    const few = Math.max(1, Math.min(20, Math.floor(100 / (await timed(1)))));
    const mean = await timed(few);
    expect(workers).toHaveLength(1);
    const waiting = timed(Math.ceil(2000 / mean));
    await vi.waitFor(() => expect(workers).toHaveLength(2), { timeout: 800 }); // less than a thread may be busy without another
    await waiting;
    await pool.close();
    end();
  });

  it("rejects what waits when it is closed, and what comes then", async () => {
    const pool = await SessionPool.open(path, { ...DEVICE, threads: 2 }, "");
    const waiting = Array.from({ length: 6 }, (_, i) => pool.run(batch(i), WANTED));
    const settled = Promise.allSettled(waiting);
    await pool.close();
    const rejected = (await settled).filter(({ status }) => status === "rejected");
    expect(rejected.length).toBeGreaterThan(0);
    await expect(pool.run(batch(0), WANTED)).rejects.toMatchObject({ code: "usage" });
    await pool.close();
  });

  it("refuses what a session refuses", async () => {
    await expect(SessionPool.open(join(model, "none.onnx"), { ...DEVICE, threads: 0 }, "export it")).rejects.toThrow(
      /none\.onnx.*export it/s,
    );
  });
});
