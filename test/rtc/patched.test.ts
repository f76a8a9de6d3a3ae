import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../src/cli/rtc.ts";
import {
  consistencyPrompt,
  type Llm,
  type Message,
  openAiLlm,
  openJudge,
  openSimilarity,
  type PatchedOptions,
  type PatchflowName,
  patchedRtc,
  patchedVerdict,
  patchflows,
  readQueries,
  replayLlm,
} from "../../src/rtc/index.ts";
import { openPatchflow } from "../../src/rtc/patchflow.ts";
import { type Reaction, type Stub, type StubRequest, startStub } from "./stub.ts";

let folder: string;
let stub: Stub | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patched-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
  await stub?.close();
  stub = undefined;
  await rm(folder, { recursive: true });
});

const file = async (name: string, rows: readonly object[]): Promise<string> => {
  await writeFile(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return join(folder, name);
};
const queriesOf = async (rows: readonly object[]) => readQueries(await file("queries.jsonl", rows));
const turnsOf = ({ body }: StubRequest): Message[] => body.messages as Message[];
const said = (request: StubRequest): string => turnsOf(request).at(-1)!.content;
const llmOf = (): Llm => openAiLlm({ model: "m", baseUrl: stub!.url, backoffMs: 1, retries: 0 });

const run = async (rows: readonly object[], over: Partial<PatchedOptions> & object = {}) => {
  const llm = llmOf();
  return patchedRtc({
    queries: await queriesOf(rows),
    forward: llm,
    backward: llm,
    similarities: [openSimilarity("exact"), openSimilarity("rouge-l")],
    out: join(folder, "out"),
    quiet: true,
    ...over,
  });
};

/** Answers a query with its last word, and makes of each answer a query that ends with it, but for "drift". */
const echo = (request: StubRequest): Reaction => {
  const text = said(request);
  const response = /<response>\n([\s\S]*?)\n<\/response>/.exec(text)?.[1];
  if (response !== undefined) return { texts: [response.endsWith("drift") ? "Say something else" : `Say ${response}`] };
  return { texts: [`It is ${text.trim().split(/\s+/).at(-1)}`] };
};

describe("readQueries", () => {
  it("reads texts, conversations and both Arena-Hard formats", async () => {
    const turns = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
      { role: "user", content: "c" },
    ];
    const queries = await queriesOf([
      { query: "one", before: "x", file: "app.py" },
      { messages: turns, response: "r" },
      { question_id: "q3", turns: [{ content: "three" }] },
      { uid: 4, prompt: "four" },
    ]);
    expect(queries.map(({ id, messages }) => `${id} ${messages.map(({ content }) => content).join("/")}`)).toEqual([
      "query/1 one",
      "query/2 Be brief./a/b/c",
      "q3 three",
      "4 four",
    ]);
    expect(queries[0]).toMatchObject({ before: "x", after: null, response: null, file: "app.py" });
    expect(queries[1]!.response).toBe("r");
  });

  it.each<[string, object[], string]>([
    [
      "two of one id",
      [
        { id: 1, query: "a" },
        { id: 1, query: "b" },
      ],
      "a second query with the id `1`",
    ],
    ["a path", [{ query: "a", file: "../a.py" }], "expected `file` to be a bare name such as app.py, got `../a.py`"],
    ["dots", [{ query: "a", file: ".." }], "expected `file` to be a bare name"],
    ["an assistant's turn at the end", [{ messages: [{ role: "assistant", content: "a" }] }], "the last of the user"],
  ])("refuses %s", async (_, rows, message) => {
    await expect(queriesOf(rows)).rejects.toThrow(message);
  });
});

describe("Patched RTC of generic queries over HTTP", () => {
  const rows = [
    { id: "a", query: "name it apple" },
    { id: "b", query: "name it drift" },
    {
      id: "c",
      messages: [
        { role: "system", content: "Be kind." },
        { role: "user", content: "name it pear" },
      ],
    },
  ];

  it("goes Q -> R -> Q1 -> R1, and passes what comes about again", async () => {
    stub = await startStub(echo);
    const { summary, samples } = await run(rows);
    expect(stub.requests).toHaveLength(9);
    expect(stub.requests.every(({ body }) => body.n === 1 && body.temperature === 0.1)).toBe(true);
    expect(samples.map(({ reference, description, candidate }) => [reference, description, candidate])).toEqual([
      ["It is apple", "Say It is apple", "It is apple"],
      ["It is drift", "Say something else", "It is else"],
      ["It is pear", "Say It is pear", "It is pear"],
    ]);
    // The first query is nowhere in what R1 is asked with, the system's words are.
    const last = stub.requests.filter((request) => said(request).startsWith("Say It is pear")).map(turnsOf);
    expect(last).toEqual([[rows[2]!.messages![0], { role: "user", content: "Say It is pear" }]]);
    // ROUGE-L of "it is drift" and "it is else": 2 of 3 words.
    const [exact, rouge] = summary.similarities;
    expect(exact).toMatchObject({ rtc: { value: expect.closeTo(2 / 3), problems: 3 }, threshold: 1 });
    expect(rouge).toMatchObject({ rtc: { value: expect.closeTo((2 + 2 / 3) / 3) }, threshold: 0.95 });
    expect(rouge!.share_above!.value).toBeCloseTo(2 / 3);
    expect(samples[1]).toMatchObject({
      shown: { query: "name it drift" },
      sims: { exact: 0, "rouge-l": expect.closeTo(2 / 3) },
      passed: { exact: false, "rouge-l": false },
    });
    expect(summary).toMatchObject({ task: "patched", patchflow: "generic", oracle: null, consistency: false });
    expect(JSON.parse(await readFile(join(folder, "out", "summary.json"), "utf8"))).toEqual(summary);
  });

  it("notices a query that hands the response through", async () => {
    stub = await startStub((request) =>
      said(request).includes("<response>")
        ? { texts: ["Print: one two three four five"] }
        : { texts: ["one two three four five"] },
    );
    const { summary } = await run([rows[0]!]);
    expect(summary.counts).toMatchObject({ recited: 1, round_trips: 1 });
  });

  it("asks only for what is missing after a failure, and nothing in a replay", async () => {
    let down = true;
    stub = await startStub((request) => (down && said(request).includes("drift") ? { status: 500 } : echo(request)));
    const first = await run(rows);
    expect(first.summary.counts).toMatchObject({ round_trips: 2, missing: 1 });
    expect(first.summary.failed).toEqual([
      { task_id: "b", direction: "response", message: expect.stringContaining("HTTP 500") },
    ]);
    down = false;
    const calls = stub.requests.length;
    const second = await run(rows);
    expect(stub.requests.slice(calls)).toHaveLength(3);
    expect(second.summary.counts).toMatchObject({ round_trips: 3, missing: 0 });
    const llm = await replayLlm(join(folder, "out", "recording.jsonl"));
    const again = await run(rows, { forward: llm, backward: llm, out: join(folder, "again") } as object);
    expect(stub.requests).toHaveLength(calls + 3);
    expect(again.samples).toEqual(second.samples);
  });

  it("takes a response that is there, and puts the consistency prompt before every request", async () => {
    stub = await startStub(echo);
    const { samples } = await run([{ id: "a", query: "name it apple", response: "It is plum" }, rows[2]!], {
      consistency: true,
    });
    expect(samples.map(({ reference }) => reference)).toEqual(["It is plum", "It is pear"]);
    expect(stub.requests).toHaveLength(5);
    const systems = stub.requests.map((request) => turnsOf(request)[0]);
    expect(systems.every((turn) => turn!.role === "system" && turn!.content.startsWith(consistencyPrompt))).toBe(true);
    expect(systems.filter((turn) => turn!.content === `${consistencyPrompt}\nBe kind.`)).toHaveLength(2);
  });

  it("lets a model judge, writes its words down, and leaves out what is no number", async () => {
    stub = await startStub((request) => {
      const first = /<first>\n([\s\S]*?)\n<\/first>/.exec(said(request))?.[1];
      if (first === undefined) return echo(request);
      return { texts: [first.endsWith("apple") ? "Score: 0.96." : first.endsWith("drift") ? "0.2" : "8/10"] };
    });
    const judge = async (llm: Llm) => openJudge({ llm, cache: join(folder, "out", "recording.jsonl") });
    const { summary, samples } = await run(rows, { similarities: [await judge(llmOf())] } as object);
    expect(samples.map(({ sims }) => sims.judge)).toEqual([0.96, 0.2, null]);
    expect(samples.map(({ passed }) => passed.judge)).toEqual([true, false, null]);
    expect(summary.similarities[0]!.unscored).toEqual({ count: 1, reason: "judge gave no value" });
    const calls = stub.requests.length;
    const llm = await replayLlm(join(folder, "out", "recording.jsonl"));
    const over = { forward: llm, backward: llm, out: join(folder, "again"), similarities: [await judge(llm)] };
    expect((await run(rows, over as object)).samples.map(({ sims }) => sims.judge)).toEqual([0.96, 0.2, null]);
    expect(stub.requests).toHaveLength(calls);
  });
});

describe("patchflows", () => {
  it.each(Object.entries(patchflows))("%s (%s) has prompts that a query fits in", async (patchflow, shape) => {
    const flow = await openPatchflow({ patchflow: patchflow as PatchflowName });
    const [query] = await queriesOf([{ query: "QUERY", before: "BEFORE", after: "AFTER", response: "RESPONSE" }]);
    const trip = flow.trip(query!);
    if (typeof trip === "string" || "ask" in trip) throw new Error("expected a closed trip");
    const forward = trip.forward.at(-1)!.content;
    const backward = trip.backward("ALTERNATE").at(-1)!.content;
    expect(forward).toContain("QUERY");
    expect(forward).toContain("RESPONSE");
    expect(backward).toContain("ALTERNATE");
    expect(backward).not.toMatch(/QUERY|RESPONSE/);
    expect([forward, backward].map((text) => text.includes("BEFORE"))).toEqual(Array(2).fill(shape !== "query"));
    expect([forward, backward].map((text) => text.includes("AFTER"))).toEqual(Array(2).fill(shape === "in"));
  });

  it("out: takes code out of both answers and compares exactly, the code before in every request", async () => {
    stub = await startStub((request) => {
      if (said(request).includes("<after>")) return { texts: ["Escape the input."] };
      const again = said(request).includes("Escape the input.");
      return { texts: [`${again ? "Here:" : "Fixed."}\n\`\`\`js\nout(escape(x))\n\`\`\``] };
    });
    const { summary, samples } = await run([{ query: "XSS in line 1", before: "out(x)" }], { patchflow: "autofix" });
    expect(samples[0]).toMatchObject({
      reference: "out(escape(x))",
      candidate: "out(escape(x))",
      passed: { exact: true },
    });
    expect(summary.similarities[1]!.threshold).toBe(0.8);
    expect(stub.requests).toHaveLength(3);
    expect(stub.requests.every((request) => said(request).includes("out(x)"))).toBe(true);
    expect(turnsOf(stub.requests[2]!)[0]).toMatchObject({ role: "system" });
    expect(said(stub.requests[2]!)).not.toContain("XSS");
  });

  it("out: takes code after the patch as it is, fences and all, and asks only for the way back", async () => {
    stub = await startStub((request) => ({
      texts: [said(request).includes("<after>") ? "Say b." : "~~~\nb\n```\nc\n```\n~~~"],
    }));
    const after = "b\n```\nc\n```\n";
    const { samples } = await run([{ query: "", before: "a", after }], { patchflow: "generate-docstring" });
    expect(samples[0]).toMatchObject({ reference: after.trim(), candidate: after.trim(), passed: { exact: true } });
    expect(stub.requests).toHaveLength(2);
  });

  it("in: leaves the response as it is, and skips rows without both sides of the patch", async () => {
    stub = await startStub((request) => ({
      texts: [said(request).includes("<response>") ? "Review it." : "Fine.\n```\nx\n```"],
    }));
    const rows = [
      { query: "", before: "a", after: "b" },
      { query: "", before: "a" },
    ];
    const { samples, summary } = await run(rows, { patchflow: "pr-review" });
    expect(samples[0]).toMatchObject({ reference: "Fine.\n```\nx\n```", shown: { before: "a", after: "b" } });
    expect(summary.skipped).toEqual([{ task_id: "query/2", reason: "there is no code `after`" }]);
  });

  it("refuses a name that it does not know, and prompts that lack what a model must see", async () => {
    await expect(openPatchflow({ patchflow: "fix" as PatchflowName })).rejects.toThrow("no patchflow is called `fix`");
    await writeFile(join(folder, "patched-query-back.txt"), "[user]\n{{query}}");
    await expect(openPatchflow({ prompts: folder })).rejects.toThrow("{{response}} is missing");
  });
});

describe("an oracle", () => {
  /** Four fixes; the model brings about again those of a and b only. Fixed are a, c; d had nothing to mend. */
  const rows = ["a", "b", "c", "d"].map((id) => ({
    id,
    query: `fix ${id}`,
    before: id === "d" ? "safe()" : "eval(x)",
    file: "app.js",
  }));
  const react = (request: StubRequest): Reaction => {
    const text = said(request);
    const fix = (id: string) => ({ texts: [`\`\`\`\n${id === "a" || id === "c" ? "safe" : "eval"}(${id})\n\`\`\``] });
    const id = /fix (\w)/.exec(text)?.[1] ?? "";
    if (text.includes("<after>")) return { texts: [`again ${id}`] };
    const again = /again (\w)/.exec(text)?.[1];
    if (again === undefined) return fix(id);
    return again === "a" || again === "b" ? fix(again) : { texts: ["```\nother\n```"] };
  };
  const script = async (name: string, source: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, source);
    await chmod(path, 0o755);
    return path;
  };
  /** Fails on code with eval in it, and notes what it looked at. */
  const analyser = () =>
    script(
      "scan.mjs",
      `import { appendFileSync, readFileSync } from "node:fs";
appendFileSync(${JSON.stringify(join(folder, "log"))}, process.argv.slice(2).join(" ") + "\\n");
process.exit(readFileSync(process.argv[2], "utf8").includes("eval") ? 1 : 0);`,
    );

  it("splits its rate by the verdict of the round trip, leaves out what passed before, and runs nothing twice", async () => {
    stub = await startStub(react);
    const command = `"${process.execPath}" "${await analyser()}" {code} 'two words'`;
    const { summary } = await run(rows, { patchflow: "out", oracle: { command } });
    expect(summary.oracle).toMatchObject({
      judged: 4,
      nothing_to_mend: 1,
      timeouts: 0,
      rate: { value: expect.closeTo(2 / 3), problems: 3 },
    });
    const [exact] = summary.oracle!.splits;
    expect(exact).toMatchObject({
      sim: "exact",
      threshold: 1,
      passed: { value: 0.5, problems: 2 },
      failed: { value: 1, problems: 1 },
      difference: { value: -0.5, problems: 3 },
    });
    const log = async (): Promise<string[]> => (await readFile(join(folder, "log"), "utf8")).trim().split("\n");
    // Four answers, and two kinds of code before.
    expect(await log()).toHaveLength(6);
    expect((await log()).every((line) => /\/app\.js two words$/.test(line))).toBe(true);
    const again = await run(rows, { patchflow: "out", oracle: { command } });
    expect(await log()).toHaveLength(6);
    expect(again.summary.oracle).toEqual(summary.oracle);
  });

  it("counts what takes too long as not passed, and ends what it started", async () => {
    stub = await startStub(react);
    const beat = join(folder, "beat");
    const slow = await script("slow.sh", `(while :; do printf x >> "${beat}"; sleep 0.05; done) &\nsleep 60\n`);
    const oracle = { command: `sh "${slow}" {code}`, timeoutMs: 700 };
    const { summary } = await run([rows[0]!], { patchflow: "out", oracle });
    expect(summary.oracle).toMatchObject({ judged: 1, timeouts: 1, rate: { value: 0 } });
    const beats = async (): Promise<number> => (await readFile(beat)).length;
    const then = await beats();
    expect(then).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await beats()).toBe(then);
  });

  it.each<[string, string]>([
    ["no-such-program {code}", "cannot start no-such-program"],
    ["check {before}", "{code} is not in check {before}"],
    ["check {source}", "expected places for files out of {code}, {before}, {query} in the command, got {source}"],
    ["check", "got none: check"],
    ['check "{code}', "a quote without its end"],
    ["", "expected a command, got nothing"],
  ])("refuses the command `%s`", async (command, message) => {
    stub = await startStub(react);
    await expect(run([rows[0]!], { patchflow: "out", oracle: { command } })).rejects.toThrow(message);
  });
});

describe("patchedVerdict", () => {
  const messages: Message[] = [
    { role: "system", content: "Be kind." },
    { role: "user", content: "a pear?" },
    { role: "assistant", content: "yes" },
    { role: "user", content: "name it pear" },
  ];

  it("gives the response, the round and the score of one request", async () => {
    stub = await startStub(echo);
    const options = { llm: llmOf(), similarity: openSimilarity("rouge-l"), temperature: 0.7, maxTokens: 50 };
    const verdict = await patchedVerdict({ messages }, options);
    expect(verdict).toMatchObject({
      response: "It is pear",
      query: "Say It is pear",
      second: "It is pear",
      score: 1,
      threshold: 0.8,
      passed: true,
    });
    expect(turnsOf(stub.requests[0]!)).toEqual(messages);
    expect(stub.requests[0]!.body).toMatchObject({ temperature: 0.7, max_tokens: 50 });
    expect(said(stub.requests[1]!)).toContain("[user]\na pear?\n\n[assistant]\nyes\n\n[user]\nname it pear");
    expect(turnsOf(stub.requests[2]!)).toEqual([messages[0], { role: "user", content: "Say It is pear" }]);
  });

  it("starts from a response that is there, and fails what does not come about again", async () => {
    stub = await startStub(echo);
    const similarity = openSimilarity("exact");
    const verdict = await patchedVerdict({ messages, response: "It is drift" }, { llm: llmOf(), similarity });
    expect(verdict).toMatchObject({
      response: "It is drift",
      second: "It is else",
      score: 0,
      threshold: 1,
      passed: false,
    });
    expect(stub.requests).toHaveLength(2);
  });

  it("throws for what cannot go around, and when it is given up", async () => {
    stub = await startStub(() => "hang");
    const options = { llm: llmOf(), similarity: openSimilarity("exact") };
    await expect(patchedVerdict({ messages: messages.slice(0, 3) }, options)).rejects.toThrow("the user's turn");
    await expect(patchedVerdict({ messages }, { ...options, threshold: 0 })).rejects.toThrow("in (0, 1], got 0");
    const signal = AbortSignal.timeout(50);
    await expect(patchedVerdict({ messages }, { ...options, signal })).rejects.toThrow();
  });
});

describe("codescore rtc patched", () => {
  it("prints the rates of passing and the oracle's split", async () => {
    stub = await startStub(echo);
    vi.stubEnv("OPENAI_BASE_URL", stub.url);
    const out = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      vi.spyOn(process[name], "write").mockImplementation((text) => {
        out[name] += text;
        return true;
      });
    }
    const queries = await file("queries.jsonl", [{ query: "name it apple" }, { query: "name it drift" }]);
    const args = ["--queries", queries, "--forward", "openai:m", "--sims", "exact", "--output", join(folder, "out")];
    await rtcVerb().parseAsync(["patched", ...args, "--judge", "openai:m", "--oracle", "grep -q apple {code}"], {
      from: "user",
    });
    const rows = out.stdout.split("\n").map((line) => line.split(/\s{2,}/));
    expect(rows[1]!.slice(0, 5)).toEqual(["exact", "0.500", "0.000 to 1.000", "-", "0.500 (1)"]);
    expect(rows.find(([name]) => name === "all")!.slice(1, 3)).toEqual(["2", "0.500"]);
    expect(rows.find(([name]) => name === "exact >= 1")!.slice(1, 3)).toEqual(["1", "1.000"]);
    expect(rows.find(([name]) => name === "exact < 1")!.slice(1, 3)).toEqual(["1", "0.000"]);
    // The stub does not judge: no value for either answer.
    expect(out.stderr).toContain("judge gave no value for 2 programs");
    expect(process.exitCode).toBe(1);
  });
});
