import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { evaluate, renderReport } from "../../../src/evaluate/index.ts";
import { columnOf, labelledRow } from "../rows.ts";

const program = (task: string, passed: number) =>
  labelledRow({ task_id: task, sample_id: `${task}-${passed}`, n_tests: 4, n_passed: passed, pass_ratio: passed / 4 });

async function opening(rows: ReturnType<typeof program>[], scores: number[]) {
  const result = evaluate({ rows, columns: [columnOf("mine", scores)], resamples: 5 });
  const { document } = parseHTML(await renderReport(result, { title: "t" }));
  return document;
}

describe("a report's first sentence", () => {
  it("says in how many pairs the scores rank programs as execution does", async () => {
    const rows = [program("a", 0), program("a", 4), program("b", 2), program("b", 4)];
    // One of six pairs has equal PassRatios. Of the other five only the pair within b is in the wrong order.
    const document = await opening(rows, [0.1, 0.9, 0.8, 0.7]);
    expect(document.querySelector(".verdict")!.textContent).toBe(
      "mine ranks 4 programs as execution does in 80.0% of pairs. Among pairs of the same task: 50.0%. Chance is 50%.",
    );
  });

  it("claims nothing where no two programs differ", async () => {
    const document = await opening([program("a", 2), program("b", 2)], [0.2, 0.4]);
    expect(document.querySelector(".verdict")!.textContent).toContain(
      "mine cannot be judged on 2 programs: no two of them differ in PassRatio.",
    );
  });

  it("is followed by figures and tables that are named in words", async () => {
    const rows = [program("a", 0), program("a", 4), program("b", 2), program("b", 4)];
    const document = await opening(rows, [0.1, 0.9, 0.6, 0.7]);
    const figures = [...document.querySelectorAll(".key dt")].map((term) => term.textContent);
    expect(figures).toContain("Within-task rank correlation");
    const heads = [...document.querySelectorAll("thead th")].map((head) => head.textContent);
    expect(heads).toContain("mean absolute error (MAE)");
    for (const short of ["tau", "r_s", "r_p", "MAE", "ECE", "AUC"]) expect(heads).not.toContain(short);
  });

  it("never shows a zero with a sign", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => program(`t${i % 4}`, (i * 7) % 5));
    const document = await opening(
      rows,
      rows.map((_, i) => ((i * 13) % 11) / 11),
    );
    expect(document.documentElement.outerHTML).not.toMatch(/-0\.000\b/);
  });
});
