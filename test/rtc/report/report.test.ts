/** The content of the report of round trips. page.test.ts tests the page in a browser. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseHTML } from "linkedom";
import { describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../../src/cli/rtc.ts";
import { editingRtc } from "../../../src/rtc/editing/editing.ts";
import { patchedRtc } from "../../../src/rtc/patched/patched.ts";
import type { ReportItems } from "../../../src/rtc/report/items.ts";
import { rtcReport } from "../../../src/rtc/report/report.ts";
import { synthesisRtc } from "../../../src/rtc/synthesis/synthesis.ts";
import { openSimilarity } from "../../../src/rtc/trip/similarity.ts";
import { twice } from "../problems.ts";
import { dataOf, folder, record, type Said, shown, synthesised, useFolder } from "./report.ts";

useFolder();

describe("the report of a run", () => {
  it("says in its title whose answers a recording has, as far as that is known", async () => {
    const titleOf = async (task: string): Promise<string | null> => parseHTML(await rtcReport(task)).document.title;
    const run = await synthesised("titled");
    expect(await titleOf(run)).toBe("Round-trip correctness: synthesis by an unnamed model (recorded answers)");
    const path = join(run, "summary.json");
    const summary = JSON.parse(await readFile(path, "utf8")) as { models: object };
    const models = { forward: "recorded (big)", backward: "recorded (small)" };
    await writeFile(path, JSON.stringify({ ...summary, models }));
    expect(await titleOf(run)).toBe(
      "Round-trip correctness: synthesis by big (recorded answers), back by small (recorded answers)",
    );
  });

  it("holds the tables, and each item as the paper's Figure 3 shows it", async () => {
    const html = await rtcReport(await synthesised("synthesis"), "Mine");
    const { document } = parseHTML(html);
    expect(document.querySelector("h1")?.textContent).toBe("Mine");
    const cells = [...document.querySelectorAll("table")[0]!.querySelectorAll("thead th")].map((th) => th.textContent);
    expect(cells).toEqual(["similarity", "RTC", "sigma", "lift", "baseline", "share >= threshold", "threshold"]);
    const notes = [...document.querySelectorAll("div.muted code")].map((one) => one.textContent);
    expect(notes).toContain("threshold");
    const { sims, texts, items } = dataOf(html);
    expect(sims).toEqual(["exact", `learned ${shown}`, "chrf"]);
    expect(items.map(({ id }) => id)).toEqual(["t/twice", "t/greet"]);
    const [item] = items;
    const [part] = item!.parts;
    expect([part!.above, part!.text].map((place) => texts[place!])).toEqual(["def twice(x):", "    return 2 * x"]);
    expect(item!.trips.map(({ title }) => title)).toEqual([
      "Forward sample 1",
      "Forward sample 2",
      "Forward sample 3",
      "Baseline",
    ]);
    const [good, adds, none, baseline] = item!.trips;
    expect(texts[good!.description]).toBe("Doubles the argument.");
    expect(good!.candidates[0]).toMatchObject({ values: [1, 1, 1], yes: [true, true, null] });
    expect(texts[good!.candidates[0]!.answer!]).toBe("```python\nreturn 2 * x\n```");
    expect(adds).toMatchObject({ recited: { run: 4 }, cut: true });
    expect(adds!.candidates[0]).toMatchObject({ values: [0, 0.9, expect.any(Number)], yes: [false, true, null] });
    expect(adds!.candidates[0]!.answer).toBeUndefined(); // it is contained in the program
    expect(texts[none!.candidates[0]!.code]).toBe("");
    expect(texts[baseline!.description]).toBe("Implement.");
    // Means over the reproduced programs: exact 1, 0, 0; learned 1, .9, 0.
    expect(item!.means.slice(0, 2)).toEqual([0.3333, 0.6333]);
  });

  it("ranks the disagreement of similarities of any scale", async () => {
    const { items } = dataOf(await rtcReport(await synthesised("spread", [twice])));
    // Ranks of the three candidates as shares: exact 1, .5, .5; learned 1, 2/3, 1/3; chrF 1, 2/3, 1/3.
    expect(items[0]!.spread).toBe(0.1667);
  });

  it("names the runs that were repeated", async () => {
    const options = await record("repeats", [
      ...[0, 1].flatMap((sample): Said[] => [
        ["t/twice", "forward", sample, `Doubles ${sample}.`],
        ["t/twice", "backward", sample, sample === 0 ? "return 2 * x" : "return x"],
        ["t/twice", "baseline", sample, "return x"],
      ]),
    ]);
    const samples = { forward: { samples: 1 } };
    await synthesisRtc({ ...options, problems: [twice], similarities: [openSimilarity("exact")], samples, repeats: 2 });
    const html = await rtcReport(options.out);
    expect(html).toContain("standard deviation of RTC over 2 whole runs");
    expect(dataOf(html).items[0]!.trips.map(({ title }) => title)).toEqual([
      "Run 1, forward sample 1",
      "Run 1, baseline",
      "Run 2, forward sample 2",
      "Run 2, baseline",
    ]);
  });

  it("shows edits with the code before, and answers with their query", async () => {
    const edits = [{ id: "e/1", before: "a = 1", after: "a = 2", comment: "should be 2" }];
    const editing = await record("edits", [
      ["e/1", "forward", 0, "Set a to 2."],
      ["e/1", "backward", 0, "a = 2"],
      ["e/1", "baseline", 0, "a = 1"],
    ]);
    await editingRtc({
      ...editing,
      edits,
      similarities: [openSimilarity("exact")],
      samples: { forward: { samples: 1 } },
    });
    const told = ({ texts, items }: ReportItems) =>
      items[0]!.parts.map(({ title, text, prose = false }) => [title, texts[text], prose]);
    expect(told(dataOf(await rtcReport(editing.out)))).toEqual([
      ["old", "a = 1", false],
      ["comment", "should be 2", true],
      ["input of the round trip", "a = 2", false],
    ]);
    const asked = await record("queries", [
      ["q/1", "forward", 0, "What is it called?"],
      ["q/1", "backward", 0, "Drift."],
    ]);
    const bare = { before: null, after: null, file: null };
    const queries = [
      { id: "q/1", messages: [{ role: "user" as const, content: "Name it." }], response: "Drift.", ...bare },
    ];
    const oracle = { command: "test -s {code}" };
    await patchedRtc({ ...asked, queries, similarities: [openSimilarity("exact")], oracle });
    const html = await rtcReport(asked.out);
    expect(html).toContain("The oracle: test -s {code}");
    expect(told(dataOf(html))).toEqual([
      ["query", "Name it.", true],
      ["input of the round trip", "Drift.", false],
    ]);
  });

  it("shows the response of each repeated run apart", async () => {
    const asked = await record("responses", [
      ...["Drift.", "Lull."].flatMap((response, sample): Said[] => [
        ["q/1", "response", sample, response],
        ["q/1", "forward", sample, "What is it called?"],
        ["q/1", "backward", sample, "Drift."],
      ]),
    ]);
    const bare = { response: null, before: null, after: null, file: null };
    const queries = [{ id: "q/1", messages: [{ role: "user" as const, content: "Name it." }], ...bare }];
    await patchedRtc({ ...asked, queries, similarities: [openSimilarity("exact")], repeats: 2 });
    const { texts, items } = dataOf(await rtcReport(asked.out));
    expect(items.map(({ id, parts, means }) => [id, texts[parts.at(-1)!.text], means[0]])).toEqual([
      ["q/1", "Drift.", 1],
      ["q/1", "Lull.", 0],
    ]);
  });

  it("is refused where there is no run", async () => {
    await expect(rtcReport(join(folder, "nowhere"))).rejects.toThrow("there is no folder");
    const out = await synthesised("damaged");
    await writeFile(join(out, "samples.jsonl"), '{"task_id": "t/twice"}\n');
    await expect(rtcReport(out)).rejects.toThrow("samples.jsonl:1: expected a row of `codescore rtc` with `kind`");
  });
});

describe("codescore rtc report", () => {
  const chain = {
    task_id: "H/1",
    NL_0: 'def size(text):\n    """Length of the text."""\n',
    function_name: "size",
    function_signature: "def size(text):\n",
    contract: "",
    tests: [{ input: "'ab'", output: "2" }],
    atol: 0,
    PL_0: "    return len(text)",
    PL_0_results: ["Passed"],
    NL_1: "    'return len(text)'",
    PL_1: "def func(text):\n    return len(text) + 1",
    PL_1_results: ["AssertionError: outputs 4"],
  };

  it("shows chains step by step, with what execution says", async () => {
    vi.spyOn(process.stdout, "write").mockImplementation(() => true);
    vi.spyOn(process.stderr, "write").mockImplementation(() => true);
    const [recorded, out] = [join(folder, "chains.jsonl"), join(folder, "chains")];
    await writeFile(recorded, `${JSON.stringify(chain)}\n`);
    const identity = ["identity", "--recorded", recorded, "--sims", "exact", "--workers", "1", "--output", out];
    await rtcVerb().parseAsync(identity, { from: "user" });
    await rtcVerb().parseAsync(["report", out], { from: "user" });
    vi.restoreAllMocks();
    process.exitCode = undefined;
    const html = await readFile(join(out, "report.html"), "utf8");
    expect(html).toContain("Pass@1 1.000");
    const { sims, texts, items } = dataOf(html);
    expect(sims).toEqual(["TOM", "PassRatio", "exact"]);
    const [first, second] = items[0]!.trips;
    expect(first!.candidates[0]).toMatchObject({ values: [null, 1, null], yes: [null, true, null] });
    expect(second!.candidates[0]).toMatchObject({ values: [0, 0, 0], yes: [false, false, false] });
    expect(texts[second!.candidates[0]!.against!]).toContain("return len(text)");
    expect(second!.recited).toMatchObject({ run: 5 });
    expect(second!.candidates[0]!.notes).toEqual([
      "Test 1: AssertionError: outputs 3 here, AssertionError: outputs 4 in the recording.",
    ]);
  });
});
