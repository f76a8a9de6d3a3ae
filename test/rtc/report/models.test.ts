import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../../src/cli/rtc.ts";
import type { IdentitySummary } from "../../../src/rtc/identity/summary.ts";
import { replayLlm } from "../../../src/rtc/llm/recording.ts";
import { modelTables } from "../../../src/rtc/report/model-tables.ts";
import { compareModels, type PassAt1 } from "../../../src/rtc/report/models.ts";
import type { ModelRun } from "../../../src/rtc/report/side-by-side.ts";
import { synthesisRtc } from "../../../src/rtc/synthesis/synthesis.ts";
import { openSimilarity } from "../../../src/rtc/trip/similarity.ts";
import type { RtcSummary } from "../../../src/rtc/trip/summary.ts";
import { twice } from "../problems.ts";

let folder: string;
let summary: RtcSummary;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "models-"));
  summary = await synthesised("a", 3);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** A run in which `good` of four programs are reproduced. */
async function synthesised(name: string, good: number): Promise<RtcSummary> {
  const rows = [0, 1, 2, 3].flatMap((sample) => [
    { task_id: twice.id, direction: "forward", sample, text: "Doubles." },
    { task_id: twice.id, direction: "backward", sample, text: sample < good ? "return 2 * x" : "return x" },
  ]);
  const path = join(folder, `${name}.jsonl`);
  await writeFile(path, rows.map((row) => `${JSON.stringify({ ...row, model: name })}\n`).join(""));
  const llm = await replayLlm(path);
  const { summary } = await synthesisRtc({
    problems: [twice],
    forward: llm,
    backward: llm,
    similarities: [openSimilarity("exact")],
    out: join(folder, name),
    samples: { forward: { samples: 4 } },
    lift: false,
    quiet: true,
  });
  return summary;
}

/** The run with other RTC values. */
const withRtc = (name: string, values: Readonly<Record<string, number>>): ModelRun => ({
  name,
  summary: {
    ...summary,
    similarities: Object.entries(values).map(([sim, value]) => ({
      ...summary.similarities[0]!,
      name: sim,
      rtc: { value, interval: null, problems: 1 },
      share_above: null,
    })),
  },
});

const pass = (values: Readonly<Record<string, number>>): Map<string, PassAt1> =>
  new Map(Object.entries(values).map(([name, value]) => [name, { value, source: "given" }]));

/** Table 2 of Allamanis et al. 2024, HumanEval: pass@1 and RTC_pass in percent. */
const table2 = {
  "PaLM 2-S": [19.5, 8.3],
  "PaLM 2-S+": [29.3, 10.6],
  "PaLM 2-S*": [37.6, 18.3],
  "Gemini Nano 2": [33.4, 18.9],
  "StarCoder2 15B": [46.3, 31.7],
  "Gemini v1 Pro": [63.4, 34.8],
  "DSC33B-IT": [75.6, 40.2],
} as const;

describe("models by RTC and by pass@1", () => {
  it("correlate as scipy says of the paper's table", () => {
    const models = Object.entries(table2);
    const runs = models.map(([name, [, rtc]]) => withRtc(name, { pass: rtc / 100, flat: 0.5 }));
    const given = pass(Object.fromEntries(models.map(([name, [value]]) => [name, value / 100])));
    const { correlations, rows, notes } = compareModels(runs, given);
    // scipy 1.17.1 on the table's columns: pearsonr with confidence_interval(), spearmanr, kendalltau, and permutation_test with
    // permutation_type="pairings", n_resamples=inf. The paper says .96, and .90 for what it calls Spearman's, which is tau.
    const near = (value: number) => expect.closeTo(value, 12);
    expect(correlations[0]).toEqual({
      similarity: "pass",
      setting: null,
      of: "RTC",
      models: 7,
      pearson: near(0.9591354489773724),
      interval: [near(0.7420453978031317), near(0.9941408239146818)],
      pearson_p: near(0.0007936507936507937),
      spearman: near(0.9642857142857145),
      spearman_p: near(0.002777777777777778),
      kendall: near(0.9047619047619049),
    });
    expect(correlations[1]).toMatchObject({ similarity: "flat", models: 7, pearson: null, pearson_p: null });
    expect(rows).toHaveLength(14);
    expect(rows.slice(0, 7).map(({ model, similarity }) => [model, similarity])).toEqual(
      models.map(([name]) => [name, "pass"]),
    );
    expect(notes).toEqual(["7 models: no p can be below 0.00040; the interval of r assumes a normal distribution."]);
  });

  it("need three with a pass@1, and four for an interval", () => {
    const runs = [0.1, 0.2, 0.4].map((value, i) => withRtc(`m${i}`, { pass: value }));
    const three = compareModels(runs, pass({ m0: 0.2, m1: 0.5, m2: 0.6 }));
    expect(three.correlations[0]).toMatchObject({ models: 3, interval: null, spearman: 1, spearman_p: 2 / 6 });
    const two = compareModels(runs, pass({ m0: 0.2, m1: 0.5 }));
    expect(two.correlations[0]).toMatchObject({ models: 2, pearson: null, spearman: null, kendall: null });
    expect(two.notes).toEqual([
      "Without pass@1, so in no correlation: 1 of 3 models.",
      "A correlation needs the pass@1 of 3 models or more, got 2.",
    ]);
    expect(two.rows.map(({ pass_at_1 }) => pass_at_1?.value ?? null)).toEqual([0.2, 0.5, null]);
  });

  it("bring the pass@1 that their chains measured", () => {
    const chain = (name: string, value: number): ModelRun => {
      const estimate = { value, interval: null, problems: 4 };
      const similarities = [{ name: "exact", signature: null, mean: estimate, threshold: 1 }];
      const identity = {
        task: "identity",
        pass_at_1: estimate,
        similarities,
        steps: [],
        prompts: {},
        counts: { chains: 4 },
      };
      return { name, summary: identity as unknown as IdentitySummary };
    };
    const { rows, correlations } = compareModels([chain("a", 0.5), chain("b", 0.25), chain("c", 0.75)], new Map());
    expect(rows.map(({ pass_at_1 }) => pass_at_1)).toEqual(
      [0.5, 0.25, 0.75].map((value) => ({ value, source: "step 0 of the chains", interval: null })),
    );
    expect(correlations[0]).toMatchObject({ models: 3, pearson: 1 });
  });

  it("are told apart where their runs differ", () => {
    const [a, b] = [withRtc("a", { pass: 0.1 }), withRtc("b", { pass: 0.2 })];
    const other = b.summary as RtcSummary;
    const changed: RtcSummary = {
      ...other,
      prompts: { forward: "another" },
      counts: { ...other.counts, problems: 2 },
      similarities: other.similarities.map((one) => ({ ...one, signature: "another", threshold: 0.7 })),
    };
    expect(compareModels([a, { name: "b", summary: changed }], new Map()).notes).toEqual([
      `pass is not the same in all runs: ${summary.similarities[0]!.signature} and another.`,
      "The runs differ in prompts, numbers of problems, thresholds.",
    ]);
  });

  it("are told apart where their problems have other ids", () => {
    const [a, b, c] = [withRtc("a", { pass: 0.1 }), withRtc("b", { pass: 0.2 }), withRtc("c", { pass: 0.3 })];
    const [first, other] = [new Set(["1", "2"]), new Set(["2", "3"])];
    const notes = (...runs: ModelRun[]) => compareModels(runs, new Map()).notes;
    expect(notes({ ...a, ids: first }, { ...b, ids: first }, { ...c, ids: other })).toEqual([
      "The runs differ in problems (1 of 3 are in every run).",
    ]);
    expect(notes({ ...a, ids: first }, { ...b, ids: new Set(["2", "1"]) })).toEqual([]);
    expect(notes({ ...a, ids: first }, b)).toEqual([]);
  });

  it("are told apart by similarities, and by the thresholds of those that they share", () => {
    const [a, b] = [withRtc("a", { pass: 0.1 }), withRtc("b", { pass: 0.2, exact: 0.1 })];
    expect(compareModels([a, b], new Map()).notes).toEqual(["The runs differ in similarities."]);
  });

  it("say what their sigma is", () => {
    const one = { value: 0.1, count: 4 } as const;
    const of = (name: string, sigma: RtcSummary["similarities"][number]["sigma"]): ModelRun => {
      const { summary } = withRtc(name, { pass: 0.1 });
      const similarities = (summary as RtcSummary).similarities.map((similarity) => ({ ...similarity, sigma }));
      return { name, summary: { ...(summary as RtcSummary), similarities } };
    };
    const note = (...runs: ModelRun[]) => modelTables(compareModels(runs, new Map())).at(-1)!.note;
    const [repeated, once, none] = [
      of("a", { ...one, of: "repeats" }),
      of("b", { ...one, of: "forward samples" }),
      of("c", null),
    ];
    const sigma = "Brackets: 95% interval over problems. sigma: standard deviation of RTC over repeated runs";
    const without = "; - where nothing was drawn twice";
    expect(note(repeated, none)).toBe(`${sigma}${without}.`);
    expect(note(once, none)).toBe(`${sigma}, estimated from the forward samples of each run${without}.`);
    expect(note(repeated, once)).toBe(`${sigma}; where a run was made once, estimated from its forward samples.`);
    expect(note(none, of("d", null))).toBe(
      "Brackets: 95% interval over problems. No sigma: no run has two descriptions of an item that are drawn at random.",
    );
  });

  it("are refused where they cannot be compared", () => {
    const [a, b] = [withRtc("a", { pass: 0.1 }), withRtc("b", { pass: 0.2 })];
    expect(() => compareModels([a], new Map())).toThrow("expected the runs of two or more models, got 1");
    expect(() => compareModels([a, a], new Map())).toThrow("two runs are of `a`; name them as NAME=DIR");
    expect(() => compareModels([a, b], pass({ c: 0.5 }))).toThrow("given for `c`, which is not among a, b");
    expect(() => compareModels([a, b], pass({ a: 46.3 }))).toThrow("the pass@1 of `a` to be in [0, 1], got 46.3");
    const editing = { ...b, summary: { ...summary, task: "editing" } };
    expect(() => compareModels([a, editing], new Map())).toThrow("runs of one task, got synthesis and editing (b)");
  });
});

describe("codescore rtc compare", () => {
  async function compare(...args: string[]): Promise<string> {
    let out = "";
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      out += text;
      return true;
    });
    vi.spyOn(process.stderr, "write").mockImplementation(() => true);
    const verb = rtcVerb().exitOverride();
    for (const command of verb.commands) command.exitOverride();
    await verb.parseAsync(["compare", ...args], { from: "user" });
    return out;
  }

  it("prints the correlations and every model, and writes them", async () => {
    await synthesised("b", 1);
    await synthesised("c", 4);
    const runs = ["a", "b"].map((name) => join(folder, name));
    const given = ["recorded (a)=0.5", "recorded (b)=0.2", "third=0.9"].flatMap((text) => ["--pass-at-1", text]);
    const out = await compare(...runs, `third=${join(folder, "c")}`, ...given);
    expect(out).toMatch(/exact +RTC +3 +0\.963 +0\.3333 +1\.000 +0\.3333 +1\.000/); // scipy: pearsonr([.75, .25, 1], [.5, .2, .9])
    expect(out).toMatch(/exact +recorded \(b\) +0\.250 +0\.250 +- +0\.250 +0\.200 +given/);
    expect(out).toContain("3 models: no p can be below 0.33");
    const file = join(folder, "models.json");
    await compare(...runs, `third=${join(folder, "c")}`, ...given, "--output", file);
    const { rows } = JSON.parse(await readFile(file, "utf8")) as { rows: { model: string }[] };
    expect(rows.map(({ model }) => model)).toEqual(["recorded (a)", "recorded (b)", "third"]);
  });

  it("says that runs of as many problems are of others", async () => {
    await synthesised("b", 1);
    const path = join(folder, "b", "samples.jsonl");
    await writeFile(path, (await readFile(path, "utf8")).replaceAll(twice.id, "another"));
    expect(await compare(join(folder, "a"), join(folder, "b"))).toContain(
      "The runs differ in problems (0 of 2 are in every run).",
    );
  });

  it.each<[string[], string]>([
    [["--pass-at-1", "a"], "Expected a pass@1 such as gpt-4o=0.872, got `a`."],
    [["--pass-at-1", "a=46.3"], "Expected a number from 0 to 1, got `46.3`."],
    [["--pass-at-1", "a=DIR"], "expected a run of `rtc identity` with a pass@1"],
    [[], "expected the runs of two or more models, got 1"],
  ])("refuses %j", async (args, message) => {
    const run = join(folder, "a");
    await expect(compare(run, ...args.map((text) => text.replace("DIR", run)))).rejects.toThrow(message);
  });

  it("says what is no run", async () => {
    await expect(compare(join(folder, "none"), join(folder, "a"))).rejects.toMatchObject({
      code: "usage",
      message: `there is no folder ${join(folder, "none")}; expected the --output of a finished run`,
    });
    await mkdir(join(folder, "begun"));
    await expect(compare(join(folder, "begun"), join(folder, "a"))).rejects.toThrow(
      `${join(folder, "begun")} has no finished run: it has no summary.json. Run the same command again`,
    );
    await expect(compare(folder, join(folder, "a"))).rejects.toThrow(
      `${folder} has no finished run: it has no summary.json. It has folders of finished runs: give one of them, such as ${join(folder, "a")}`,
    );
    await mkdir(join(folder, "projects"));
    await writeFile(join(folder, "projects", "projects.json"), "{}");
    await expect(compare(join(folder, "projects"), join(folder, "a"))).rejects.toThrow(
      `${join(folder, "projects")} is a run over projects: \`codescore rtc report RUN...\` puts such runs side by side`,
    );
    await writeFile(join(folder, "a", "summary.json"), "{}");
    await expect(compare(join(folder, "a"), join(folder, "a"))).rejects.toThrow(
      "expected the summary of `codescore rtc`",
    );
  });
});
