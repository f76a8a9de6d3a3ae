/** Charts and tables over many projects. synthesis/projects-verb.test.ts tests the page of a whole run. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseHTML } from "linkedom";
import { afterEach, describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../../src/cli/rtc.ts";
import { type ProjectsSummary, projectChartFiles, projectsReport, projectTables } from "../../../src/rtc/index.ts";
import { namedRuns } from "../../../src/rtc/report/projects.ts";
import { printed } from "../../cli/printed.ts";

const estimate = (value: number) => ({ value, interval: [value - 0.1, value + 0.1] as const, problems: 100 });

function summary(model: string, rtcs: Readonly<Record<string, number>>, lift = true): ProjectsSummary {
  const projects = Object.entries(rtcs).map(([name, value]) => ({
    name,
    spans: 100,
    drawn: 150,
    dropped_share: 1 / 3,
    round_trips: 300,
    similarities: [
      { name: "pass", rtc: estimate(value), baseline: null, lift: lift ? estimate(value / 2 - 0.2) : null },
    ],
  }));
  return {
    task: "synthesis of projects",
    version: "1",
    models: { forward: model, backward: model },
    least_spans: 80,
    projects,
    left_out: [{ name: "small", reason: "has <3> spans" }],
    means: [{ similarity: "pass", rtc: estimate(0.5), lift: null }],
  };
}

const nano = summary("nano", { jedi: 0.1, six: 0.6, attrs: 0.3 });
const pro = summary("pro", { jedi: 0.2, six: 0.9, attrs: 0.5, toolz: 0.7 });

describe("charts of projects", () => {
  it("order projects by the first model, best first, with a chart for RTC and one for lift", () => {
    const files = projectChartFiles([nano]);
    expect([...files.keys()]).toEqual(["rtc-pass.svg", "lift-pass.svg"]);
    const svg = files.get("rtc-pass.svg")!;
    expect(svg).toContain("<title>RTC by pass of 3 projects: six 0.60, attrs 0.30, jedi 0.10.</title>");
    expect(svg).toContain("--series-1: #1f6feb");
    const { document } = parseHTML(`<body>${svg}</body>`);
    expect(document.querySelectorAll("rect")).toHaveLength(3);
    const ticks = [...document.querySelectorAll("text")].map((text) => text.textContent);
    expect(ticks.filter((text) => text! in { six: 1, attrs: 1, jedi: 1 })).toEqual(["six", "attrs", "jedi"]);
  });

  it("name a lift just below 0 as 0, without a minus", () => {
    const svg = projectChartFiles([summary("m", { a: 0.398 })]).get("lift-pass.svg")!;
    expect(svg).toContain("of 1 project: a 0.00.</title>");
  });

  it("have no lift where none was measured", () => {
    expect([...projectChartFiles([summary("m", { a: 0.5 }, false)]).keys()]).toEqual(["rtc-pass.svg"]);
  });

  it("set models beside each other, and say how far they order projects alike", () => {
    const svg = projectChartFiles([nano, pro]).get("rtc-pass.svg")!;
    expect(svg).toContain("six 0.60 and 0.90");
    expect(svg).toMatch(/>nano<\/text>[\s\S]*>pro<\/text>/);
    const between = projectTables(namedRuns([nano, pro])).find(({ name }) => name === "between-models")!;
    const [row] = between.table.rows;
    expect(row!.slice(0, 3)).toEqual(["nano and pro", "pass", 3]);
    // Pearson of (.1, .6, .3) and (.2, .9, .5).
    expect(row![3]).toBeCloseTo(0.99947, 5);
    expect(row![4]).toBe(1);
  });

  it("stand on the page, with what was left out as text", () => {
    const { document } = parseHTML(projectsReport([nano, pro], "Two"));
    expect(document.querySelector("h1")?.textContent).toBe("Two");
    expect(document.querySelectorAll("figure.card svg")).toHaveLength(2);
    expect(document.querySelector("section ul:not(.legend) li")?.textContent).toContain("has <3> spans");
  });

  it("refuse two runs of one model", () => {
    expect(() => projectsReport([nano, nano])).toThrow("expected runs of different models, got two of nano");
  });
});

describe("codescore rtc report", () => {
  let folder: string | undefined;
  afterEach(async () => {
    vi.restoreAllMocks();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it("makes one page and charts of the runs of two models", async () => {
    folder = await mkdtemp(join(tmpdir(), "projects-report-"));
    for (const [name, run] of Object.entries({ nano, pro })) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, "projects.json"), JSON.stringify(run));
    }
    printed();
    const output = join(folder, "both", "page.html");
    await rtcVerb().parseAsync(["report", join(folder, "nano"), join(folder, "pro"), "--output", output], {
      from: "user",
    });
    expect(await readFile(output, "utf8")).toContain("Round-trip correctness of projects by nano and pro");
    expect((await readdir(join(folder, "both", "charts"))).sort()).toEqual(["lift-pass.svg", "rtc-pass.svg"]);
  });
});
