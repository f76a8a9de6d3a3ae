import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../../src/cli/rtc.ts";
import {
  consistencyPrompt,
  type Llm,
  openJudge,
  type PatchflowName,
  patchflows,
  replayLlm,
} from "../../../src/rtc/index.ts";
import { openPatchflow } from "../../../src/rtc/patched/patchflow.ts";
import { rtcReport } from "../../../src/rtc/report/report.ts";
import { printed } from "../../cli/printed.ts";
import { echo, folder, llmOf, queriesOf, run, said, serve, turnsOf, useFolder } from "./patched.ts";

useFolder();

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
    const stub = await serve(echo);
    const { summary, samples } = await run(rows);
    expect(stub.requests).toHaveLength(9);
    expect(stub.requests.every(({ body }) => body.n === 1 && body.temperature === 0.1)).toBe(true);
    expect(samples.map(({ reference, description, candidate }) => [reference, description, candidate])).toEqual([
      ["It is apple", "Say It is apple", "It is apple"],
      ["It is drift", "Say something else", "It is else"],
      ["It is pear", "Say It is pear", "It is pear"],
    ]);
    // The prompt for R1 contains nothing of the first query, but the system's words.
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
    await serve((request) =>
      said(request).includes("<response>")
        ? { texts: ["Print: one two three four five"] }
        : { texts: ["one two three four five"] },
    );
    const { summary } = await run([rows[0]!]);
    expect(summary.counts).toMatchObject({ recited: 1, round_trips: 1 });
    expect(summary.notes).toEqual([]); // nothing about lift, which does not exist here
  });

  it("is told in the words of queries and responses", async () => {
    await serve(echo);
    await run(rows);
    const queries = join(folder, "words.jsonl");
    await writeFile(queries, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const replay = `replay:${join(folder, "out", "recording.jsonl")}`;
    const args = [
      "patched",
      "--queries",
      queries,
      "--forward",
      replay,
      "--sims",
      "exact",
      "--output",
      join(folder, "words"),
    ];
    const out = printed();
    await rtcVerb().parseAsync(args, { from: "user" });
    vi.restoreAllMocks();
    expect(out.stdout.split("\n").map((line) => line.split(/\s{2,}/))[0]).toEqual([
      ...["similarity", "RTC", "95% interval", "share >= threshold"],
    ]);
    expect(out.stderr).toContain("model: m (recorded answers); 3 responses to 3 queries");
    expect(out.stderr).toContain("sampling 3/3 queries");
    expect(out.stderr).not.toMatch(/problem|lift|description/i);
    const html = await rtcReport(join(folder, "words"));
    expect(html).toContain("3 responses to 3 queries. codescore");
    expect(html.split("Samples</h2>")[0]).not.toMatch(/problem|\blift\b|baseline/i);
  });

  it("asks only for what is missing after a failure, and nothing in a replay", async () => {
    let down = true;
    const stub = await serve((request) => (down && said(request).includes("drift") ? { status: 500 } : echo(request)));
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
    const stub = await serve(echo);
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
    const stub = await serve((request) => {
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

  it.each([
    ["1.5", NaN],
    ["-0.5", NaN],
    ["Score: \u22121", NaN],
    ["1/10", NaN],
    ["1%", NaN],
    ["2. No.", NaN],
    ["1.00", 1],
    ["0.8/1.0", 0.8],
    [".25, not 1.5", 0.25],
    ["Similarity-0.5", 0.5],
    ["**1**.", 1],
  ])("reads the grade %j as %d", async (text, expected) => {
    const llm: Llm = { name: "m", complete: async () => [text] };
    const judge = await openJudge({ llm });
    expect(await judge.compare([{ reference: "a", candidate: "b" }])).toEqual([expected]);
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
    const stub = await serve((request) => {
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
    const stub = await serve((request) => ({
      texts: [said(request).includes("<after>") ? "Say b." : "~~~\nb\n```\nc\n```\n~~~"],
    }));
    const after = "b\n```\nc\n```\n";
    const { samples } = await run([{ query: "", before: "a", after }], { patchflow: "generate-docstring" });
    expect(samples[0]).toMatchObject({ reference: after.trim(), candidate: after.trim(), passed: { exact: true } });
    expect(stub.requests).toHaveLength(2);
  });

  it("in: leaves the response as it is, and skips rows without both sides of the patch", async () => {
    await serve((request) => ({
      texts: [said(request).includes("<response>") ? "Review it." : "Fine.\n```\nx\n```"],
    }));
    const rows = [
      { query: "", before: "a", after: "b" },
      { query: "", before: "a" },
    ];
    const { samples, summary } = await run(rows, { patchflow: "pr-review" });
    expect(samples[0]).toMatchObject({ reference: "Fine.\n```\nx\n```", shown: { before: "a", after: "b" } });
    expect(summary.skipped).toEqual([{ task_id: "query/2", reason: "there is no `after` code" }]);
  });

  it("refuses a name that it does not know, and prompts that lack what a model must see", async () => {
    await expect(openPatchflow({ patchflow: "fix" as PatchflowName })).rejects.toThrow("unknown patchflow `fix`");
    await writeFile(join(folder, "patched-query-back.txt"), "[user]\n{{query}}");
    await expect(openPatchflow({ prompts: folder })).rejects.toThrow("{{response}} is missing");
  });
});
