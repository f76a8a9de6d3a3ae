/** Recorded answers of a real, weak model: test/fixtures/rtc/gemma-3-270m. Checks the numbers of docs/rtc.md, and earlier bugs. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../src/cli/rtc.ts";
import { type Executor, openExecutor } from "../../src/execute/index.ts";
import { readProblems } from "../../src/problems/index.ts";
import {
  editingRtc,
  identityChain,
  identityTasks,
  openSimilarity,
  type PatchflowName,
  patchedRtc,
  type RtcSummary,
  readEdits,
  readQueries,
  replayLlm,
  type SynthesisOptions,
  synthesisRtc,
} from "../../src/rtc/index.ts";
import type { Problem } from "../../src/types.ts";
import { printed } from "../cli/printed.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const recording = (name: string) => replayLlm(join(root, "test", "fixtures", "rtc", "gemma-3-270m", `${name}.jsonl`));
const example = (name: string): string => join(root, "examples", "rtc", `${name}.jsonl`);

let folder: string;
let executor: Executor;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gemma-"));
  executor = await openExecutor({ workers: 1 });
});
afterAll(async () => {
  await executor.close();
  await rm(folder, { recursive: true });
});

async function synthesised(name: string, path: string, limit: number, samples: number) {
  const llm = await recording(name);
  const problems: ReadonlyMap<string, Problem> = await readProblems([path]);
  return synthesisRtc({
    problems: [...problems.values()].slice(0, limit) as SynthesisOptions["problems"],
    ...{ forward: llm, backward: llm, out: join(folder, name), quiet: true },
    similarities: ["pass", "chrf"].map((sim) => openSimilarity(sim, { executor, problems })),
    samples: { forward: { samples } },
  });
}

/** A recording of a model that describes nothing and always writes `pass`. */
async function trivial(): Promise<string> {
  const path = join(folder, "trivial.jsonl");
  const said = { forward: "", backward: "pass", baseline: "pass" };
  const rows = [...(await readProblems([example("easy")])).keys()].flatMap((task_id) =>
    Object.entries(said).map(([direction, text]) => JSON.stringify({ task_id, direction, sample: 0, text })),
  );
  await writeFile(path, rows.join("\n"));
  return path;
}

describe("Gemma 3 270M", () => {
  it("describes and solves 20 problems: nothing passes, and answers that copy the question have no code", async () => {
    const path = join(root, "datasets", "starter", "humaneval-style.jsonl");
    const { summary, samples } = await synthesised("synthesis", path, 20, 2);
    expect(summary.models.forward).toBe("recorded (gemma-3-270m)");
    expect(summary.counts).toMatchObject({
      problems: 20,
      round_trips: 40,
      baselines: 20,
      missing: 0,
      empty_answers: 18,
    });
    expect(summary.similarities.map(({ rtc, lift }) => [rtc!.value.toFixed(3), lift!.value.toFixed(3)])).toEqual([
      ["0.000", "0.000"],
      ["0.169", "0.004"],
    ]);
    // When asked for a sentence, it continues with code in a fence.
    const fenced = samples.filter(({ description }) => description.includes("```"));
    expect(fenced.map(({ task_id }) => task_id)).toEqual([]);
  });

  it("passes a third of 12 easy problems from people's descriptions, none from its own", async () => {
    const values = async (name: string) => {
      const { summary } = await synthesised(name, example("easy"), 12, 1);
      const [pass, chrf] = summary.similarities;
      return [pass!.rtc!.value, pass!.baseline!.value, chrf!.rtc!.value].map((value) => value.toFixed(3));
    };
    expect(await values("people")).toEqual(["0.333", "0.333", "0.490"]);
    expect(await values("easy")).toEqual(["0.000", "0.333", "0.279"]);
  });

  it.each([
    ["easy", 12, 1, { codescore: [0.074, 0.469], behaviour: [0, 0.413], pass: [0, 1 / 3], chrf: [0.279, 0.469] }],
    ["trivial", 12, 1, { codescore: [0.001, 0.001], behaviour: [0, 0], pass: [0, 0], chrf: [0.423, 0.423] }],
    [
      "people",
      12,
      1,
      { codescore: [0.469, 0.469], behaviour: [0.4125, 0.413], pass: [1 / 3, 1 / 3], chrf: [0.49, 0.469] },
    ],
    [
      "one-shot",
      20,
      3,
      { codescore: [0.414, 0.541], behaviour: [0.164, 0.335], pass: [8 / 60, 0.3], chrf: [0.481, 0.51] },
    ],
    ["trivial", 20, 1, { codescore: [0.001, 0.001], behaviour: [0, 0], pass: [0, 0], chrf: [0.448, 0.448] }],
  ])("%s, %i problems: the tables of docs/rtc.md, by the command", { timeout: 120_000 }, async (...row) => {
    const [name, limit, samples, expected] = row;
    const out = join(folder, `verb-${name}-${limit}`);
    const printing = printed();
    const fixture = join(root, "test", "fixtures", "rtc", "gemma-3-270m", `${name}.jsonl`);
    const llm = name === "trivial" ? await trivial() : name === "one-shot" ? example("gemma-3-270m") : fixture;
    const count = ["--limit", `${limit}`, "--forward-samples", `${samples}`];
    const flags = [...count, "--sims", Object.keys(expected).join(), "--workers", "1"];
    const run = ["synthesis", "--problems", example("easy"), "--forward", `replay:${llm}`, ...flags, "--output", out];
    await rtcVerb().parseAsync(run, { from: "user" });
    vi.restoreAllMocks();
    expect(printing.stdout).toMatch(/^codescore /m);
    const { similarities }: RtcSummary = JSON.parse(await readFile(join(out, "summary.json"), "utf8"));
    for (const { name: sim, rtc, baseline } of similarities) {
      const [value, base] = expected[sim as keyof typeof expected] as [number, number];
      expect(Math.abs(rtc!.value - value), sim).toBeLessThan(0.002);
      expect(Math.abs(baseline!.value - base), sim).toBeLessThan(0.002);
    }
  });

  it("makes no edit again", async () => {
    const llm = await recording("editing");
    const { summary } = await editingRtc({
      edits: await readEdits(example("edits"), 6),
      ...{ forward: llm, backward: llm, out: join(folder, "editing"), quiet: true },
      similarities: ["exact", "rouge-l"].map((sim) => openSimilarity(sim)),
      samples: { forward: { samples: 1 } },
    });
    expect(summary.counts).toMatchObject({ problems: 6, round_trips: 6, baselines: 6, missing: 0 });
    const [exact, rouge] = summary.similarities;
    expect([exact!.rtc!.value, rouge!.rtc!.value.toFixed(3)]).toEqual([0, "0.431"]); // the baseline has .419
  });

  it("answers six fixes with words, and six queries with others each time", async () => {
    const patched = async (name: string, file: string, patchflow: PatchflowName, sims: readonly string[]) => {
      const llm = await recording(name);
      return patchedRtc({
        queries: await readQueries(example(file)),
        patchflow,
        ...{ forward: llm, backward: llm, out: join(folder, name), quiet: true },
        similarities: sims.map((sim) => openSimilarity(sim)),
      });
    };
    const fixes = await patched("autofix", "fixes", "autofix", ["exact", "chrf"]);
    expect(fixes.summary.counts).toMatchObject({ round_trips: 6, missing: 0, recited: 2 });
    for (const { reference } of fixes.samples) expect(reference).toMatch(/^(I'm|I am|You are) a security engineer/);
    const queries = await patched("queries", "queries", "generic", ["exact", "chrf", "rouge-l"]);
    expect(queries.summary.counts).toMatchObject({ round_trips: 6, missing: 0, recited: 1 });
    const values = [fixes, queries].map(({ summary }) => summary.similarities.map(({ rtc }) => rtc!.value.toFixed(3)));
    expect(values).toEqual([
      ["0.000", "0.260"],
      ["0.000", "0.248", "0.185"],
    ]);
    // Before, a base model's answer went on with the prompt's next headings.
    const said = [...fixes.samples, ...queries.samples].flatMap((row) => [row.answer, row.reference, row.description]);
    expect(said.filter((text) => /^\[(system|assistant|user)\]/m.test(text))).toEqual([]);
  });

  it("copies the prompt's last example where it is to describe a program, and agrees with itself only in an error", async () => {
    const llm = await recording("identity");
    const problems = [...(await readProblems([example("easy")])).values()].slice(0, 12);
    const { summary, steps } = await identityChain(await identityTasks(problems), {
      ...{ forward: llm, backward: llm, executor, out: join(folder, "identity"), quiet: true, length: 3 },
      similarities: [openSimilarity("chrf")],
    });
    expect(summary.counts).toMatchObject({ chains: 12, missing: 0, copied: 5 });
    expect(summary.pass_at_1!.value).toBe(0);
    expect(summary.steps.map(({ sc, ssc, tom }) => [sc!.value, ssc!.value, tom!.value])).toEqual([
      [1 / 12, 0, 1 / 12],
      [1 / 12, 0, 5 / 12],
      [1 / 12, 0, 5 / 12],
    ]);
    const same = steps.filter(({ step, tom }) => step === 1 && tom === 1);
    expect(same.map(({ task_id }) => task_id)).toEqual(["easy/largest"]);
    expect(same[0]!.answers[0]).toMatch(/^SyntaxError/);
  });
});
