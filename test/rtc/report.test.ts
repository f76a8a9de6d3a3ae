/** The report of round trips: what it holds, and, in a browser, that it runs nothing of a model's, is accessible and quick. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseHTML } from "linkedom";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../src/cli/rtc.ts";
import { editingRtc } from "../../src/rtc/editing.ts";
import { patchedRtc } from "../../src/rtc/patched.ts";
import { replayLlm } from "../../src/rtc/recording.ts";
import { rtcReport } from "../../src/rtc/report.ts";
import type { ReportItems } from "../../src/rtc/report-items.ts";
import type { SampleRow } from "../../src/rtc/run.ts";
import { openSimilarity, type SignedSimilarity } from "../../src/rtc/similarity.ts";
import { synthesisRtc } from "../../src/rtc/synthesis.ts";
import type { Problem } from "../../src/types.ts";
import { chromium, openTab, type Tab } from "../server/chromium.ts";
import { faults, fitsThePage, press, show } from "../server/look.ts";
import { greet, twice } from "./problems.ts";

/** Ends elements, begins others, turns what follows around, breaks JSON and lines, half a surrogate. */
const evil = `</script><!--<script>pwned = 1</script></pre><img src=x onerror="pwned = 1">'"\\\u0000\u2028\u202e\ud800`;
const shown = evil.replace(/[\0\u2028\u202e]|\p{Surrogate}/gu, (one) => {
  return `⟨U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`;
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rtc-report-"));
});
afterAll(() => rm(folder, { recursive: true }));

const patience = { timeout: 10_000 };

type Said = readonly [task: string, direction: string, sample: number, text: string];

async function record(name: string, rows: readonly Said[]) {
  const path = join(folder, `${name}.jsonl`);
  const lines = rows.map(([task_id, direction, sample, text]) => JSON.stringify({ task_id, direction, sample, text }));
  await writeFile(path, `${lines.join("\n")}\n`);
  const llm = await replayLlm(path);
  return { forward: llm, backward: llm, out: join(folder, name), quiet: true };
}

const dataOf = (html: string): ReportItems =>
  JSON.parse(parseHTML(html).document.getElementById("run")!.textContent!) as ReportItems;

/** A learned similarity with its own mind: programs that add are much like the reference. */
const learned: SignedSimilarity = {
  name: `learned ${evil}`,
  compare: async (pairs) =>
    pairs.map(({ candidate, reference }) => (candidate === reference ? 1 : candidate.includes("+") ? 0.9 : 0.2)),
};

/** Twice: a good program, one that only adds, none at all, and a description that recites. Greet: hostile answers. */
async function synthesised(name: string, problems: readonly Problem[] = [twice, greet]): Promise<string> {
  const options = await record(name, [
    ["t/twice", "forward", 0, "Doubles the argument."],
    ["t/twice", "forward", 1, `return 2 * x ${"and so on ".repeat(20)}`],
    ["t/twice", "forward", 2, "Nothing."],
    ["t/twice", "backward", 0, "```python\nreturn 2 * x\n```"],
    ["t/twice", "backward", 1, "return x + x"],
    ["t/twice", "backward", 2, ""],
    ["t/twice", "baseline", 0, "return None"],
    ["t/greet", "forward", 0, evil],
    ["t/greet", "backward", 0, `# ${evil}\nprint('hi')`],
    ["t/greet", "forward", 1, `${evil} ${"long".repeat(60)}`],
    ["t/greet", "backward", 1, `print('${"x".repeat(3000)}')`],
    ["t/greet", "forward", 2, "Greets."],
    ["t/greet", "backward", 2, "print('hello ' + input())"],
  ]);
  await synthesisRtc({
    ...options,
    problems,
    similarities: [openSimilarity("exact"), learned, openSimilarity("chrf")],
    thresholds: { [learned.name]: 0.5 },
  });
  return options.out;
}

describe("the report of a run", () => {
  it("holds the tables, and each item as the paper's Figure 3 shows it", async () => {
    const html = await rtcReport(await synthesised("synthesis"), "Mine");
    const { document } = parseHTML(html);
    expect(document.querySelector("h1")?.textContent).toBe("Mine");
    const cells = [...document.querySelectorAll("table")[0]!.querySelectorAll("thead th")].map((th) => th.textContent);
    expect(cells).toEqual(["similarity", "RTC", "sigma", "lift", "baseline", "share of yes", "yes from"]);
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
    expect(adds!.candidates[0]!.answer).toBeUndefined(); // the program holds it whole
    expect(texts[none!.candidates[0]!.code]).toBe("");
    expect(texts[baseline!.description]).toBe("Implement.");
    // Means over what came back: exact 1, 0, 0; learned 1, .9, 0.
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
      ["what went around", "a = 2", false],
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
      ["what went around", "Drift.", false],
    ]);
  });

  it("is refused where there is no run", async () => {
    await expect(rtcReport(join(folder, "nowhere"))).rejects.toThrow("cannot read");
    const out = await synthesised("damaged");
    await writeFile(join(out, "samples.jsonl"), '{"task_id": "t/twice"}\n');
    await expect(rtcReport(out)).rejects.toThrow(
      "samples.jsonl:1: expected a row of `codescore rtc`, which has `kind`",
    );
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
      "Test 1 came to AssertionError: outputs 3 here, to AssertionError: outputs 4 where it was recorded.",
    ]);
  });
});

describe.skipIf(chromium === undefined)("the page in a browser", () => {
  let tab: Tab;
  const open = async (name: string, html: string): Promise<void> => {
    await writeFile(join(folder, name), html);
    tab = await openTab(chromium!, pathToFileURL(join(folder, name)).href);
  };
  const count = () => tab.evaluate("document.getElementById('count').textContent");
  const ids = () =>
    tab.evaluate("[...document.querySelectorAll('#items > details .name')].map((one) => one.textContent)");
  const choose = (field: string, value: string) =>
    tab.evaluate(
      `(() => { const field = document.forms[0].elements.${field}; field.value = ${JSON.stringify(value)}; field.dispatchEvent(new Event("input", { bubbles: true })); })()`,
    );
  const openAll = () => tab.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");

  describe("of hostile answers", () => {
    beforeAll(async () => open("hostile.html", await rtcReport(await synthesised("hostile"), evil)));
    afterAll(() => tab?.close());

    it("shows what models said as text, and runs and asks for nothing", async () => {
      await openAll();
      await expect.poll(() => tab.evaluate("document.querySelectorAll('.trip').length"), patience).toBe(7);
      await openAll(); // what the models said, within
      const said =
        "[...document.querySelectorAll('[aria-label=\"what the model said\"]')].map((one) => one.textContent)";
      await expect.poll(() => tab.evaluate(said), patience).toContain("```python\nreturn 2 * x\n```");
      expect(await tab.evaluate("document.getElementById('items').textContent")).toContain(`# ${shown}`);
      expect(await tab.evaluate("typeof pwned")).toBe("undefined");
      expect(await tab.evaluate("document.images.length + document.scripts.length")).toBe(2);
      expect(await tab.evaluate("performance.getEntriesByType('resource').length")).toBe(0);
      expect(tab.console).toEqual([]);
    });

    it.each([
      [360, "light"],
      [1200, "dark"],
    ] as const)("fits %i pixels and is accessible, %s", async (width, scheme) => {
      await show(tab, width, scheme);
      await openAll();
      expect(await fitsThePage(tab)).toBe(true);
      expect(await faults(tab)).toEqual([]);
    });

    it("is narrowed by verdict, disagreement, recital and text, and sorted by score", async () => {
      expect(await count()).toBe("2 of 2 items");
      await choose("show", "yes 0");
      expect(await count()).toBe("2 of 2 items, with 2 descriptions that match");
      await choose("show", "split"); // x + x: not the same, and learned says yes
      expect([await ids(), await count()]).toEqual([["t/twice"], "1 of 2 items, with 1 descriptions that match"]);
      await tab.evaluate("document.querySelector('#items summary').click()");
      const found = () => tab.evaluate("document.querySelector('.found h3')?.textContent");
      await expect.poll(found, patience).toBe("Forward sample 2");
      await choose("show", "recited");
      expect(await ids()).toEqual(["t/twice"]);
      await choose("show", "none 2");
      expect(await ids()).toEqual([]);
      await choose("show", "all");
      await choose("text", " PRINT('hi ho");
      expect(await ids()).toEqual([]);
      await choose("text", " PRINT('hi')");
      expect(await ids()).toEqual(["t/greet"]);
      await choose("text", "");
      await choose("sort", "low 1");
      expect(await ids()).toEqual(["t/greet", "t/twice"]);
      await choose("sort", "high 1");
      expect(await ids()).toEqual(["t/twice", "t/greet"]);
      expect(tab.console).toEqual([]);
    });

    it("opens an item by keyboard", async () => {
      await choose("sort", "run");
      await tab.evaluate("document.querySelector('#items summary').focus()");
      const isOpen = () => tab.evaluate("document.querySelector('#items details').open");
      const before = await isOpen();
      await press(tab, " ", 32);
      expect(await isOpen()).toBe(!before);
    });
  });

  describe("of 10,000 samples", () => {
    beforeAll(async () => {
      // One problem's rows 2,500 times, each under its own name.
      const out = await synthesised("many", [twice]);
      const path = join(out, "samples.jsonl");
      const rows = (await readFile(path, "utf8")).trimEnd().split("\n");
      const own = (line: string, i: number) => {
        const row = JSON.parse(line) as SampleRow;
        const text = `\n# ${i}: ${"total += item * price\n".repeat(8)}`;
        return JSON.stringify({
          ...row,
          task_id: `t/${i}`,
          description: `Multiplies by ${i}, says ${row.forward}.`,
          candidate: `${row.candidate}${row.forward}${text}`,
          reference: row.reference + text,
        });
      };
      const all = Array.from({ length: 2500 }, (_, i) => rows.map((line) => own(line, i))).flat();
      await writeFile(path, `${all.join("\n")}\n`);
      await open("many.html", await rtcReport(out));
    });
    afterAll(() => tab?.close());

    it("shows some of them at a time, and finds what is searched at once", async () => {
      expect((await readFile(join(folder, "many.html"))).length).toBeLessThan(8e6);
      expect(await count()).toBe("2500 of 2500 items");
      expect(await tab.evaluate("document.querySelectorAll('#items > details').length")).toBe(50);
      await tab.evaluate("document.getElementById('more').click()");
      expect(await tab.evaluate("document.querySelectorAll('#items > details').length")).toBe(100);
      expect(await tab.evaluate("document.activeElement.textContent")).toContain("t/50");
      await tab.evaluate("started = performance.now()");
      await choose("text", "multiplies by 1234,");
      expect(await ids()).toEqual(["t/1234"]);
      expect(await tab.evaluate("performance.now() - started")).toBeLessThan(3000);
    });
  });
});
