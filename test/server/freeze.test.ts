/** Slow requests: meanwhile the server answers others. It cancels work that nobody waits for, and ends when told to. */
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeModel } from "../score/model.ts";
import { startServer } from "./served.ts";

let model: string;
beforeAll(async () => {
  model = await makeModel();
});
afterAll(() => rm(model, { recursive: true }));

const post = (url: string, body: object, signal?: AbortSignal) =>
  fetch(`${url}/v1/score`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });

/** A program that was not sent before. */
function program(seed: number, chars: number): string {
  let text = "";
  for (let i = 1000 * seed; text.length < chars; i++) {
    text += `def f${i}(a, b):\n    x = a + b * ${i}\n    for i in range(x):\n`;
    text += `        if i % ${(i % 7) + 2} == 0:\n            x += g${i % 50}(i, [a, b])\n    return x\n\n`;
  }
  return text;
}

/** The longest response time, in ms, while something else is running. */
async function longestMeanwhile(url: string, done: Promise<unknown>): Promise<number> {
  let [longest, over] = [0, false];
  void done.finally(() => {
    over = true;
  });
  do {
    const began = performance.now();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    longest = Math.max(longest, performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 10));
  } while (!over);
  return longest;
}

const samples = (count: number, chars: number) =>
  Array.from({ length: count }, (_, i) => ({ candidate: program(i, chars), description: "d" }));

it("answers while it reads long programs, and takes a consensus or an explanation of so many characters and no more", async () => {
  const { url } = await startServer(["--model", model]);
  const long = Array.from({ length: 10_000 }, (_, i) => `x=x+${i % 7}`).join("\n");
  const asked = post(url, { rows: [{ candidate: long, reference: `${long}\n` }] });
  expect(await longestMeanwhile(url, asked)).toBeLessThan(1500);
  expect((await asked).status).toBe(200);
  for (const [what, rows] of [
    ["consensus", samples(12, 90_000)],
    ["explain", samples(3, 90_000)],
  ] as const) {
    const refused = await post(url, { rows, [what]: true });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringMatching(/^expected at most 200000 characters in all rows of a request with `/) },
    });
  }
});

it("answers while it compares programs, stops when the client goes away, and ends when it is told to", async () => {
  const { url, child, ended } = await startServer(["--model", model]);
  const leaving = new AbortController();
  const leave = new Promise((resolve) => setTimeout(resolve, 500)).then(() => leaving.abort());
  const large = post(url, { rows: samples(60, 3000), consensus: true }, leaving.signal).catch(() => null);
  expect(await longestMeanwhile(url, leave)).toBeLessThan(1500);
  expect(await large).toBeNull(); // it would take twenty seconds
  const asked = performance.now();
  const small = await post(url, { rows: samples(2, 100), consensus: true });
  expect(await small.json()).toMatchObject({ rows: [{ consensus: expect.any(Number) }, {}] });
  expect(performance.now() - asked).toBeLessThan(10_000);
  child.kill("SIGTERM");
  expect(await ended).toEqual({ code: 0, signal: null });
});
