import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Llm } from "../../src/rtc/llm.ts";
import { openAiLlm } from "../../src/rtc/openai.ts";
import { replayLlm } from "../../src/rtc/recording.ts";
import type { RoundTripsOptions } from "../../src/rtc/run.ts";
import { openSimilarity, type SignedSimilarity } from "../../src/rtc/similarity.ts";
import { synthesisRtc } from "../../src/rtc/synthesis.ts";
import type { Problem } from "../../src/types.ts";
import { bare, broken, clip, greet, twice } from "./problems.ts";
import { type Stub, type StubRequest, startStub } from "./stub.ts";

let folder: string;
let stub: Stub | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "synthesis-"));
});
afterEach(async () => {
  await stub?.close();
  stub = undefined;
  await rm(folder, { recursive: true });
});

const run = (llm: Llm, over: Partial<RoundTripsOptions> & { problems?: readonly Problem[] } = {}) =>
  synthesisRtc({
    problems: [twice, greet],
    forward: llm,
    backward: llm,
    similarities: [openSimilarity("exact")],
    out: join(folder, "out"),
    quiet: true,
    ...over,
  });

const record = async (rows: readonly (readonly [string, string, number, string])[]): Promise<Llm> => {
  const path = join(folder, "recording.jsonl");
  const lines = rows.map(([task_id, direction, sample, text]) => JSON.stringify({ task_id, direction, sample, text }));
  await writeFile(path, `${lines.join("\n")}\n`);
  return replayLlm(path);
};

/** 0.8 when the candidate doubles by adding, 0.4 when it greets, 1 when equal, else 0.1. */
const learned = (): SignedSimilarity & { calls: number } => ({
  name: "learned",
  calls: 0,
  async compare(pairs) {
    this.calls += pairs.length;
    return pairs.map(({ reference, candidate }) => {
      if (reference === candidate) return 1;
      return candidate.includes("x + x") ? 0.8 : candidate.includes("hi") ? 0.4 : 0.1;
    });
  },
});

/*
 * Two forward and two backward samples; backward samples of forward f are 2 f and 2 f + 1.
 *
 *   twice   f0: same 1/1.0, x + x 0/0.8    f1: same 1/1.0, junk 0/0.1    baseline: junk 0/0.1, junk 0/0.1
 *   greet   f0: same 1/1.0, hi 0/0.4       f1: no code 0/0, (missing)    baseline: hi 0/0.4, (missing)
 *
 * exact    twice (0.5 + 0.5) / 2 = 0.5, greet (0.5 + 0) / 2 = 0.25: RTC 0.375, lift the same.
 * learned  twice (0.9 + 0.55) / 2 = 0.725, greet (0.7 + 0) / 2 = 0.35: RTC 0.5375;
 *          baseline 0.1 and 0.4: lifts 0.625 and -0.05, mean 0.2875; at least 0.5: (1 + 0.5) / 2, (0.5 + 0) / 2: 0.5.
 */
const table = [
  ["t/twice", "forward", 0, "Return twice\n  the argument."],
  ["t/twice", "forward", 1, `return 2 * x${" and so on".repeat(20)}`],
  ["t/twice", "backward", 0, "    return 2 * x"],
  ["t/twice", "backward", 1, "return x + x"],
  ["t/twice", "backward", 2, "```python\ndef twice(x):\n    return 2 * x\n```"],
  ["t/twice", "backward", 3, "return junk"],
  ["t/twice", "baseline", 0, "return junk"],
  ["t/twice", "baseline", 1, "return junk"],
  ["t/greet", "forward", 0, "Greet."],
  ["t/greet", "forward", 1, "Say hello."],
  ["t/greet", "backward", 0, "print('hello ' + input())"],
  ["t/greet", "backward", 1, "print('hi ' + input())"],
  ["t/greet", "backward", 2, "```\n```"],
  ["t/greet", "baseline", 0, "print('hi')"],
] as const;

const twoByTwo = { forward: { samples: 2 }, backward: { samples: 2 } };

describe("SynthesisRTC from a recording", () => {
  it("gives the numbers of a table worked by hand, and counts what was left out", async () => {
    const llm = await record(table);
    const { summary, samples } = await run(llm, {
      problems: [twice, broken, greet, bare],
      similarities: [openSimilarity("exact"), learned()],
      samples: twoByTwo,
      thresholds: { learned: 0.5 },
    });
    expect(summary.models).toEqual({ forward: "recorded", backward: "recorded" });
    expect(summary.counts).toEqual({
      problems: 2,
      round_trips: 7,
      baselines: 3,
      missing: 1,
      descriptions_cut: 1,
      recited: 1,
      empty_answers: 1,
    });
    const [exact, learnt] = summary.similarities;
    const near = (value: number) => expect.closeTo(value, 12);
    expect(exact).toMatchObject({
      name: "exact",
      rtc: { value: near(0.375), problems: 2, interval: [near(0.25), near(0.5)] },
      baseline: { value: 0 },
      lift: { value: near(0.375) },
      threshold: 1,
      share_above: { value: near(0.375) },
    });
    expect(learnt).toMatchObject({
      rtc: { value: near(0.5375) },
      baseline: { value: near(0.25) },
      lift: { value: near(0.2875) },
      threshold: 0.5,
      share_above: { value: near(0.5) },
    });
    // Yes/no of the seven round trips: exact 1 0 1 0 1 0 0, learned 1 1 1 0 1 0 0; accuracy 6/7,
    // chance (3 * 4 + 4 * 3) / 49; Spearman by scipy of the values above: 0.8987170342729172
    expect(summary.agreement).toEqual([
      {
        a: "exact",
        b: "learned",
        pairs: 7,
        accuracy: near(6 / 7),
        kappa: near((6 / 7 - 24 / 49) / (25 / 49)),
        spearman: near(0.8987170342729172),
      },
    ]);
    expect(summary.skipped).toEqual([
      { task_id: "t/broken", reason: "the reference has no function `gone`" },
      { task_id: "t/bare", reason: "the problem has no reference" },
    ]);
    expect(samples.map(({ task_id, kind, forward, backward }) => `${task_id} ${kind} ${forward} ${backward}`)).toEqual([
      "t/twice round_trip 0 0",
      "t/twice round_trip 0 1",
      "t/twice round_trip 1 0",
      "t/twice round_trip 1 1",
      "t/twice baseline null 0",
      "t/twice baseline null 1",
      "t/greet round_trip 0 0",
      "t/greet round_trip 0 1",
      "t/greet round_trip 1 0",
      "t/greet baseline null 0",
    ]);
    expect(samples[0]).toMatchObject({
      description: "Return twice the argument.",
      description_cut: false,
      candidate: "def twice(x):\n    return 2 * x\n",
      reference: "def twice(x):\n    return 2 * x\n",
      sims: { exact: 1, learned: 1 },
    });
    expect([...samples[2]!.description]).toHaveLength(128);
    expect(samples[2]!.recited).toMatchObject({ run: 4, recited: true });
    expect(samples[4]).toMatchObject({ description: "Implement.", recited: null });
  });

  it("writes the same bytes when run again, and compares nothing a second time", async () => {
    const llm = await record(table);
    const similarity = learned();
    const options = { similarities: [similarity], samples: twoByTwo };
    const read = async ({ files }: Awaited<ReturnType<typeof run>>) =>
      (await readFile(files.samples, "utf8")) + (await readFile(files.summary, "utf8"));
    const first = await read(await run(llm, options));
    const { calls } = similarity;
    expect(await read(await run(llm, options))).toBe(first);
    expect(similarity.calls).toBe(calls);
    expect(calls).toBe(6); // 10 candidates: one empty, three equal to another one of the same problem
  });

  it("says what went around, and where in the code", async () => {
    const { samples } = await run(await record(table), { samples: twoByTwo });
    expect(samples[0]).toMatchObject({ input: "    return 2 * x", shown: { above: "def twice(x):", below: "" } });
    const whole = samples.find(({ task_id }) => task_id === "t/greet")!;
    expect(whole.shown).toEqual({ above: "", below: "" });
    expect(whole.input).toBeUndefined();
  });

  it("gives whole runs samples of their own, and their standard deviation", async () => {
    // A run has one description and one program of it: twice comes back in runs 1 and 3, greet in none.
    const programs = ["return 2 * x", "return x", "return 2 * x"];
    const runs = programs.flatMap((program, i) => [
      ["t/twice", "forward", i, `Description ${i}.`] as const,
      ["t/twice", "backward", i, program] as const,
      ["t/twice", "baseline", i, i === 0 ? program : "return 0"] as const,
      ["t/greet", "forward", i, "Greet."] as const,
      ["t/greet", "backward", i, "print()"] as const,
      ["t/greet", "baseline", i, "print()"] as const,
    ]);
    const once = { forward: { samples: 1 }, backward: { samples: 1 } };
    const { summary, samples } = await run(await record(runs), { samples: once, repeats: 3 });
    expect(summary.counts).toMatchObject({ problems: 2, round_trips: 6, baselines: 6, missing: 0 });
    expect(summary.notes).toEqual([]);
    expect(summary.repeats).toBe(3);
    // RTC of the runs: 1/2, 0, 1/2, of all 1/3; their standard deviation sqrt(1/12). Baseline 1/6.
    expect(summary.similarities[0]).toMatchObject({
      rtc: { value: expect.closeTo(1 / 3, 12) },
      lift: { value: expect.closeTo(1 / 6, 12) },
      sigma: { value: expect.closeTo(Math.sqrt(1 / 12), 12), of: "repeats", count: 3 },
    });
    expect(
      samples.slice(0, 6).map(({ repeat, forward, backward, description }) => [repeat, forward, backward, description]),
    ).toEqual([
      [0, 0, 0, "Description 0."],
      [0, null, 0, "Implement."],
      [1, 1, 0, "Description 1."],
      [1, null, 0, "Implement."],
      [2, 2, 0, "Description 2."],
      [2, null, 0, "Implement."],
    ]);
  });

  it("says so when the recording has no baseline", async () => {
    const llm = await record(table.filter(([, direction]) => direction !== "baseline"));
    const { summary } = await run(llm, { samples: twoByTwo });
    expect(summary.similarities[0]).toMatchObject({ baseline: null, lift: null });
    expect(summary.notes).toContain("No lift: the recording has no `baseline` rows.");
  });

  it("has nothing to say without a single round trip", async () => {
    const llm = await record([["t/other", "forward", 0, "x"]]);
    await expect(run(llm)).rejects.toThrow("the recording has none of the samples");
    await expect(run(llm, { problems: [broken] })).rejects.toThrow("t/broken: the reference has no function `gone`");
  });

  it.each<[string, Partial<RoundTripsOptions>, string]>([
    ["no similarity", { similarities: [] }, "expected one or more different similarities, got none"],
    ["one twice", { similarities: [learned(), learned()] }, "got `learned` twice"],
    ["a threshold of another", { thresholds: { pass: 1 } }, "given for `pass`, which is not among exact"],
    ["a threshold of zero", { thresholds: { exact: 0 } }, "expected the threshold of `exact` to be in (0, 1], got 0"],
    ["no run at all", { repeats: 0 }, "expected `repeats` to be an integer of at least 1, got 0"],
    ["half a sample", { samples: { forward: { samples: 0.5 } } }, "`samples` of the forward model"],
    ["a temperature below zero", { samples: { backward: { temperature: -1 } } }, "`temperature` of the backward model"],
  ])("refuses %s", async (_, over, message) => {
    await expect(run(await record(table), over)).rejects.toThrow(message);
  });
});

/** Says what the prompt asks for: a description for code, code for a description. */
const answer = ({ body }: StubRequest): { texts: string[] } => {
  const { messages, n } = body as { messages: { content: string }[]; n: number };
  const last = messages.at(-1)!.content;
  const text = last.includes("# BEGIN") ? `About ${last.length} characters.` : "```python\n    return 2 * x\n```";
  return { texts: Array.from({ length: n }, (_, i) => (last.includes("# BEGIN") ? `${text} ${i}` : text)) };
};

describe("SynthesisRTC with a model", () => {
  it("asks once for each forward batch, each description and each baseline, and records it all", async () => {
    stub = await startStub(answer);
    const llm = openAiLlm({ model: "m", baseUrl: stub.url });
    const { summary } = await run(llm);
    // Two problems: one forward request for three samples, three backward ones, one baseline.
    expect(stub.requests).toHaveLength(10);
    expect(summary.models).toEqual({ forward: "m", backward: "m" });
    expect(summary.counts).toMatchObject({ problems: 2, round_trips: 6, baselines: 2, missing: 0 });
    expect(summary.usage?.forward).toEqual({ requests: 10, retries: 0, promptTokens: 100, completionTokens: 30 });
    expect(
      stub.requests.filter(({ body }) => body.n === 3).map(({ body }) => [body.temperature, body.max_tokens]),
    ).toEqual([
      [0.8, 128],
      [0.8, 128],
    ]);
    const again = await run(await replayLlm(join(folder, "out", "recording.jsonl")), { out: join(folder, "replayed") });
    expect(again.summary.models.forward).toBe("recorded (m)");
    expect(again.summary.similarities).toEqual(summary.similarities);
    expect(stub.requests).toHaveLength(10);
  });

  it("asks for further runs as it goes on, each with a seed of its own", async () => {
    stub = await startStub(answer);
    const llm = openAiLlm({ model: "m", baseUrl: stub.url });
    const seeds = () => stub!.requests.filter(({ body }) => body.n === 3).map(({ body }) => body.seed);
    await run(llm, { problems: [twice], seed: 5 });
    expect(seeds()).toEqual([5]);
    const { summary } = await run(llm, { problems: [twice], seed: 5, repeats: 3 });
    expect(seeds()).toEqual([5, 8, 11]); // three forward samples a run
    expect(stub.requests).toHaveLength(3 * (1 + 3 + 1));
    expect(summary.counts).toMatchObject({ round_trips: 9, baselines: 3, missing: 0 });
  });

  it("goes on after a failed request, and only asks for what is missing the next time", async () => {
    stub = await startStub((request, i) => (i === 0 ? { status: 400, text: "too long" } : answer(request)));
    const llm = openAiLlm({ model: "m", baseUrl: stub.url, concurrency: 1 });
    const { summary } = await run(llm, { lift: false });
    expect(summary.counts).toMatchObject({ round_trips: 3, missing: 3 });
    expect(summary.failed).toEqual([
      { task_id: expect.stringContaining("t/"), direction: "forward", message: expect.stringContaining("too long") },
    ]);
    expect(stub.requests).toHaveLength(5);
    expect((await run(llm, { lift: false })).summary.counts.missing).toBe(0);
    expect(stub.requests).toHaveLength(9);
  });

  it("stops when the key is refused, and when the server answers nothing at all", async () => {
    stub = await startStub(() => ({ status: 401 }));
    await expect(run(openAiLlm({ model: "m", baseUrl: stub.url }))).rejects.toThrow("refused the key");
    await stub.close();
    stub = await startStub(() => ({ status: 500 }));
    const many = Array.from({ length: 40 }, (_, i) => ({ ...twice, id: `t/${i}` }));
    const llm = openAiLlm({ model: "m", baseUrl: stub.url, retries: 0, concurrency: 1 });
    await expect(run(llm, { problems: many })).rejects.toThrow("HTTP 500");
    expect(stub.requests.length).toBeLessThan(10);
  });

  it("was killed: no answer that had come is asked for again", async () => {
    const key = ({ body }: StubRequest) => JSON.stringify(body);
    let killed = false;
    // Before the kill four requests are answered, then every one hangs.
    stub = await startStub((request, i) => (!killed && i >= 4 ? "hang" : answer(request)));
    const out = join(folder, "out");
    const viteNode = createRequire(import.meta.url).resolve("vite-node/vite-node.mjs");
    const script = fileURLToPath(new URL("killed-run.ts", import.meta.url));
    const child = spawn(process.execPath, [viteNode, script, "--", stub.url, out], { stdio: "inherit" });
    const exited = new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
    const recorded = async (): Promise<string[]> =>
      (await readFile(join(out, "recording.jsonl"), "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
    const rowsBefore = () => stub!.answered.reduce((sum, { body }) => sum + Number(body.n), 0);
    await expect
      .poll(async () => stub!.requests.length > 4 && (await recorded()).length === rowsBefore(), { timeout: 30_000 })
      .toBe(true);
    child.kill("SIGKILL");
    expect(await exited).toBe("SIGKILL");
    killed = true;
    const before = stub.answered.map(key);
    expect(before).toHaveLength(4);
    const { summary } = await run(openAiLlm({ model: "m", baseUrl: stub.url }), { problems: [twice, greet, clip] });
    expect(summary.counts).toMatchObject({ round_trips: 9, baselines: 3, missing: 0 });
    expect(stub.answered).toHaveLength(15); // three problems of 1 + 3 + 1 requests, the four before the kill among them
    const texts = (await recorded()).map((line) => JSON.parse(line) as Record<string, unknown>);
    const ids = texts.map(({ task_id, direction, sample }) => `${task_id} ${direction} ${sample}`);
    expect(ids).toHaveLength(21);
    expect(new Set(ids).size).toBe(21);
  });
});
