/** The built command as a process: what it prints and refuses, and what it does on a signal. */
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codescoreHere } from "../cli/run.ts";
import { makeModel } from "../score/model.ts";
import { startServer } from "./served.ts";

let model: string;
beforeAll(async () => {
  model = await makeModel();
});
afterAll(() => rm(model, { recursive: true }));

const start = (args: readonly string[] = [], env: Record<string, string> = {}) =>
  startServer(["--model", model, ...args], env);

/** Rows that take a while to score. */
const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: i, candidate: `x = ${i}\n`.repeat(100), reference: "x = 1\n" }));

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/score`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

const waitingRows = async (url: string): Promise<number> =>
  Number(/codescore_queue_rows (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())![1]);

describe("codescore serve", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("answers on %s what it accepted, then ends with 0", async (signal) => {
    const { url, child, ended, stderr } = await start();
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: "ok" });
    const asked: Promise<Response>[] = [];
    // Asks again at each poll: one round of requests may be answered before a slow machine polls
    const askMore = async (): Promise<number> => {
      asked.push(...Array.from({ length: 8 }, () => post(url, { rows: rows(20) })));
      return waitingRows(url);
    };
    await expect.poll(askMore, { interval: 5, timeout: 120_000 }).toBeGreaterThan(50);
    child.kill(signal);
    for (const response of await Promise.all(asked)) {
      expect(response.status).toBe(200);
      const { rows: results } = (await response.json()) as { rows: { id: number; score: number }[] };
      expect(results.map(({ id }) => id)).toEqual(rows(20).map(({ id }) => id));
      expect(results.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
    }
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(stderr()).toContain(`${signal}: finishing the requests that have arrived`);
    await expect(fetch(url)).rejects.toThrow();
  });

  it("ends at once on a second signal", async () => {
    const { url, child, ended, stderr } = await start();
    const asked = Array.from({ length: 8 }, () => post(url, { rows: rows(500) }).catch(() => null));
    await expect.poll(() => waitingRows(url), { interval: 5, timeout: 120_000 }).toBeGreaterThan(1000);
    child.kill("SIGTERM");
    await expect.poll(stderr, { timeout: 120_000 }).toContain("SIGTERM: finishing");
    child.kill("SIGTERM");
    expect(await ended).toEqual({ code: null, signal: "SIGTERM" });
    await Promise.all(asked);
  });

  it("answers while it scores", async () => {
    const { url } = await start();
    const asked = post(url, { rows: rows(120) });
    let [longest, asks] = [0, 0];
    let done = false;
    void asked.then(() => {
      done = true;
    });
    while (!done) {
      const began = performance.now();
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      longest = Math.max(longest, performance.now() - began);
      asks += 1;
    }
    expect((await asked).status).toBe(200);
    expect(asks).toBeGreaterThan(5);
    expect(longest).toBeLessThan(2000);
  });

  it("refuses a port that no machine has", async () => {
    const { code, stderr } = await codescoreHere(["serve", "--model", model, "--port", "65536"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Expected an integer from 0 to 65535, got `65536`.")]);
  });

  it("wants a key where other machines reach it, from a variable that is set", async () => {
    for (const [args, message] of [
      [["--host", "0.0.0.0"], /other machines can reach 0\.0\.0\.0: require a key .* --api-key-env/],
      [["--host", "0.0.0.0", "--api-key-env", "NOT_SET_KEY"], /variable NOT_SET_KEY, which is not set/],
    ] as const) {
      const { code, stderr } = await codescoreHere(["serve", "--model", model, "--port", "0", ...args]);
      expect(code).toBe(2);
      expect(stderr).toMatch(message);
    }
    const { url } = await start(["--host", "0.0.0.0", "--api-key-env", "SCORE_KEY"], { SCORE_KEY: "s3cret" });
    const local = url.replace("0.0.0.0", "127.0.0.1");
    expect((await post(local, { rows: rows(1) })).status).toBe(401);
    expect((await post(local, { rows: rows(1) }, { authorization: "Bearer s3cret" })).status).toBe(200);
  });

  it("explains a row with the real scorer, and has limits to set", async () => {
    const { url } = await start(["--max-rows", "2", "--rate-limit", "7"]);
    const program = "def f(a, b):\n    c = a + b\n    return c\n";
    const response = await post(url, { rows: [{ candidate: program, reference: program }], explain: true });
    const { rows: results } = (await response.json()) as { rows: { score: number; lines: { line: number }[] }[] };
    expect(results[0]!.lines.map(({ line }) => line)).toEqual([2, 3]);
    expect((await post(url, { rows: rows(3) })).status).toBe(400);
    expect((await post(url, { rows: rows(2) })).status).toBe(200); // 1 + 3 for the lines, 1, 2: the whole limit
    const refused = await post(url, { rows: rows(1) });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  });
});
