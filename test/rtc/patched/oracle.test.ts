import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../../src/cli/rtc.ts";
import { summaryTables } from "../../../src/rtc/report/tables.ts";
import { printed } from "../../cli/printed.ts";
import type { Reaction, StubRequest } from "../stub.ts";
import { echo, file, folder, run, said, serve, useFolder } from "./patched.ts";

useFolder();

describe("an oracle", () => {
  /** Four fixes. The model reproduces only those of a and b. Fixed are a and c; d had nothing to fix. */
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
  /** Fails on code that contains eval, and logs what it checked. */
  const analyser = () => script("scan.sh", `echo "$*" >> "${join(folder, "log")}"\n! grep -q eval "$1"\n`);

  it("splits its rate by the result of the round trip, leaves out what passed before, and runs nothing twice", async () => {
    await serve(react);
    const command = `sh "${await analyser()}" {code} 'two words'`;
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
    // Four answers, and two different texts before.
    expect(await log()).toHaveLength(6);
    expect((await log()).every((line) => /\/app\.js two words$/.test(line))).toBe(true);
    const again = await run(rows, { patchflow: "out", oracle: { command } });
    expect(await log()).toHaveLength(6);
    expect(again.summary.oracle).toEqual(summary.oracle);
  });

  it("judges the response of every repeated run, and takes those of one query together", async () => {
    let responses = 0;
    // The responses to b are fixed, and every other one to a. Only responses that are not fixed are reproduced.
    const stub = await serve((request) => {
      const text = said(request);
      if (text.includes("<after>")) return { texts: [text.includes("safe(") ? "again other" : "again eval"] };
      const again = /again (\w+)/.exec(text)?.[1];
      if (again !== undefined) return { texts: [`\`\`\`\n${again}(a)\n\`\`\``] };
      const safe = text.includes("fix b") || responses++ % 2 === 0;
      return { texts: [`\`\`\`\n${safe ? "safe" : "eval"}(a)\n\`\`\``] };
    });
    const command = `sh "${await analyser()}" {code}`;
    const { summary, samples } = await run(rows.slice(0, 2), { patchflow: "out", oracle: { command }, repeats: 2 });
    expect(samples.map(({ task_id, repeat }) => `${task_id}${repeat}`)).toEqual(["a0", "a1", "b0", "b1"]);
    expect(summary.repeats).toBe(2);
    expect(summary.oracle).toMatchObject({ judged: 4, rate: { value: 0.75, problems: 2 } });
    // One response to a passes the round trip and fails the analyser. For the other three it is the opposite.
    const [exact] = summary.oracle!.splits;
    expect(exact).toMatchObject({ passed: { value: 0, problems: 1 }, failed: { value: 1, problems: 2 } });
    expect(exact!.difference!.value).toBe(-1);
    expect(summary.similarities[0]!.sigma).toMatchObject({
      of: "repeats",
      count: 2,
      value: expect.closeTo(Math.SQRT1_2 / 2),
    });
    const asked = stub.requests.length;
    await run(rows.slice(0, 2), { patchflow: "out", oracle: { command }, repeats: 3 });
    expect(stub.requests.length - asked).toBe(asked / 2);
  });

  it("counts what takes too long as not passed, and ends what it started", async () => {
    await serve(react);
    const beat = join(folder, "beat");
    const slow = await script("slow.sh", `(while :; do printf x >> "${beat}"; sleep 0.05; done) &\nsleep 60\n`);
    const oracle = { command: `sh "${slow}" {code}`, timeoutMs: 3000 };
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
    ["check {before}", "the oracle command must contain {code}, the file with the response; got: check {before}"],
    ["check {source}", "expected one or more of {code}, {before}, {query} in the command, got {source}"],
    ["check", "got none: check"],
    ['check "{code}', "an unclosed quote"],
    ["", "expected a command, got nothing"],
  ])("refuses the command `%s`", async (command, message) => {
    await serve(react);
    await expect(run([rows[0]!], { patchflow: "out", oracle: { command } })).rejects.toThrow(message);
  });
});

describe("a damaged oracle.jsonl", () => {
  it("is named, and is not locked afterwards", async () => {
    await serve(echo);
    const queries = [{ id: "a", query: "name it apple" }];
    const options = { oracle: { command: "grep -q apple {code}" } };
    await run(queries);
    await writeFile(join(folder, "out", "oracle.jsonl"), "{}\n");
    await expect(run(queries, options)).rejects.toThrow("oracle.jsonl:1: expected a run of an oracle; delete the file");
    await writeFile(join(folder, "out", "oracle.jsonl"), "");
    expect((await run(queries, options)).summary.oracle).toMatchObject({ judged: 1 });
  });
});

describe("codescore rtc patched", () => {
  it("prints the rates of passing and the oracle's split", async () => {
    const stub = await serve(echo);
    vi.stubEnv("OPENAI_BASE_URL", stub.url);
    const out = printed();
    const queries = await file("queries.jsonl", [{ query: "name it apple" }, { query: "name it drift" }]);
    const args = ["--queries", queries, "--forward", "openai:m", "--sims", "exact", "--output", join(folder, "out")];
    await rtcVerb().parseAsync(["patched", ...args, "--judge", "openai:m", "--oracle", "grep -q apple {code}"], {
      from: "user",
    });
    const rows = out.stdout.split("\n").map((line) => line.split(/\s{2,}/));
    expect(rows[1]!.slice(0, 4)).toEqual(["exact", "0.500", "0.000 to 1.000", "0.500 (1)"]);
    expect(rows.find(([name]) => name === "all responses")!.slice(1, 3)).toEqual(["2", "0.500"]);
    expect(rows.find(([name]) => name === "responses with exact >= 1")!.slice(1, 3)).toEqual(["1", "1.000"]);
    expect(rows.find(([name]) => name === "responses with exact < 1")!.slice(1, 3)).toEqual(["1", "0.000"]);
    const page = summaryTables(JSON.parse(await readFile(join(folder, "out", "summary.json"), "utf8")));
    for (const [name] of page.find((table) => table.name === "oracle")!.table.rows)
      expect(out.stdout).toContain(`${name} `);
    // The stub does not judge, so neither answer has a value.
    expect(out.stderr).toContain("judge gave no value for 2 responses");
    expect(process.exitCode).toBe(1);

    await rtcVerb().parseAsync(["patched", ...args, "--repeats", "2"], { from: "user" });
    const summary = JSON.parse(await readFile(join(folder, "out", "summary.json"), "utf8"));
    expect(summary).toMatchObject({ repeats: 2, counts: { problems: 2, round_trips: 4 } });
    expect(summary.similarities[0].sigma).toEqual({ value: 0, of: "repeats", count: 2 });
  });
});
