import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { type EvaluationResult, evaluate, type ReportSection, renderReport } from "../../../src/evaluate/index.ts";
import { columnOf, labelledRow, noisyScores, simulatedRows } from "../rows.ts";
import { simulatedStages } from "../stages.ts";

/** Markup, a line separator, a mark that reverses the text direction, half a surrogate; and how they must be shown. */
const evil = `</pre></title><script>alert("x")</script><img src=x onerror='alert(1)'>&amp;\u2028\u202e\ud800`;
const shown = `${evil.slice(0, -3)}⟨U+2028⟩⟨U+202E⟩⟨U+D800⟩`;

function evilResult(): EvaluationResult {
  const rows = simulatedRows(8, 6, 1).map((row, i) =>
    labelledRow({
      ...row,
      task_id: `${evil}${row.task_id}`,
      sample_id: `${evil}${row.sample_id}`,
      made_by: evil,
      first_error: evil,
      candidate: `print(${i})\n${evil}`,
      reference: `# ${evil}\nprint(${i})`,
      executable: i % 3 === 0 ? 0 : 1,
    }),
  );
  const columns = [columnOf(evil, noisyScores(rows, 0.4, 2), noisyScores(rows, 0.2, 3))];
  return evaluate({ rows, columns: [...columns, columnOf("plain", noisyScores(rows, 1, 4))], resamples: 50 });
}

it("a report draws what running more costs and gives, in words too", async () => {
  const rows = simulatedRows(8, 6, 1);
  const measured = (stages?: ReturnType<typeof simulatedStages>) =>
    evaluate({ rows, columns: [columnOf("m", noisyScores(rows, 0.4, 2))], resamples: 5, ...(stages && { stages }) });
  const { document } = parseHTML(await renderReport(measured(simulatedStages(rows)), { title: "t" }));
  const section = [...document.querySelectorAll("section")].find(
    (one) => one.querySelector("h2")?.textContent === "Cost and benefit of running more",
  )!;
  const plots = [...section.querySelectorAll("[role=img]")];
  const labels = plots.map((plot) => plot.getAttribute("aria-label")!);
  expect(labels.map((label) => label.split(" by ")[0])).toEqual(["Spearman r_s", "within-task AUC"]);
  for (const label of labels)
    expect(label).toMatch(/: text 0\.\d+ at 20\.8 s, .*, 40 \d\.\d+ at 167 s, tests 1\.000 at 417 s\.$/);
  expect(plots[0]!.querySelectorAll("circle")).toHaveLength(5);
  expect(plots[0]!.querySelector("svg")!.textContent).toContain("seconds per 1,000 programs");
  expect(document.body.textContent).toContain("sandbox bwrap, Python 3.11.2");
  const without = await renderReport(measured(), { title: "t" });
  expect(without).not.toContain("What running more costs");
});

it("a report has the notes of its columns, and a glossary of the names that its tables use", async () => {
  const rows = simulatedRows(8, 6, 1);
  const column = columnOf("behaviour", noisyScores(rows, 0.4, 2), noisyScores(rows, 0.2, 3));
  const intervals = column.scores.map((score) => ({ low: score! - 0.1, high: score! + 0.1 }));
  const notes = ["behaviour: 2 programs not run: it needs numpy"];
  const result = evaluate({ rows, columns: [{ ...column, intervals, notes }], resamples: 5 });
  const { document } = parseHTML(await renderReport(result, { title: "t" }));
  expect(document.body.textContent).toContain(notes[0]);
  const named = [...document.querySelectorAll("th")].map((cell) => cell.textContent!.trim());
  const glossary = [...document.querySelectorAll("dl.notes dt")].flatMap((term) => term.textContent!.split("; "));
  const others = ["PassRatio", "[low, high]", "difficulty-only oracle", "text metrics"];
  expect(glossary.filter((term) => !others.includes(term) && !named.includes(term))).toEqual([]);
});

const sections: ReportSection[] = [
  { kind: "text", title: evil, text: `${evil}\n\nsecond` },
  { kind: "table", title: "t", note: evil, table: { columns: [{ label: evil }, { label: "v" }], rows: [[evil, 1]] } },
  {
    kind: "plot-lines",
    title: "training",
    plots: [
      {
        title: evil,
        x: evil,
        y: "loss",
        lines: [
          { name: evil, points: [[0, 1] as const, [1, 0.5] as const] },
          { name: "dev", points: [[0, 1] as const, [1, 0.7] as const] },
        ],
      },
    ],
  },
  {
    kind: "code-pairs",
    title: "pairs",
    pairs: [{ title: evil, note: evil, left: { title: evil, code: evil }, right: { title: evil, code: "b" } }],
  },
];

describe("a report of hostile data", async () => {
  const html = await renderReport(evilResult(), { title: evil, sections });
  const { document } = parseHTML(html);

  it("has no element that the data brought", () => {
    expect(document.querySelectorAll("script, img, iframe, object, embed, link, form, base")).toHaveLength(0);
    expect(html).not.toContain("<script");
    expect(html).not.toContain("<img");
    for (const element of document.querySelectorAll("*")) {
      for (const { name } of element.attributes) expect(name).not.toMatch(/^on/i);
    }
  });

  it("shows the data's text as it is, once unescaped", () => {
    expect(document.querySelector("h1")?.textContent).toBe(shown);
    expect(document.querySelector("pre")?.textContent).toContain(`<script>alert("x")</script>`);
    expect(document.querySelector("pre")?.textContent).toContain("&amp;");
    expect(html).toContain("&amp;amp;");
    expect(/[\u2028\u202e\ud800]/.test(html)).toBe(false);
  });

  it("loads nothing and links nowhere", () => {
    expect(html).not.toMatch(/\b(src|href|xlink:href)\s*=\s*["'](?!#)/);
    expect(html).not.toMatch(/@import|url\(/);
    expect(html).not.toContain("http://");
    expect(html).not.toContain("https://");
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  it("draws every plot with a name for those who do not see it", () => {
    const plots = [...document.querySelectorAll(".card svg")];
    expect(plots).toHaveLength(12); // eleven from the report, including two for Exec, and one line plot from the caller
    for (const plot of plots) {
      expect(plot.parentElement?.getAttribute("aria-label")).toBeTruthy();
      expect(plot.querySelectorAll("circle, path, rect, line").length).toBeGreaterThan(3);
      expect(plot.outerHTML).not.toMatch(/NaN|undefined|Infinity/);
    }
  });
});

describe("a report", () => {
  const result = evilResult();

  it("is the same bytes for the same result", async () => {
    expect(await renderReport(result, { title: "a" })).toBe(await renderReport(result, { title: "a" }));
  });

  it("sets off the best value of a column, the oracle's apart", async () => {
    const { document } = parseHTML(await renderReport(result, { title: "a" }));
    const rows = [...document.querySelectorAll("table")[0]!.querySelectorAll("tbody tr")];
    expect(rows).toHaveLength(3);
    expect(rows[2]!.className).toBe("quiet");
    expect(rows[2]!.querySelectorAll("b")).toHaveLength(0);
    const spearmans = result.columns.slice(0, 2).map(({ spearman }) => spearman!);
    const best = rows[spearmans[0]! >= spearmans[1]! ? 0 : 1]!;
    expect([...best.querySelectorAll("b")].map((b) => b.textContent)).toContain(Math.max(...spearmans).toFixed(3));
  });

  it("lists the worst disagreements, one a task, the furthest first", async () => {
    const { document } = parseHTML(await renderReport(result, { title: "a", focus: "plain", worst: 3 }));
    const notes = [...document.querySelectorAll("main > section:nth-of-type(3) > .pair > summary .muted")].map(
      (node) => node.textContent ?? "",
    );
    expect(notes).toHaveLength(6);
    const scores = result.data.columns[1]!.scores;
    const gaps = result.data.tasks.map((task) => Math.max(...task.map((i) => scores[i]! - result.data.passRatios[i]!)));
    const worst = Math.max(...gaps);
    const row = scores.findIndex((score, i) => score - result.data.passRatios[i]! === worst);
    expect(notes[0]).toContain(
      `score ${scores[row]!.toFixed(3)}, PassRatio ${result.data.passRatios[row]!.toFixed(3)} (${result.data.rows[row]!.n_passed} of 4 tests); first error: </pre>`,
    );
  });

  it("says which columns there are when asked for another", async () => {
    await expect(renderReport(result, { title: "a", focus: "no such" })).rejects.toThrow("got `no such`");
  });

  it("stands with one program, with no score column, and with scores outside [0, 1]", async () => {
    const rows = [labelledRow({ pass_ratio: 1 })];
    const one = await renderReport(evaluate({ rows, columns: [columnOf("m", [0.5])], resamples: 5 }), { title: "one" });
    expect(one).toContain("1 program of 1 task");
    expect(one).not.toContain("NaN");
    const none = await renderReport(evaluate({ rows: simulatedRows(3, 3, 1), columns: [], resamples: 5 }), {
      title: "none",
    });
    expect(none).toContain("difficulty-only oracle");
    const many = simulatedRows(5, 5, 1);
    const wide = columnOf(
      "w",
      noisyScores(many, 0.3, 1).map((score) => 10 * score - 4),
    );
    const html = await renderReport(evaluate({ rows: many, columns: [wide], resamples: 5 }), { title: "wide" });
    expect(html).not.toContain("NaN");
  });

  it("counts what lies at the end of a scale", async () => {
    const rows = [0, 1, 1, 1].map((ratio, i) => labelledRow({ sample_id: `${i}`, pass_ratio: ratio }));
    const html = await renderReport(evaluate({ rows, columns: [columnOf("m", [0.25, 1, 1, 1])], resamples: 5 }), {
      title: "a",
    });
    const card = [...parseHTML(html).document.querySelectorAll(".card")].find(
      (one) => one.querySelector("h3")?.textContent === "Distribution of PassRatio",
    );
    const heights = [...card!.querySelectorAll("[aria-label=rect] rect")].map((bar) =>
      Number(bar.getAttribute("height")),
    );
    expect(heights.length).toBe(2);
    expect((heights[1]! + 0.5) / (heights[0]! + 0.5)).toBeCloseTo(3, 1);
  });

  it("lists programs that are scored too high or too low by .2 or more, and no others", async () => {
    const sectionOf = async (scores: readonly number[]) => {
      const ratios = [0.5, 0.5, 0.5, 1, 0.5];
      const rows = ratios.map((ratio, i) =>
        labelledRow({ task_id: `t${i}`, sample_id: `s${i}`, pass_ratio: ratio, n_tests: 2, n_passed: 2 * ratio }),
      );
      const html = await renderReport(evaluate({ rows, columns: [columnOf("m", scores)], resamples: 5 }), {
        title: "a",
      });
      return [...parseHTML(html).document.querySelectorAll("section")].find((section) =>
        section.querySelector("h2")?.textContent?.startsWith("Worst disagreements"),
      )!;
    };
    const section = await sectionOf([0.7, 0.69, 0.31, 0.75, 0.3]);
    const texts = [...section.querySelectorAll("h3, h3 + p, summary .name")].map((one) => one.textContent);
    expect(texts).toEqual([
      ...["Scored too high", "They pass fewer tests than their score says.", "t0 s0"],
      ...["Scored too low", "They pass more tests than their score says.", "t3 s3", "t4 s4"],
    ]);
    const none = await sectionOf([0.6, 0.6, 0.4, 0.9, 0.4]);
    expect(none.querySelectorAll("h3")).toHaveLength(0);
    expect(none.textContent).toContain("by at least 0.2, one per task. There is none.");
  });

  it("shows pairs of one task whose order the scores see differently, the better program second", async () => {
    const html = await renderReport(result, { title: "a" });
    const cases = [...parseHTML(html).document.querySelectorAll("section")].find(
      (section) => section.querySelector("h2")?.textContent === "Pairs that the metrics order differently",
    )!;
    const tables = [...cases.querySelectorAll("table")].map((table) =>
      [...table.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent!)),
    );
    expect(tables).toHaveLength(3);
    for (const [labels, ...scores] of tables) {
      expect(Number(labels![1])).toBeLessThan(Number(labels![2]));
      const orders = scores.map(([, first, second]) => Math.sign(Number(second) - Number(first)));
      expect(scores.map((row) => row[3])).toEqual(orders.map((sign) => ["wrong", "tie", "right"][sign + 1]));
      expect(new Set(orders.map((sign) => sign > 0)).size).toBe(2);
    }
  });

  it("shows fields in notes as code, without backticks", async () => {
    const rows = [0, 1].map((ratio, i) => labelledRow({ sample_id: `${i}`, made_by: "unknown", pass_ratio: ratio }));
    const html = await renderReport(evaluate({ rows, columns: [columnOf("m", [0.25, 1])], resamples: 5 }), {
      title: "a",
    });
    expect(html).toContain("rows with <code>model</code> and <code>temperature</code> give a line for each model");
    expect(html.replace(/<style>.*?<\/style>/s, "")).not.toContain("`");
  });

  it("draws no curve of labels, which would only show themselves", async () => {
    const rows = simulatedRows(8, 6, 1);
    const labels = { passRatios: rows.map(({ pass_ratio }) => pass_ratio), meanTests: 4, msPerProgram: null };
    const executions = (["labels", "execution"] as const).map((kind) => ({ kind, name: kind, ...labels }));
    const columns = [columnOf("m", noisyScores(rows, 0.4, 2)), columnOf("n", noisyScores(rows, 0.4, 3))];
    const { document } = parseHTML(
      await renderReport(evaluate({ rows, columns, executions, resamples: 5 }), { title: "a" }),
    );
    const plots = [...document.querySelectorAll(".card")].filter((card) =>
      ["Calibration", "Passing every test"].includes(card.querySelector("h3")!.textContent!),
    );
    expect(plots).toHaveLength(2);
    const names = plots.map((card) => [...card.querySelectorAll(".legend li")].map((one) => one.textContent![0]));
    expect(names).toEqual([
      ["m", "n"],
      ["m", "n"],
    ]);
  });

  it("thins ten thousand programs to a small file and says so", async () => {
    const rows = simulatedRows(500, 20, 1);
    const many = evaluate({ rows, columns: [columnOf("m", noisyScores(rows, 0.3, 1))], resamples: 1 });
    const html = await renderReport(many, { title: "a" });
    expect(html.length).toBeLessThan(1_000_000);
    expect(html).toContain("2,500 of 10,000 programs, drawn at random, one point each.");
    const dots = parseHTML(html).document.querySelector(".card")!.querySelectorAll("circle");
    expect(dots).toHaveLength(2500);
  });

  it("cuts what no one would read, and draws more curves than colours apart", async () => {
    const rows = simulatedRows(4, 4, 1).map((row) => ({ ...row, candidate: "x".repeat(200_000) }));
    const columns = Array.from({ length: 13 }, (_, i) => columnOf(`m${i}`, noisyScores(rows, 0.3, i)));
    const html = await renderReport(evaluate({ rows, columns, resamples: 2 }), { title: "a" });
    expect(html).toContain("180,000 more characters");
    expect(html.length).toBeLessThan(1_000_000);
    expect(html).toContain("The first 12 of 13 columns.");
    const card = [...parseHTML(html).document.querySelectorAll(".card")].find(
      (one) => one.querySelector("h3")?.textContent === "Passing every test",
    );
    const looks = [...card!.querySelectorAll("[aria-label=line]")].map(
      (line) => `${line.getAttribute("stroke")} ${line.getAttribute("stroke-dasharray")}`,
    );
    expect(new Set(looks.slice(1)).size).toBe(12); // the first is the diagonal
  });
});
