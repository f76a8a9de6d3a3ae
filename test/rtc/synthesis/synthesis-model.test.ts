import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Llm } from "../../../src/rtc/llm/llm.ts";
import { openAiLlm } from "../../../src/rtc/llm/openai.ts";
import { replayLlm } from "../../../src/rtc/llm/recording.ts";
import { bundled } from "../../bundled.ts";
import { clip, greet, twice } from "../problems.ts";
import { type Stub, type StubRequest, startStub } from "../stub.ts";
import { runOf } from "./synthesised.ts";

const script = bundled(new URL("killed-run.ts", import.meta.url));

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

const run = (llm: Llm, over: Parameters<typeof runOf>[2] = {}) => runOf(join(folder, "out"), llm, over);

/** Answers what the prompt asks for: a description for code, and code for a description. */
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
    // For each of two problems: one forward request for three samples, three backward ones, one baseline.
    expect(stub.requests).toHaveLength(10);
    expect(summary.models).toEqual({ forward: "m", backward: "m" });
    expect(summary.counts).toMatchObject({ problems: 2, round_trips: 6, baselines: 2, missing: 0 });
    expect(summary.usage?.forward).toEqual({
      requests: 10,
      retries: 0,
      promptTokens: 100,
      completionTokens: 30,
      truncated: 0,
    });
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
    expect(seeds()).toEqual([5, 8, 11]); // three forward samples per run
    expect(stub.requests).toHaveLength(3 * (1 + 3 + 1));
    expect(summary.counts).toMatchObject({ round_trips: 9, baselines: 3, missing: 0 });
  });

  it("goes on after a failed request, and only asks for what is missing the next time", async () => {
    stub = await startStub((request, i) => ([0, 2].includes(i) ? { status: 400, text: "too long" } : answer(request)));
    const llm = openAiLlm({ model: "m", baseUrl: stub.url, concurrency: 1 });
    const { summary } = await run(llm, { lift: false });
    expect(summary.counts).toMatchObject({ round_trips: 3, missing: 3 });
    expect(summary.failed).toEqual([
      { task_id: expect.stringContaining("t/"), direction: "forward", message: expect.stringContaining("too long") },
    ]);
    expect(stub.requests).toHaveLength(6); // the request for three samples and one single request are refused
    expect((await run(llm, { lift: false })).summary.counts.missing).toBe(0);
    expect(stub.requests).toHaveLength(10);
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
    // Before the kill four requests are answered. All others hang.
    stub = await startStub((request, i) => (!killed && i >= 4 ? "hang" : answer(request)));
    const out = join(folder, "out");
    const child = spawn(process.execPath, [script, stub.url, out], { stdio: "inherit" });
    const exited = new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
    const recorded = async (): Promise<string[]> =>
      (await readFile(join(out, "recording.jsonl"), "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
    const rowsBefore = () => stub!.answered.reduce((sum, { body }) => sum + Number(body.n), 0);
    await expect
      .poll(async () => stub!.requests.length > 4 && (await recorded()).length === rowsBefore(), { timeout: 120_000 })
      .toBe(true);
    child.kill("SIGKILL");
    expect(await exited).toBe("SIGKILL");
    killed = true;
    const before = stub.answered.map(key);
    expect(before).toHaveLength(4);
    const { summary } = await run(openAiLlm({ model: "m", baseUrl: stub.url }), { problems: [twice, greet, clip] });
    expect(summary.counts).toMatchObject({ round_trips: 9, baselines: 3, missing: 0 });
    expect(stub.answered).toHaveLength(15); // three problems with 1 + 3 + 1 requests, including the four before the kill
    const texts = (await recorded()).map((line) => JSON.parse(line) as Record<string, unknown>);
    const ids = texts.map(({ task_id, direction, sample }) => `${task_id} ${direction} ${sample}`);
    expect(ids).toHaveLength(21);
    expect(new Set(ids).size).toBe(21);
  });
});
