import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { type EvaluationResult, evaluate, type ReportSection, renderReport } from "../../src/evaluate/index.ts";
import { columnOf, labelledRow, noisyScores, simulatedRows } from "./rows.ts";

const evil = `</pre><script>alert("x")</script><img src=x onerror='alert(1)'>&amp;`;

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

describe("a report of hostile data", () => {
  const html = renderReport(evilResult(), { title: evil, sections });
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
    expect(document.querySelector("h1")?.textContent).toBe(evil);
    expect(document.querySelector("pre")?.textContent).toContain(`<script>alert("x")</script>`);
    expect(document.querySelector("pre")?.textContent).toContain("&amp;");
    expect(html).toContain("&amp;amp;");
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
    expect(plots).toHaveLength(10); // nine of its own, Exec's included, and one line plot of the caller
    for (const plot of plots) {
      expect(plot.parentElement?.getAttribute("aria-label")).toBeTruthy();
      expect(plot.querySelectorAll("circle, path, rect, line").length).toBeGreaterThan(3);
      expect(plot.outerHTML).not.toMatch(/NaN|undefined|Infinity/);
    }
  });
});

describe("a report", () => {
  const result = evilResult();

  it("is the same bytes for the same result", () => {
    expect(renderReport(result, { title: "a" })).toBe(renderReport(result, { title: "a" }));
  });

  it("sets off the best value of a column, the oracle's apart", () => {
    const { document } = parseHTML(renderReport(result, { title: "a" }));
    const rows = [...document.querySelectorAll("table")[0]!.querySelectorAll("tbody tr")];
    expect(rows).toHaveLength(3);
    expect(rows[2]!.className).toBe("quiet");
    expect(rows[2]!.querySelectorAll("b")).toHaveLength(0);
    const spearmans = result.columns.slice(0, 2).map(({ spearman }) => spearman!);
    const best = rows[spearmans[0]! >= spearmans[1]! ? 0 : 1]!;
    expect([...best.querySelectorAll("b")].map((b) => b.textContent)).toContain(Math.max(...spearmans).toFixed(3));
  });

  it("lists the worst disagreements, one a task, the furthest first", () => {
    const { document } = parseHTML(renderReport(result, { title: "a", focus: "plain", worst: 3 }));
    const notes = [...document.querySelectorAll(".pair summary .muted")].map((node) => node.textContent ?? "");
    expect(notes).toHaveLength(6);
    const scores = result.data.columns[1]!.scores;
    const gaps = result.data.tasks.map((task) => Math.max(...task.map((i) => scores[i]! - result.data.passRatios[i]!)));
    const worst = Math.max(...gaps);
    const row = scores.findIndex((score, i) => score - result.data.passRatios[i]! === worst);
    expect(notes[0]).toContain(
      `score ${scores[row]!.toFixed(3)}, passes ${result.data.rows[row]!.n_passed} of 4 tests`,
    );
  });

  it("says which columns there are when asked for another", () => {
    expect(() => renderReport(result, { title: "a", focus: "no such" })).toThrow("got `no such`");
  });

  it("stands with one program, with no score column, and with scores outside [0, 1]", () => {
    const rows = [labelledRow({ pass_ratio: 1 })];
    const one = renderReport(evaluate({ rows, columns: [columnOf("m", [0.5])], resamples: 5 }), { title: "one" });
    expect(one).toContain("1 programs of 1 tasks");
    expect(one).not.toContain("NaN");
    const none = renderReport(evaluate({ rows: simulatedRows(3, 3, 1), columns: [], resamples: 5 }), { title: "none" });
    expect(none).toContain("difficulty-only oracle");
    const many = simulatedRows(5, 5, 1);
    const wide = columnOf(
      "w",
      noisyScores(many, 0.3, 1).map((score) => 10 * score - 4),
    );
    const html = renderReport(evaluate({ rows: many, columns: [wide], resamples: 5 }), { title: "wide" });
    expect(html).not.toContain("NaN");
  });
});
