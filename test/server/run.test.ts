/** Running candidates over HTTP: what a request may ask for, what it costs, and that no candidate harms the server. */
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AppOptions, createApp, openRunner, type Runner } from "../../src/server/index.ts";
import type { Score } from "../../src/types.ts";
import { sandboxes } from "../execute/open.ts";
import { fakeScorer } from "./fake.ts";
import { fakeLane, fakeRunner } from "./fake-lane.ts";

const prime = (end: string): string =>
  `def is_prime(n):\n    return n > 1 and all(n % i for i in range(2, int(n ** 0.5)${end}))\n`;
const reference = prime(" + 1");

const start = (options: Partial<AppOptions> = {}) => createApp({ scorer: fakeScorer(), ...options });
const post = (app: Hono, body: object, signal?: AbortSignal) =>
  app.request("/v1/score", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
const rowsIn = async (response: Response | Promise<Response>) =>
  ((await (await response).json()) as { rows: (Score & { id: unknown })[] }).rows;
const messageIn = async (response: Response) =>
  ((await response.json()) as { error: { message: string } }).error.message;

describe("a server without --run", () => {
  it("refuses to run, says how it would, and runs nothing", async () => {
    const app = await start();
    const response = await post(app, { rows: [{ candidate: reference, reference }], run: true });
    expect(response.status).toBe(403);
    expect(await messageIn(response)).toContain("codescore serve --run");
    const [row] = await rowsIn(post(app, { rows: [{ candidate: reference, reference }], run: false }));
    expect(row).not.toHaveProperty("behaviour");
    expect(await (await app.request("/metrics")).text()).not.toContain("codescore_run");
    expect(await (await app.request("/healthz")).json()).not.toHaveProperty("runs");
  });
});

describe("a request to run", () => {
  const row = { candidate: "0.5", reference: "r" };
  it.each<[string, object, string]>([
    ["no boolean", { run: 1 }, "expected `run` to be true or false, got a number"],
    ["inputs without run", { inputs: 5 }, '`inputs` is a setting for running candidates: it needs `"run": true`'],
    ["until with run off", { run: false, until: 0.5 }, "`until` is a setting for running candidates"],
    ["too many inputs", { run: true, inputs: 21 }, "expected `inputs` to be an integer from 0 to 20, got 21"],
    ["half an input", { run: true, inputs: 1.5 }, "expected `inputs` to be an integer from 0 to 20, got 1.5"],
    ["a seed below 0", { run: true, seed: -1 }, "expected `seed` to be an integer from 0 to 4294967295, got -1"],
    ["a seed that is null", { run: true, seed: null }, "expected `seed` to be an integer"],
    ["a width of 0", { run: true, until: 0 }, "expected `until` to be a width from 0.01 to 1, got 0"],
    ["a width in words", { run: true, until: "narrow" }, "expected `until` to be a width from 0.01 to 1, got a string"],
    ["a consensus too", { run: true, consensus: true }, "use it without `consensus`"],
    ["too many rows", { run: true, rows: Array(4).fill(row) }, "expected at most 3 rows per request with `run`, got 4"],
  ])("is refused with %s", async (_, body, message) => {
    const app = await start({ runner: fakeRunner(), maxInputs: 20, maxRun: 3 });
    const response = await post(app, { rows: [row], ...body });
    expect(response.status).toBe(400);
    expect(await messageIn(response)).toContain(message);
  });

  it.each<[string, object, string]>([
    ["an entry point that is code", { entry_point: "f)(" }, "expected `entry_point` to name a function (`f`)"],
    ["an entry point with spaces", { entry_point: "f if x else g" }, "expected `entry_point` to name"],
    ["a long entry point", { entry_point: "f".repeat(201) }, "expected `entry_point` to name"],
    ["an entry point that is a number", { entry_point: 1 }, "got a number"],
    ["a task that is an object", { task_id: {} }, "expected `task_id` to be a string or a number, got an object"],
  ])("has an error in its row for %s", async (_, odd, message) => {
    const lane = fakeLane();
    const app = await start({ runner: fakeRunner(lane) });
    const rows = await rowsIn(post(app, { rows: [{ id: "a", ...row, ...odd }, row], run: true }));
    expect(rows[0]).toMatchObject({ id: "a", error: { code: "input", message: expect.stringContaining(message) } });
    expect(rows[1]).toMatchObject({ id: 1, score: 0.25, behaviour: { agree: 0.95 } });
    expect(lane.jobs).toEqual([["0.5"]]);
  });

  it("takes names of functions and of methods, in any script", async () => {
    const app = await start({ runner: fakeRunner() });
    for (const entry_point of ["f", "_f1", "Solution().f", "Solution.f", "größe", null]) {
      const [result] = await rowsIn(post(app, { rows: [{ ...row, entry_point }], run: true }));
      expect(result, String(entry_point)).toHaveProperty("behaviour");
    }
  });

  it("is charged before it is run, by its inputs, and gets back what it paid where it has to wait", async () => {
    const lane = fakeLane();
    const app = await start({ runner: fakeRunner(lane), rateLimit: 20 });
    const ask = (count: number, inputs: number) => post(app, { rows: Array(count).fill(row), run: true, inputs });
    const costly = await ask(4, 40); // 4 + 4 x 8
    expect(costly.status).toBe(400);
    expect(await messageIn(costly)).toContain("got a request that counts as 36; split the request");
    expect((await ask(2, 40)).status).toBe(200); // 18 of 20, plus 1 for the refused one
    const refused = await ask(1, 40);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(20);
    expect(lane.jobs).toHaveLength(1);
  });

  it("has to wait where too many wait already; scoring does not", async () => {
    const lane = fakeLane({ hold: true });
    const app = await start({ runner: fakeRunner(lane), maxRun: 2, runQueueLimit: 2 });
    const first = post(app, { rows: [row, row], run: true });
    await expect.poll(() => lane.jobs.length).toBe(1);
    const refused = await post(app, { rows: [row], run: true });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(await messageIn(refused)).toContain("2 candidates already waiting to be run");
    expect((await post(app, { rows: [row] })).status).toBe(200);
    expect(await (await app.request("/metrics")).text()).toContain("codescore_run_queue_rows 2");
    lane.release();
    expect(await rowsIn(first)).toHaveLength(2);
    expect((await post(app, { rows: [row], run: true })).status).toBe(200);
    expect(await (await app.request("/metrics")).text()).toContain('codescore_run_rows_total{outcome="ran"} 3');
  });

  it("holds no place once its client left, be it still to be scored", async () => {
    const scorer = fakeScorer();
    scorer.hold = true;
    const app = await start({ scorer, runner: fakeRunner(), maxRun: 1, runQueueLimit: 1 });
    const gone = new AbortController();
    const left = post(app, { rows: [row], run: true }, gone.signal);
    await expect.poll(() => scorer.batches.length).toBe(1);
    expect((await post(app, { rows: [row], run: true })).status).toBe(429);
    gone.abort();
    expect((await left).status).toBe(499);
    scorer.release();
    expect((await post(app, { rows: [row], run: true })).status).toBe(200);
  });

  it("explains the score of the text, and shows the counterexample beside", async () => {
    const app = await start({ runner: fakeRunner() });
    const candidate = "def f(x):\n    y = x  # bug\n    return y\n";
    const [result] = await rowsIn(post(app, { rows: [{ candidate, reference }], run: true, explain: true }));
    expect(result).toMatchObject({
      score: 0.25,
      behaviour: { counterexample: { input: "is_prime(9)", expected: "False", got: "True" } },
      lines: [
        { line: 2, effect: -0.25 },
        { line: 3, effect: 0 },
      ],
    });
  });
});

/** Sandbox processes that this process has started, from any of its threads. */
const started = (): string[] =>
  execFileSync("ps", ["-o", "ppid=,pid=,args=", "-e"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.trim().startsWith(`${process.pid} `) && /guard/.test(line));

// The hostile suites test the other sandboxes.
describe.each(sandboxes.slice(0, 1))("candidates run in %s", (sandbox) => {
  let runner: Runner;
  let app: Hono;
  const others = new Set<string>();
  beforeAll(async () => {
    for (const line of started()) others.add(line);
    runner = await openRunner({ sandbox, workers: 1 });
    app = await start({ runner });
  });
  afterAll(() => runner?.close());

  const run = async (candidate: string, more: object = {}) =>
    (await rowsIn(post(app, { rows: [{ candidate, reference, ...more }], run: true, inputs: 12 })))[0]!;

  it("are held against the reference: score, interval, chance and counterexample", async () => {
    const right = await run(prime(" + 2 - 1"), { entry_point: "is_prime" });
    expect(right.behaviour).toMatchObject({ agree: 1, inputs: 12, source: "reference", counterexample: null });
    const wrong = await run(prime(""));
    expect(wrong.behaviour).toMatchObject({
      counterexample: { input: expect.stringMatching(/^is_prime\(\d+\)$/), expected: "False", got: "True" },
    });
    expect(wrong.behaviour!.agree).toBeLessThan(1);
    expect(wrong.pass).toBeLessThan(right.pass!);
    expect(right.signature).toMatch(/^codescore\|fake\|run:12@\w{8}\|seed:0\|python:3/);
    expect(await (await app.request("/healthz")).json()).toMatchObject({ runs: { sandbox, python: runner.python } });
  });

  it("are run on the same inputs again, on others with another seed, and on few where few will do", async () => {
    // A program that takes the same time for every input. Inputs close to the time limit are sometimes left out for others.
    const above = (sign: string): string => `def f(n: int) -> bool:\n    return n ${sign} 3\n`;
    const rows = [{ candidate: above(">"), reference: above(">=") }];
    const ask = (more: object) => rowsIn(post(app, { rows, run: true, inputs: 12, ...more }));
    expect(await ask({})).toEqual(await ask({ seed: 0 }));
    const [narrow] = await ask({ until: 1 });
    expect(narrow!.behaviour!.inputs).toBeLessThan(12);
    expect(narrow!.signature).toContain("|until:1|");
  });

  it("of one task are held against each other", async () => {
    const rows = [prime(" + 1"), prime(" + 2 - 1"), prime("")].map((candidate) => {
      return { candidate, task_id: 7, description: "Is n prime? is_prime(7) == True" };
    });
    const results = await rowsIn(post(app, { rows, run: true, inputs: 12 }));
    const [one, two, odd] = results.map(({ behaviour }) => behaviour!);
    expect(one).toMatchObject({ agree: null, source: "samples", examples: { passed: 1, total: 1 } });
    expect(two!.samples).toBe(one!.samples);
    expect(odd!.samples).toBeLessThan(one!.samples!);
  });

  const hostile: [string, string, RegExp][] = [
    ["never ends", "def is_prime(n):\n    while True: pass\n", /^no answer in time$/],
    ["never ends loading", "x = [1]\nwhile x: x[0] = str(x[0])[:3]\n\ndef is_prime(n): return True\n", /./],
    ["sleeps", "import time\n\ndef is_prime(n):\n    time.sleep(1000)\n", /./],
    ["fills memory", "def is_prime(n):\n    a = []\n    while True: a.append(bytearray(10 ** 8))\n", /./],
    ["answers a gigabyte", "def is_prime(n):\n    return 'x' * 10 ** 9\n", /./],
    ["answers more than is read", "def is_prime(n):\n    return 'x' * 150_000\n", /./],
    ["prints without end", "def is_prime(n):\n    while True: print('x' * 10 ** 6)\n", /./],
    ["forks without end", "import os\n\ndef is_prime(n):\n    while True: os.fork()\n", /./],
    ["kills its parent", "import os, signal\n\ndef is_prime(n):\n    os.kill(os.getppid(), signal.SIGKILL)\n", /./],
    ["ends its process", "import os\n\ndef is_prime(n):\n    os._exit(0)\n", /./],
    [
      "equals everything",
      "class Any:\n    def __eq__(self, other): return True\n    __hash__ = None\n\ndef is_prime(n): return Any()\n",
      /./,
    ],
    [
      "pretends to be a bool",
      "class Any:\n    __class__ = property(lambda self: bool)\n    def __eq__(self, other): return True\n    def __repr__(self): return 'False'\n\ndef is_prime(n): return Any()\n",
      /./,
    ],
    ["acts on terminals", "def is_prime(n): return '\\x1b[2J\\x00\\u202e\\u2066' + 'x'\n", /x/],
    ["raises with the same", "def is_prime(n): raise ValueError('\\x1b[2J\\u202e' + 'x' * 10 ** 5)\n", /^ValueError: /],
  ];
  it.each(hostile)(
    "may be one that %s: it is wrong, and the next request works",
    async (_, candidate, got) => {
      const { behaviour, score } = await run(candidate);
      expect(behaviour).not.toHaveProperty("reason");
      expect(score).toBeLessThan(0.9);
      expect(behaviour).toMatchObject({ inputs: 12 });
      expect(behaviour!.agree).toBeLessThan(0.2);
      const { counterexample } = behaviour!;
      expect(counterexample!.got).toMatch(got);
      for (const text of Object.values(counterexample!)) {
        expect(text.length).toBeLessThanOrEqual(2000);
        expect(text).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
      }
      expect((await run(reference)).behaviour).toMatchObject({ agree: 1 });
    },
    120_000,
  );

  it("that nobody waits for are stopped, sandbox and all, and the next request works", async () => {
    const slow = "def is_prime(n):\n    x = [0]\n    while x: x[0] = len(str(x))\n";
    const before = started().filter((line) => !others.has(line));
    expect(before.length).toBeGreaterThan(0);
    const gone = new AbortController();
    const rows = Array.from({ length: 50 }, (_, i) => ({ candidate: `${slow}# ${i}\n`, reference }));
    const left = post(app, { rows, run: true }, gone.signal);
    await new Promise((resolve) => setTimeout(resolve, 600)); // while it runs
    gone.abort();
    expect((await left).status).toBe(499);
    await expect.poll(() => before.filter((line) => started().includes(line)), { timeout: 20_000 }).toEqual([]);
    expect(await (await app.request("/metrics")).text()).toContain("codescore_run_queue_rows 0");
    expect((await run(reference)).behaviour).toMatchObject({ agree: 1 });
  }, 120_000);
});

describe("a runner", () => {
  it("keeps nothing of what it runs", async () => {
    const folder = await mkdtemp(join(tmpdir(), "codescore-cache-"));
    vi.stubEnv("CODESCORE_CACHE", folder);
    const runner = await openRunner({ sandbox: sandboxes[0]!, workers: 1 });
    try {
      const app = await start({ runner });
      const [row] = await rowsIn(post(app, { rows: [{ candidate: prime(""), reference }], run: true, inputs: 5 }));
      expect(row!.behaviour).toMatchObject({ inputs: 5 });
      expect(await readdir(folder)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
      await runner.close();
      await rm(folder, { recursive: true });
    }
  });

  it("does not open where there is no sandbox, or with options out of range", async () => {
    await expect(openRunner({ sandbox: "none" })).rejects.toMatchObject({ code: "usage" });
    await expect(openRunner({ workers: 0 })).rejects.toThrow(
      "expected `workers` to be an integer of at least 1, got 0",
    );
    await expect(start({ runner: fakeRunner(), maxInputs: 1001 })).rejects.toThrow("`maxInputs` to be at most 1000");
    await expect(start({ runner: fakeRunner(), maxRun: 9, runQueueLimit: 8 })).rejects.toThrow(
      "expected `runQueueLimit` (8) to be at least `maxRun` (9)",
    );
  });
});
