import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Llm } from "../../../src/rtc/llm/llm.ts";
import { replayLlm } from "../../../src/rtc/llm/recording.ts";
import type { RoundTripsOptions } from "../../../src/rtc/trip/run.ts";
import { openSimilarity, type SignedSimilarity } from "../../../src/rtc/trip/similarity.ts";
import { bare, broken, greet, twice } from "../problems.ts";
import { runOf } from "./synthesised.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "synthesis-"));
});
afterEach(() => rm(folder, { recursive: true }));

const run = (llm: Llm, over: Parameters<typeof runOf>[2] = {}) => runOf(join(folder, "out"), llm, over);

const record = async (rows: readonly (readonly [string, string, number, string])[]): Promise<Llm> => {
  const path = join(folder, "recording.jsonl");
  const lines = rows.map(([task_id, direction, sample, text]) => JSON.stringify({ task_id, direction, sample, text }));
  await writeFile(path, `${lines.join("\n")}\n`);
  return replayLlm(path);
};

/** 0.8 if the candidate doubles by adding, 0.4 if it greets, 1 if equal, otherwise 0.1. */
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
      copied: 0,
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
    // chance (3 * 4 + 4 * 3) / 49; Spearman by scipy for the values above: 0.8987170342729172
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
    // Each run has one description and one program for it. Twice is reproduced in runs 1 and 3, greet in none.
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
    // RTC of the runs: 1/2, 0, 1/2; of all together 1/3; their standard deviation sqrt(1/12). Baseline 1/6.
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
    await expect(run(llm)).rejects.toThrow(
      "the recording has no whole round trip of the 2 problems (t/twice, t/greet)",
    );
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
