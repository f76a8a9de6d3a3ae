import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../../src/cli/rtc.ts";
import { editingTask } from "../../../src/rtc/editing/editing.ts";
import { readEdits } from "../../../src/rtc/editing/edits.ts";
import { editingRtc, openAiLlm, openSimilarity, replayLlm } from "../../../src/rtc/index.ts";
import type { Message } from "../../../src/rtc/llm/llm.ts";
import { printed } from "../../cli/printed.ts";
import { type Stub, type StubRequest, startStub } from "../stub.ts";

let folder: string;
let stub: Stub | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "editing-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await stub?.close();
  stub = undefined;
  await rm(folder, { recursive: true });
});

const file = async (name: string, rows: readonly object[]): Promise<string> => {
  await writeFile(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return join(folder, name);
};

/** A row of CodeReviewer's refinement set, one in the authors' own format, and a plain one. */
const go = {
  ids: [1, "a"],
  ghid: 7,
  lang: "go",
  old: " func f() int {\n-\treturn 1\n }",
  new: " func f() int {\n+\treturn 2\n }",
  comment: "should be 2",
};
const ruby = {
  filename: "x",
  code_before_edit: "  a = 1\n  b = 2\n",
  code_after_edit: "  a = 1\n  b = 3\n",
  ground_truth_edit_description: "b is 3",
};
const markdown = { id: 9, old: "- one\n- two", new: "- one\n- three" };

describe("readEdits", () => {
  it("reads both releases and plain rows, and takes off a diff's marks where they are marks", async () => {
    const edits = await readEdits(await file("edits.jsonl", [go, ruby, markdown]));
    expect(edits).toEqual([
      {
        id: "edit/1",
        before: "func f() int {\n\treturn 1\n}",
        after: "func f() int {\n\treturn 2\n}",
        comment: "should be 2",
      },
      { id: "edit/2", before: ruby.code_before_edit, after: ruby.code_after_edit, comment: "b is 3" },
      { id: "9", before: markdown.old, after: markdown.new, comment: null },
    ]);
    expect(await readEdits(join(folder, "edits.jsonl"), 1)).toHaveLength(1);
  });

  it.each<[string, object[], string]>([
    ["lacks a text", [{ old: "a" }], "expected a string field `new` or `code_after_edit`; fields here: old"],
    ["comes twice", [markdown, markdown], "a second edit with the id `9`"],
    ["has an odd id", [{ ...markdown, id: [1] }], "expected `id` to be a string or a number, got object"],
  ])("refuses a row that %s", async (_, rows, message) => {
    await expect(readEdits(await file("bad.jsonl", rows))).rejects.toThrow(message);
  });
});

describe("the task", () => {
  it("shows three worked examples, then old and new code; back, old code and description", async () => {
    const task = await editingTask({ edits: await readEdits(await file("edits.jsonl", [ruby])) });
    const [trip] = task.trips;
    const shape = (turns: readonly Message[]): string => turns.map(({ role }) => role[0]).join("");
    expect(shape(trip!.forward)).toBe("suauauau");
    expect(trip!.forward.at(-1)!.content).toBe(
      "Old code:\n```\n  a = 1\n  b = 2\n\n```\nNew code:\n```\n  a = 1\n  b = 3\n\n```",
    );
    const back = trip!.backward("Set b to 3.");
    expect(shape(back)).toBe("suauauau");
    expect(back.at(-1)!.content).toBe("Old code:\n```\n  a = 1\n  b = 2\n\n```\nEdit: Set b to 3.");
    expect(JSON.stringify(back)).not.toContain("b = 3");
    expect(await trip!.place("Sure:\n```ruby\n  a = 1\n  b = 3\n```\nDone.")).toBe(trip!.reference);
    expect(await trip!.place("a = 1\n  b = 3")).toBe(trip!.reference);
  });

  it("skips edits that change or leave nothing", async () => {
    const rows = [{ old: "a", new: "a\n" }, { old: "a", new: "" }, markdown];
    const { trips, skipped } = await editingTask({ edits: await readEdits(await file("edits.jsonl", rows)) });
    expect(trips.map(({ id }) => id)).toEqual(["9"]);
    expect(skipped.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([
      "edit/1: old and new code are the same",
      "edit/2: there is no new code",
    ]);
  });
});

const said = (request: StubRequest): string => (request.body.messages as Message[]).at(-1)!.content;
const isForward = (request: StubRequest): boolean => said(request).includes("New code:");
const n = (request: StubRequest): number => request.body.n as number;

/** Describes the Go edit well, badly, and by reciting it. Reproduces it only from the first and the last description. */
const react = (request: StubRequest) => {
  const now = said(request);
  if (isForward(request)) {
    return { texts: ["Return 2.", "Improve it.", "func f() int { return 2 }"].slice(0, n(request)) };
  }
  const done = now.includes("Return 2.") || now.includes("return 2 }");
  return { texts: [`\`\`\`go\nfunc f() int {\n\treturn ${done ? 2 : 1}\n}\n\`\`\``] };
};

describe("EditingRTC over HTTP", () => {
  const run = async (over: object = {}) => {
    const llm = openAiLlm({ model: "m", baseUrl: stub!.url, backoffMs: 1 });
    return editingRtc({
      edits: await readEdits(await file("edits.jsonl", [go])),
      forward: llm,
      backward: llm,
      similarities: ["exact", "bleu", "rouge-l"].map((name) => openSimilarity(name)),
      out: join(folder, "out"),
      quiet: true,
      ...over,
    });
  };

  it("samples as section 4.3 says, and gives RTC, baseline, lift and recitals", async () => {
    stub = await startStub(react);
    const { summary, samples } = await run();
    const [forward] = stub.requests.filter(isForward);
    expect(forward!.body).toMatchObject({ n: 3, temperature: 1 });
    const backward = stub.requests.filter((request) => !isForward(request));
    expect(backward.map(({ body }) => [body.n, body.temperature])).toEqual(Array(4).fill([1, 0]));
    expect(backward.filter((request) => said(request).endsWith("Edit: Edit."))).toHaveLength(1);
    const [exact, bleu, rouge] = summary.similarities;
    expect(exact).toMatchObject({ name: "exact", rtc: { value: expect.closeTo(2 / 3) }, baseline: { value: 0 } });
    expect(exact!.lift!.value).toBeCloseTo(2 / 3);
    // One of nine tokens differs ("1" for "2"). ROUGE-L sees 4 of 5 words: func f int return 2.
    expect(rouge!.baseline!.value).toBeCloseTo(0.8);
    expect(bleu!.baseline!.value).toBeGreaterThan(0.5);
    expect(bleu!.baseline!.value).toBeLessThan(1);
    expect(summary.counts).toMatchObject({ problems: 1, round_trips: 3, baselines: 1, recited: 1 });
    expect(summary.task).toBe("editing");
    expect(samples[0]).toMatchObject({
      task_id: "edit/1",
      shown: { old: "func f() int {\n\treturn 1\n}", comment: "should be 2" },
      description: "Return 2.",
      candidate: "func f() int {\n\treturn 2\n}",
      sims: { exact: 1, bleu: 1, "rouge-l": 1 },
      passed: { exact: true },
    });
    expect(samples.map(({ passed }) => passed.exact)).toEqual([true, false, true, false]);
    expect(samples.map(({ recited }) => recited?.recited ?? null)).toEqual([false, false, true, null]);
  });

  it("replays its own recording without a call, byte by byte", async () => {
    stub = await startStub(react);
    const first = await run();
    const bytes = await readFile(first.files.samples, "utf8");
    const calls = stub.requests.length;
    const llm = await replayLlm(join(folder, "out", "recording.jsonl"));
    const again = await run({ forward: llm, backward: llm, out: join(folder, "again") });
    expect(stub.requests).toHaveLength(calls);
    expect(await readFile(again.files.samples, "utf8")).toBe(bytes);
    expect(again.summary.similarities).toEqual(first.summary.similarities);
  });

  it("goes on after a failure, and asks only for what is missing", async () => {
    let down = true;
    stub = await startStub((request) => {
      return down && said(request).endsWith("Edit: Improve it.") ? { status: 400 } : react(request);
    });
    const first = await run();
    expect(first.summary.counts).toMatchObject({ round_trips: 2, missing: 1 });
    expect(first.summary.failed).toHaveLength(1);
    down = false;
    const calls = stub.requests.length;
    const { summary } = await run();
    expect(stub.requests.slice(calls).map(said)).toEqual([expect.stringContaining("Edit: Improve it.")]);
    expect(summary.counts).toMatchObject({ round_trips: 3, missing: 0 });
  });
});

describe("codescore rtc editing", () => {
  it("prints RTC and lift of the paper's three similarities", async () => {
    stub = await startStub(react);
    vi.stubEnv("OPENAI_BASE_URL", stub.url);
    const out = printed();
    const edits = await file("edits.jsonl", [go, { ...go, new: go.old }]);
    const args = ["editing", "--edits", edits, "--forward", "openai:m", "--output", join(folder, "out")];
    await rtcVerb().parseAsync(args, { from: "user" });
    vi.unstubAllEnvs();
    const rows = out.stdout.split("\n").map((line) => line.split(/\s{2,}/));
    expect(rows.slice(1, 4).map(([name]) => name)).toEqual(["exact", "bleu", "rouge-l"]);
    expect(rows[1]!.slice(0, 5)).toEqual(["exact", "0.667", "-", "0.667", "0.667 (1)"]);
    expect(out.stderr).toContain("warning: the code is recited by 1 description");
    expect(out.stderr).toContain("Skipped: 1 edit; `skipped` has the reasons.");
    expect(out.stderr).toContain("model: m; 3 round trips over 1 edit");
    expect(out.stderr).toContain("sampling 1/1 edits");
    expect(process.exitCode).toBeUndefined();
  });
});
