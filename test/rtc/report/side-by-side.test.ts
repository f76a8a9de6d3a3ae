import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseHTML } from "linkedom";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../../src/cli/rtc.ts";
import { chartFiles } from "../../../src/report/index.ts";
import { svgFile } from "../../../src/report/svg-file.ts";
import { modelCharts, runCharts } from "../../../src/rtc/report/charts.ts";
import { comparisonReport } from "../../../src/rtc/report/comparison.ts";
import { modelTables } from "../../../src/rtc/report/model-tables.ts";
import { compareModels } from "../../../src/rtc/report/models.ts";
import type { ModelRun } from "../../../src/rtc/report/side-by-side.ts";
import type { Estimate } from "../../../src/rtc/trip/arithmetic.ts";
import { printed } from "../../cli/printed.ts";
import { chromium, openTab } from "../../server/chromium.ts";
import { show } from "../../server/look.ts";

const estimate = (value: number): Estimate => ({ value, interval: [value - 0.05, value + 0.05], problems: 163 });

/** For 163 problems: how many first programs pass, and how many are left after each step. */
function chains(name: string, passed: number, ssc: readonly number[], sc: readonly number[]): ModelRun {
  const steps = sc.map((count, i) => ({
    step: i + 1,
    sc: estimate(count / 163),
    ssc: estimate(ssc[i]! / 163),
    tom: estimate(0.5),
    pass_fail_match: null,
  }));
  const similarities = [{ name: "exact", signature: null, mean: estimate(0.25), threshold: 1 }];
  const identity = { task: "identity", models: { forward: name, backward: name }, pass_at_1: estimate(passed / 163) };
  const more = { similarities, agreement: [], steps, prompts: {}, counts: { chains: 163 }, failed: [], skipped: [] };
  return { name, summary: { ...identity, ...more } as unknown as ModelRun["summary"] };
}

function patched(name: string, patchflow: string, passes: number, consistency = false, fixed?: number): ModelRun {
  const similarities = [
    {
      ...{ name: "rouge-l", signature: null, rtc: estimate(0.5), sigma: null, lift: null, baseline: null },
      ...{ threshold: 0.8, share_above: estimate(passes), unscored: null },
    },
  ];
  const oracle = fixed === undefined ? null : { rate: estimate(fixed) };
  const run = { task: "patched", repeats: 1, sampling: {}, patchflow, consistency, oracle, prompts: { patchflow } };
  const models = { forward: name, backward: name };
  return {
    name,
    summary: {
      ...run,
      models,
      similarities,
      agreement: [],
      counts: { problems: 10 },
    } as unknown as ModelRun["summary"],
  };
}

describe("chains of several models", () => {
  // Min et al. 2024, Table 1, HumanEvalPlus: StarChat-Beta 25.2, 5.5, 19.6, 11.0; StarCoderBase 1B 11.0, 3.7, 12.3, 9.8.
  const runs = [
    chains("StarChat-Beta", 41, [20, 15, 12, 10, 9], [32, 25, 22, 20, 18]),
    chains("StarCoderBase 1B", 18, [9, 8, 7, 7, 6, 5], [20, 19, 18, 17, 16, 15]),
  ];

  it("stand in the paper's table, up to the step that all have", () => {
    const { chains: table } = compareModels(runs, new Map());
    const percent = (value: Estimate | null): string => (100 * value!.value).toFixed(1);
    expect(table!.step).toBe(5);
    expect(
      table!.rows.map((row) => [row.model, ...[row.pass_at_1, row.ssc_n, row.sc_1, row.sc_n].map(percent)]),
    ).toEqual([
      ["StarChat-Beta", "25.2", "5.5", "19.6", "11.0"],
      ["StarCoderBase 1B", "11.0", "3.7", "12.3", "9.8"],
    ]);
    // Section 6.1: "SSC scores [...] decline up to 78.0% compared to the initial Pass@1".
    expect(table!.rows.map(({ decline }) => decline!.toFixed(3))).toEqual(["0.780", "0.667"]);
    const [first] = modelTables(compareModels(runs, new Map()));
    expect(first!.table.columns.map(({ label }) => label)).toEqual([
      "model",
      "chains",
      "Pass@1",
      "SSC_5",
      "SC_1",
      "SC_5",
      "TOM_1",
      "TOM_5",
      "decline",
    ]);
  });

  it("have no decline where nothing passes", () => {
    const { chains: table } = compareModels([runs[0]!, chains("none", 0, [0], [3])], new Map());
    expect([table!.step, table!.rows.map(({ decline }) => decline)]).toEqual([1, [expect.closeTo(21 / 41), null]]);
  });

  it("are drawn as bars and by step", () => {
    const charts = modelCharts(compareModels(runs, new Map()));
    expect(charts.map(({ name }) => name)).toEqual([
      "identity",
      "identity-sc",
      "identity-ssc",
      "identity-tom",
      "models-exact",
      "pass-at-1-exact",
    ]);
    expect(charts[1]!.drawing.label).toContain("StarChat-Beta: 0.196, 0.153, 0.135, 0.123, 0.110");
    expect(runCharts(runs[0]!.summary).map(({ name }) => name)).toEqual(["steps"]);
  });
});

describe("patchflows of several models", () => {
  const runs = [
    ...["autofix", "pr-review", "generate-readme"].flatMap((flow, i) => [
      patched("small", flow, 0.2 + i / 10, false, flow === "autofix" ? 0.4 : undefined),
      patched("small", flow, 0.3 + i / 10, true, flow === "autofix" ? 0.5 : undefined),
    ]),
    patched("large", "autofix", 0.7),
    patched("large", "pr-review", 0.8),
  ];

  it("stand side by side without and with the consistency prompt, and the oracle's rate beside them", () => {
    const { patchflows, notes } = compareModels(runs, new Map());
    expect(patchflows).toHaveLength(5);
    expect(patchflows[0]).toMatchObject({
      ...{ similarity: "rouge-l", model: "small", patchflow: "autofix", threshold: 0.8 },
      ...{ plain: { value: 0.2 }, consistent: { value: 0.3 }, gain: expect.closeTo(0.1) },
      ...{ oracle_plain: { value: 0.4 }, oracle_consistent: { value: 0.5 } },
    });
    expect(patchflows[3]).toMatchObject({ model: "large", plain: { value: 0.7 }, consistent: null, gain: null });
    expect(notes.join()).not.toContain("differ"); // prompts differ between patchflows, not between runs of one
    expect(notes.join()).not.toContain("pass@1"); // none was given
  });

  it("have a file each, though names differ in a sign only", () => {
    const [chart] = modelCharts(compareModels(runs, new Map()));
    expect([...chartFiles([chart!, chart!]).keys()]).toEqual(["patchflows-rouge-l.svg", "patchflows-rouge-l-2.svg"]);
  });

  it("are drawn as bars and radars", () => {
    const charts = modelCharts(compareModels(runs, new Map()));
    expect(charts.map(({ name }) => name)).toEqual([
      ...["patchflows-rouge-l", "patchflows-radar-rouge-l"],
      ...["consistency-small-rouge-l", "consistency-radar-small-rouge-l"],
      ...["consistency-large-rouge-l", "consistency-radar-large-rouge-l"],
    ]);
    const radar = parseHTML(charts[1]!.drawing.svg).document;
    expect([...radar.querySelectorAll("text")].map(({ textContent }) => textContent)).toContain("generate-readme");
    expect(charts[0]!.drawing.legend.map(({ name }) => name)).toEqual(["small", "large"]);
    expect(charts[2]!.drawing.label).toContain("autofix, small, consistency prompt: 0.300");
  });

  it("are correlated one by one, by what passes too", () => {
    const three = ["a", "b", "c"].flatMap((name, i) => [
      patched(name, "autofix", [0.2, 0.4, 0.3][i]!),
      patched(name, "pr-review", [0.1, 0.2, 0.3][i]!),
    ]);
    const pass = new Map(["a", "b", "c"].map((name, i) => [name, { value: i / 10, source: "given" }]));
    const { correlations } = compareModels(three, pass);
    expect(correlations.map(({ setting, of, pearson }) => [setting, of, pearson])).toEqual([
      ["autofix", "RTC", null], // it does not vary
      ["autofix", "share >= threshold", expect.closeTo(0.5)],
      ["pr-review", "RTC", null],
      ["pr-review", "share >= threshold", expect.closeTo(1)],
    ]);
  });

  it("are refused twice", () => {
    expect(() => compareModels([runs[0]!, runs[0]!], new Map())).toThrow(
      "two runs are of `small` (autofix); name them as NAME=DIR",
    );
  });
});

describe("a chart as a file", () => {
  it("is SVG that needs no page", () => {
    const evil = `<script>&"'`;
    const [chart] = modelCharts(compareModels([chains(evil, 41, [9], [18]), chains("b", 3, [2], [1])], new Map()));
    const text = svgFile(chart!.drawing);
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+"/);
    expect(text).toContain("--series-1: #1f6feb");
    expect(text).not.toContain("<script");
    const { document } = parseHTML(`<!doctype html><html><body>${text}</body></html>`);
    expect([...document.querySelectorAll("text")].map(({ textContent }) => textContent)).toContain(evil);
  });

  it("draws each entry of the legend with its own line, so that series of one colour differ", () => {
    const models = [..."abcdefg"].map((name) => chains(name, 41, [9], [18]));
    const { document } = parseHTML(
      `<!doctype html><html><body>${svgFile(modelCharts(compareModels(models, new Map()))[0]!.drawing)}</body></html>`,
    );
    const lines = [...document.querySelectorAll("svg > g > line")].map((line) => line.outerHTML);
    expect(lines).toHaveLength(7);
    expect(new Set(lines).size).toBe(7);
  });

  it.skipIf(chromium === undefined)("is light or dark as the reader's system requests", async () => {
    const [chart] = modelCharts(compareModels([chains("a", 41, [9], [18]), chains("b", 3, [2], [1])], new Map()));
    const path = join(await mkdtemp(join(tmpdir(), "chart-")), "chart.svg");
    await writeFile(path, svgFile(chart!.drawing));
    const tab = await openTab(chromium!, pathToFileURL(path).href);
    try {
      const color = (): Promise<unknown> => tab.evaluate("getComputedStyle(document.documentElement).color");
      await show(tab, 800, "light");
      expect(await color()).toBe("rgb(28, 36, 48)");
      await show(tab, 800, "dark");
      expect(await color()).toBe("rgb(228, 233, 240)");
    } finally {
      await tab.close();
      await rm(dirname(path), { recursive: true });
    }
  });
});

describe("codescore rtc compare", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "side-by-side-"));
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await rm(folder, { recursive: true });
  });

  it("writes a page and charts", async () => {
    const runs = [chains("a", 41, [9], [18]), chains("b", 18, [6], [16])];
    const paths: string[] = [];
    for (const { name, summary } of runs) {
      paths.push(await mkdtemp(join(folder, `${name}-`)));
      await writeFile(join(paths.at(-1)!, "summary.json"), JSON.stringify(summary));
    }
    const out = printed();
    const page = join(folder, "models.html");
    const more = ["--report", page, "--title", "Both", "--charts-dir", join(folder, "charts")];
    await rtcVerb().parseAsync(["compare", ...paths, ...more], { from: "user" });
    expect(out.stdout).toMatch(/a +163 +0\.252 \[0\.202, 0\.302\] +0\.055/);
    expect(out.stderr).toContain(`wrote 6 charts to ${join(folder, "charts")}`);
    const html = await readFile(page, "utf8");
    expect(html).toBe(comparisonReport(compareModels(runs, new Map()), "Both"));
    const { document } = parseHTML(html);
    expect([...document.querySelectorAll("figure h3")].map(({ textContent }) => textContent)).toEqual([
      "Pass@1 and self-consistency",
      "SC by step",
      "SSC by step",
      "TOM by step",
      "Models by exact",
      "Models by exact and pass@1",
    ]);
    expect((await readdir(join(folder, "charts"))).sort()).toEqual([
      "identity-sc.svg",
      "identity-ssc.svg",
      "identity-tom.svg",
      "identity.svg",
      "models-exact.svg",
      "pass-at-1-exact.svg",
    ]);
  });
});
