import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../../src/cli/rtc.ts";
import type { Edit } from "../../../src/rtc/editing/edits.ts";
import type { SupervisedRow } from "../../../src/rtc/editing/supervised.ts";
import { editingRtc, openAiLlm, openSimilarity, replayLlm, rtcReport } from "../../../src/rtc/index.ts";
import type { Message } from "../../../src/rtc/llm/llm.ts";
import { runCharts } from "../../../src/rtc/report/charts.ts";
import { modelTables } from "../../../src/rtc/report/model-tables.ts";
import { compareModels } from "../../../src/rtc/report/models.ts";
import { lengthRelations } from "../../../src/rtc/trip/lengths.ts";
import type { SampleRow } from "../../../src/rtc/trip/rows.ts";
import { printed } from "../../cli/printed.ts";
import { type Stub, type StubRequest, startStub } from "../stub.ts";

let folder: string;
let stub: Stub;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "supervised-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
  await stub?.close();
  await rm(folder, { recursive: true });
});

const edits: readonly Edit[] = [
  { id: "one", before: "a = 1", after: "a = 2", comment: "set a to two please" },
  { id: "three", before: "b = 1", after: "b = 3", comment: "b is wrong here now" },
  { id: "mute", before: "c = 1", after: "c = 4", comment: null },
];

const asked = ({ body }: StubRequest): string => (body.messages as Message[]).at(-1)!.content;

/** Greedy descriptions repeat the first comment. Of the comments, only the first helps. Sampled descriptions always help. */
const react = (request: StubRequest) => {
  const text = asked(request);
  if (text.includes("New code:")) {
    const words = request.body.temperature === 0 ? "set a to two please" : "sampled words";
    return { texts: Array.from({ length: request.body.n as number }, () => words) };
  }
  const [, letter] = /([abc]) = 1/.exec(text)!;
  const digit = { a: 2, b: 3, c: 4 }[letter as "a" | "b" | "c"];
  const helps = text.endsWith("sampled words") || text.endsWith("set a to two please");
  return { texts: [`\`\`\`\n${letter} = ${helps ? digit : 1}\n\`\`\``] };
};

const run = (over: object = {}) => {
  const llm = openAiLlm({ model: "m", baseUrl: stub.url, retries: 0 });
  const out = join(folder, "out");
  const similarities = [openSimilarity("exact"), openSimilarity("chrf")];
  return editingRtc({
    ...{ edits, forward: llm, backward: llm, similarities, out, quiet: true, supervised: true },
    ...over,
  });
};

describe("the supervised half of EditingRTC", () => {
  it("compares greedy descriptions with the comments, and makes edits from them", async () => {
    stub = await startStub(react);
    const { summary } = await run({ samples: { forward: { maxTokens: 40 } } });
    const { supervised } = summary;
    expect(supervised).toMatchObject({ edits: 2, missing: 0, failed: [] });
    // One description is the comment itself, and the other shares no word with it.
    expect(supervised!.description_bleu).toMatchObject({ value: 0.5, problems: 2 });
    expect(supervised!.sampled_bleu).toMatchObject({ value: 0, problems: 2 });
    expect(supervised!.from_comment.map(({ name, value }) => [name, value!.value])).toEqual([
      ["exact", 0.5],
      ["chrf", expect.any(Number)],
    ]);
    const greedy = stub.requests.filter((one) => asked(one).includes("New code:") && one.body.temperature === 0);
    expect(greedy.map(({ body }) => [body.n, body.max_tokens])).toEqual([
      [1, 40],
      [1, 40],
    ]);
    const rows = (await readFile(join(folder, "out", "supervised.jsonl"), "utf8")).trim().split("\n");
    expect(rows.map((line) => JSON.parse(line) as SupervisedRow)).toMatchObject([
      { task_id: "one", description_bleu: 1, candidate: "a = 2", sims: { exact: 1 } },
      { task_id: "three", comment: "b is wrong here now", description_bleu: 0, candidate: "b = 1", sims: { exact: 0 } },
    ]);
    expect(JSON.parse(await readFile(join(folder, "out", "summary.json"), "utf8"))).toEqual(summary);
  });

  it("asks nothing twice, and replays its recording", async () => {
    stub = await startStub(react);
    const { summary } = await run();
    const calls = stub.requests.length;
    await run();
    const llm = await replayLlm(join(folder, "out", "recording.jsonl"));
    const again = await run({ forward: llm, backward: llm, out: join(folder, "again") });
    expect(stub.requests).toHaveLength(calls);
    expect(again.summary.supervised).toEqual(summary.supervised);
  });

  it("counts what is missing, and has no mean of nothing", async () => {
    stub = await startStub((request) =>
      asked(request).endsWith("please") || asked(request).endsWith("now") ? { status: 400 } : react(request),
    );
    const { supervised } = (await run()).summary;
    expect(supervised).toMatchObject({ edits: 2, missing: 2, from_comment: [{ value: null }, { value: null }] });
    expect(supervised!.failed.map(({ task_id, direction }) => [task_id, direction])).toEqual([
      ["one", "comment"],
      ["three", "comment"],
    ]);
  });

  it("stands in the paper's Table 3 beside other models, and in the report", async () => {
    stub = await startStub(react);
    const { summary, samples } = await run();
    const without = (await run({ supervised: false, out: join(folder, "without") })).summary;
    const runs = [
      { name: "a", summary },
      { name: "b", summary: without },
    ];
    const [table] = modelTables(compareModels(runs, new Map()));
    const value = (value: number | null) => expect.objectContaining({ value });
    expect(table!.table.columns.map(({ label }) => label)).toEqual(["", "a", "b"]);
    expect(table!.table.rows.filter(([name]) => !String(name).endsWith("chrf"))).toEqual([
      ["RTC exact", value(1), value(1)],
      ["lift exact", value(1), value(1)],
      ["edit to text: bleu-13a", value(0.5), value(null)],
      ["text to edit: exact", value(0.5), value(null)],
    ]);
    expect(runCharts(summary, samples).map(({ name }) => name)).toEqual(["rtc", "lengths-exact", "lengths-chrf"]);
    const page = await rtcReport(join(folder, "out"));
    expect(page).toContain("Against the comments that people wrote");
    expect(page).toContain("Length and RTC by exact");
  });

  it("is printed by the command, which says what is missing", async () => {
    stub = await startStub((request) => (asked(request).endsWith("now") ? { status: 400 } : react(request)));
    vi.stubEnv("OPENAI_BASE_URL", stub.url);
    const path = join(folder, "edits.jsonl");
    const rows = edits.map(({ id, before, after, comment }) => ({ id, old: before, new: after, comment }));
    await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const out = printed();
    const more = ["--forward", "openai:m", "--output", join(folder, "out"), "--sims", "exact", "--supervised"];
    await rtcVerb().parseAsync(["editing", "--edits", path, ...more], { from: "user" });
    expect(out.stdout).toMatch(/edit to text: BLEU of the greedy description +2 +0\.500/);
    expect(out.stdout).toMatch(/text to edit: exact from the comment +1 +1\.000/);
    expect(out.stdout).toMatch(/exact +3 +5\.0 +0 +- +-/);
    expect(out.stderr).toContain("warning: the supervised half lacks 1 answer");
    expect(process.exitCode).toBe(1);
  });
});

describe("length and what comes back", () => {
  it("is the mean of characters above and at 0, and r_s", () => {
    const row = (task_id: string, reference: string, value: number | null): SampleRow =>
      ({ task_id, reference, forward: 0, sims: { exact: value } }) as unknown as SampleRow;
    const rows = [
      row("a", "12", 1),
      row("b", "1234", 1),
      row("c", "123456", 0),
      row("d", "🦊".repeat(8), 0),
      row("e", "1", null),
    ];
    expect(lengthRelations(rows, ["exact"])).toEqual([
      {
        ...{ sim: "exact", above: 2, above_characters: 3, zero: 2, zero_characters: 7 },
        spearman: expect.closeTo(-4 / Math.sqrt(20)), // ranks 1 2 3 4 and 3.5 3.5 1.5 1.5
      },
    ]);
    expect(lengthRelations(rows.slice(0, 1), ["exact"])[0]).toMatchObject({ zero_characters: null, spearman: null });
  });
});
