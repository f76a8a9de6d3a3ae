import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openProject, type ProjectRun, type ProjectTests } from "../../../src/execute/index.ts";
import {
  mutateLlm,
  openAiLlm,
  openSimilarity,
  type ProjectSpans,
  projectBehaviour,
  projectPass,
  projectRtc,
  projectSpans,
  replayLlm,
} from "../../../src/rtc/index.ts";
import { failingTests, isTestFile, type TestedProject } from "../../../src/rtc/synthesis/project.ts";
import { findSpans, spanText } from "../../../src/rtc/synthesis/span.ts";
import type { SampleRow } from "../../../src/rtc/trip/rows.ts";
import { bwrapWorks } from "../../execute/open.ts";
import { type Stub, type StubRequest, startStub } from "../stub.ts";
import { shop, shopTests, writeShop } from "./shop.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "project-rtc-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const ran = (outcome: ProjectRun["outcome"], output = ""): ProjectRun => ({ outcome, cpuS: 0.1, wallS: 0.1, output });

/** A project with simulated tests: `react` gets what was replaced, and returns the result. */
async function played(react: (changes: Readonly<Record<string, string>>, run: number) => ProjectRun) {
  const runs: Readonly<Record<string, string>>[] = [];
  const snapshot = await writeShop(join(folder, "shop"));
  const project: TestedProject = {
    snapshot,
    command: shopTests,
    sandbox: "bwrap",
    python: "3.11.2",
    workers: 2,
    run: async (changes) => {
      runs.push(changes);
      return react(changes, runs.length - 1);
    },
  };
  return { project, runs };
}

const find = (project: TestedProject, more = {}): Promise<ProjectSpans> =>
  projectSpans({ project, out: join(folder, "out"), quiet: true, ...more });

describe("projectPass", () => {
  it("runs the tests once for each code of a span, so that `pass,calls` runs them once", async () => {
    const { project, runs } = await played((_, run) => ran(run === 0 ? "pass" : "fail"));
    const [span] = await findSpans({ path: "shop.py", text: shop });
    const found = { spans: [span!], limits: { wallS: 30, cpuS: 5 }, fingerprint: "f" } as unknown as ProjectSpans;
    const pass = projectPass({ project, found });
    const pairs = ["a = 1", "a = 2"].map((candidate) => ({ reference: "", candidate, problemId: span!.id }));
    for (const { candidate } of pairs) pass.placed.set(JSON.stringify([span!.id, candidate]), candidate);
    expect(await pass.compare(pairs)).toEqual([1, 0]);
    expect(await Promise.all(pairs.map((pair) => pass.test(pair)))).toEqual(
      [1, 0].map((value) => ({ value, time: { cpu_s: 0.1, wall_s: 0.1 } })),
    );
    expect(await pass.test({ ...pairs[0]!, candidate: "b = 1" })).toBe(null);
    expect([runs.length, pass.takeTimes().length]).toEqual([2, 2]);
  });
});

describe("projectSpans", () => {
  it("drops and counts spans whose deletion changes no test result", async () => {
    const { project } = await played((changes) => {
      const text = changes["shop.py"] ?? shop;
      return ran(text.includes("sum(round(price * 100)") && text.includes("name.title()") ? "pass" : "fail");
    });
    const { spans, counts } = await find(project);
    expect(spans.length).toBeGreaterThan(2);
    for (const span of spans) expect(spanText(span)).toMatch(/sum\(round|name\.title/);
    expect(counts).toMatchObject({ files: 1, test_files: 1, unreadable_files: 0 });
    expect(counts.drawn).toBe(counts.candidates);
    expect(counts.without_effect).toBe(counts.drawn - spans.length);
  });

  it("stops at the number wanted, whatever runs beside each other", async () => {
    const { project } = await played((changes) => ran(Object.keys(changes).length === 0 ? "pass" : "timeout"));
    const one = await find({ ...project, workers: 1 }, { spans: 3, out: join(folder, "a") });
    const two = await find({ ...project, workers: 4 }, { spans: 3, out: join(folder, "b") });
    expect(one.spans.map(({ id }) => id)).toEqual(two.spans.map(({ id }) => id));
    expect(one.counts).toMatchObject({ drawn: 3, without_effect: 0 });
  });

  it("goes on without running a deletion again, unless the project changed", async () => {
    const { project, runs } = await played((changes) => ran(Object.keys(changes).length === 0 ? "pass" : "fail"));
    const before = await find(project, { spans: 2 });
    await find(project, { spans: 4 });
    const deletions = runs.filter((changes) => "shop.py" in changes);
    expect(deletions).toHaveLength(4);
    await writeFile(join(project.snapshot, "shop.py"), shop.replace("A shop", "The shop"));
    const after = await find(project, { spans: 2 });
    expect(after.fingerprint).not.toBe(before.fingerprint);
    expect(runs.filter((changes) => "shop.py" in changes)).toHaveLength(6);
  });

  const failure = "FAIL: test_total (test_shop.ShopTest.test_total)\nFAILED (failures=1)\n";
  it("names tests that fail before anything is changed", async () => {
    const { project } = await played(() => ran("fail", failure));
    await expect(find(project)).rejects.toThrow(/the tests fail on the unchanged.*: test_total \(test_shop\.ShopTest/);
  });

  it("names tests that are flaky", async () => {
    const { project } = await played((_, run) => (run === 1 ? ran("fail", "FAILED a.py::test_x - E\n") : ran("pass")));
    await expect(find(project)).rejects.toThrow("the tests are flaky: one of two runs of the unchanged project failed");
    expect(failingTests("FAILED a.py::test_x - E\nERROR b.py\n")).toEqual(["a.py::test_x", "b.py"]);
  });

  it("says so when no deletion changes a test", async () => {
    const { project } = await played(() => ran("pass"));
    await expect(find(project)).rejects.toThrow(/no usable span in the project: deleting any of \d+ spans/);
  });
});

it.each([
  ["shop.py", false],
  ["test_shop.py", true],
  ["shop_test.py", true],
  ["a/tests/util.py", true],
  ["test/a.py", true],
  ["conftest.py", true],
  ["a/contest.py", false],
  ["a/testing.py", false],
])("%s holds tests: %s", (path, expected) => expect(isTestFile(path)).toBe(expected));

describe("mutateLlm", () => {
  const ask = async (found: ProjectSpans, direction: "forward" | "backward" | "baseline", first = 0, n = 1) => {
    const about = { taskId: found.spans[0]!.id, direction, first };
    return mutateLlm(found.spans, 3).complete({ prompt: "", n, temperature: 0, maxTokens: 1, about });
  };

  it("makes mutants and rewrites in turn, the same for the same seed, and says what it did", async () => {
    const { project } = await played((changes) => ran(Object.keys(changes).length === 0 ? "pass" : "fail"));
    const found = await find(project, { spans: 1 });
    const said = await ask(found, "forward", 0, 4);
    expect(said.map((text) => text.split(":")[0])).toEqual(["mutant", "rewrite", "mutant", "rewrite"]);
    const programs = await Promise.all([0, 1, 2, 3].map((first) => ask(found, "backward", first)));
    expect(new Set(programs.flat()).size).toBe(4);
    expect(await ask(found, "backward", 2)).toEqual(programs[2]);
    expect(await ask(found, "baseline")).toEqual([]);
  });
});

describe.skipIf(!bwrapWorks)("projectRtc on a project with unittest", () => {
  let stub: Stub | undefined;
  let project: ProjectTests;
  beforeEach(async () => {
    project = await openProject({ folder: await writeShop(join(folder, "shop")), command: shopTests, workers: 2 });
  });
  afterEach(async () => {
    await project.close();
    await stub?.close();
    stub = undefined;
  });

  const out = (): string => join(folder, "out");
  const readRows = async (): Promise<SampleRow[]> =>
    (await readFile(join(out(), "samples.jsonl"), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as SampleRow);

  it("asks a server over HTTP, puts answers into a copy of the project and runs its tests", async () => {
    const found = await projectSpans({ project, out: out(), spans: 2, quiet: true });
    const contents = (request: StubRequest): string =>
      (request.body.messages as { content: string }[]).map(({ content }) => content).at(-1)!;
    // It knows the code if the description is good, and otherwise has nothing to say.
    stub = await startStub((request) => {
      const text = contents(request);
      if (text.includes("# BEGIN"))
        return { texts: Array.from({ length: Number(request.body.n ?? 1) }, () => "Well.") };
      const span = found.spans.find((s) => !text.includes(spanText(s)) && text.includes(`${s.indent}# TODO:`));
      const good = text.includes("# TODO: Well.") ? span : undefined;
      return { texts: [good ? `\`\`\`python\n${spanText(good).trimStart()}\n\`\`\`` : "raise ValueError"] };
    });
    const llm = openAiLlm({ model: "stub", baseUrl: stub.url });
    const pass = projectPass({ project, found });
    const similarities = [pass, openSimilarity("exact")];
    const options = { project, found, forward: llm, backward: llm, similarities, out: out(), quiet: true };
    const { summary } = await projectRtc(options, pass);
    expect(summary.counts).toMatchObject({ problems: 2, round_trips: 6, baselines: 2, missing: 0 });
    const backward = stub.answered.map(contents).filter((text) => !text.includes("# BEGIN"));
    expect(backward.filter((text) => text.includes("# TODO: Implement."))).toHaveLength(2);
    const of = (name: string) => summary.similarities.find((similarity) => similarity.name === name)!;
    expect(of("pass")).toMatchObject({ rtc: { value: 1 }, baseline: { value: 0 }, lift: { value: 1 } });
    expect(of("exact")).toMatchObject({ rtc: { value: 1 }, lift: { value: 1 } });
    expect(summary.project).toMatchObject({ command: shopTests, sandbox: "bwrap", spans: 2, test_files: 1 });
    expect(await readFile(join(folder, "shop", "shop.py"), "utf8")).toBe(shop);

    // Started again: no model call, and no test run except the two of the unchanged project.
    const asked = stub.requests.length;
    const runs: unknown[] = [];
    const watched: TestedProject = {
      ...project,
      record: project.record.bind(project),
      run: (changes, limits) => {
        runs.push(changes);
        return project.run(changes, limits);
      },
    };
    const again = {
      project: watched,
      found: await projectSpans({ project: watched, out: out(), spans: 2, quiet: true }),
    };
    const secondPass = projectPass(again);
    const second = await projectRtc({ ...options, ...again, similarities: [secondPass] }, secondPass);
    expect(stub.requests).toHaveLength(asked);
    expect(runs).toEqual([{}, {}]);
    expect(second.summary.similarities[0]).toEqual(of("pass"));
  });

  it("tells programs that do the same from others, from a recording", async () => {
    const spans = await findSpans({ path: "shop.py", text: shop });
    const span = spans.find((s) => spanText(s).endsWith("for price in prices)"))!;
    const counts = {
      files: 1,
      test_files: 1,
      unreadable_files: 0,
      candidates: 1,
      reached: null,
      drawn: 1,
      without_effect: 0,
    };
    const limits = { wallS: 30, cpuS: 5 };
    const found = { spans: [span], counts, baseline: { cpu_s: 1, wall_s: 1 }, limits, fingerprint: "f" };
    const rows = ["cents = 100 * sum(prices)", "cents = 0", ""].flatMap((text, sample) => [
      { task_id: span.id, direction: "forward", sample, text: "The sum in cents." },
      { task_id: span.id, direction: "backward", sample, text },
    ]);
    const path = join(folder, "recording.jsonl");
    await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const llm = await replayLlm(path);
    const pass = projectPass({ project, found });
    await projectRtc(
      { project, found, forward: llm, backward: llm, similarities: [pass], out: out(), quiet: true },
      pass,
    );
    const got = await readRows();
    expect(got.map(({ sims }) => sims.pass)).toEqual([1, 0, 0]);
    expect(got[0]!.candidate).toBe(got[0]!.reference.replace(spanText(span).trim(), "cents = 100 * sum(prices)"));
  });

  it("runs the function that a span lies in alone for `behaviour`, or says why not", async () => {
    const spans = await findSpans({ path: "shop.py", text: shop });
    const named = (end: string) => spans.find((s) => spanText(s).endsWith(end))!;
    const [total, text] = [named("for price in prices)"), named(':.2f}"')];
    const counts = {
      files: 1,
      test_files: 1,
      unreadable_files: 0,
      candidates: 2,
      reached: null,
      drawn: 2,
      without_effect: 0,
    };
    const limits = { wallS: 30, cpuS: 5 };
    const found = { spans: [total, text], counts, baseline: { cpu_s: 1, wall_s: 1 }, limits, fingerprint: "f" };
    const texts = { [total.id]: ["cents = 0", ""], [text.id]: ["return name", "return name"] };
    const rows = Object.entries(texts).flatMap(([task_id, answers]) =>
      answers.flatMap((answer, sample) => [
        { task_id, direction: "forward", sample, text: "Something." },
        { task_id, direction: "backward", sample, text: answer },
      ]),
    );
    const path = join(folder, "recording.jsonl");
    await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const llm = await replayLlm(path);
    const pass = projectPass({ project, found });
    const asked: unknown[] = [];
    const behaviour = projectBehaviour(
      {
        name: "behaviour",
        signature: "ran",
        compare: async (pairs) => {
          asked.push(...pairs);
          return pairs.map(({ candidate }) => (candidate === "" ? 0 : 0.25));
        },
      },
      { found },
      pass.placed,
    );
    const similarities = [openSimilarity("behaviour", { behaviour })];
    const options = { project, found, forward: llm, backward: llm, similarities, out: out(), quiet: true };
    await projectRtc(options, pass);
    const got = await readRows();
    expect(got.map(({ sims }) => sims.behaviour)).toEqual([0.25, 0, null, null]);
    const reference = shop.slice(shop.indexOf("def total"), shop.indexOf("\n\n\nclass")).concat("\n");
    const common = { problemId: total.id, reference, entryPoint: "total" };
    expect(asked).toEqual([
      { ...common, candidate: reference.replace(spanText(total).trim(), "cents = 0") },
      { ...common, candidate: "" },
    ]);
    expect(behaviour.notes?.()).toEqual([
      "behaviour: 1 program without a value: the span is not inside a top-level function",
    ]);
    expect(behaviour.signature).toBe("ran|project:f");
  });

  it("compares similarities with the tests on mutants and rewrites, and times them", async () => {
    const found = await projectSpans({ project, out: out(), spans: 2, quiet: true });
    const llm = mutateLlm(found.spans, 1);
    const pass = projectPass({ project, found });
    const similarities = [pass, openSimilarity("chrf")];
    const { summary, samples } = await projectRtc(
      { project, found, forward: llm, backward: llm, similarities, out: out(), lift: false, quiet: true },
      pass,
    );
    const rate = (kind: string): number => {
      const values = samples.filter(({ description }) => description.startsWith(kind)).map(({ sims }) => sims.pass!);
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    };
    expect(rate("rewrite")).toBeGreaterThan(0.8);
    expect(rate("mutant")).toBeLessThan(0.5);
    expect(Object.keys(summary.project.auc_of_pass)).toEqual(["chrf"]);
    expect(summary.similarities.map(({ sigma }) => sigma)).toEqual([null, null]); // nothing was sampled
    const [first, second] = summary.project.times;
    expect(first).toMatchObject({ name: "pass", pairs: new Set(samples.map((s) => s.task_id + s.candidate)).size });
    expect(first!.median_cpu_s).toBeGreaterThan(second!.median_cpu_s);
  });
});
