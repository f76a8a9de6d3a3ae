/** The page of a training run. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseHTML } from "linkedom";
import { expect, it, onTestFinished } from "vitest";
import { renderTraining } from "../../../src/evaluate/index.ts";

function runFolder(name: string, lines: readonly unknown[]): string {
  const parent = mkdtempSync(join(tmpdir(), "codescore-training-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "log.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return folder;
}

const dev = { rows: 9, kendallTau: 0.25, spearman: 0.5, pearson: null, mae: 0.125, withinAuc: 0.75, execF1: 1 };

it("has no empty plot where nothing was evaluated", async () => {
  const { document } = parseHTML(await renderTraining(runFolder("run", [{ step: 1, loss: 2 }])));
  expect([...document.querySelectorAll(".card h3")].map(({ textContent }) => textContent)).toEqual([
    "Loss of each step",
  ]);
});

it("has the curves and every evaluation, and nothing that a name could bring in", async () => {
  const evil = `<img src=x onerror='alert(1)'>&amp;`;
  const folder = runFolder(evil, [
    { step: 1, loss: 2 },
    { step: 2, loss: 1, dev },
    { step: 3, loss: 0.75 },
    { step: 4, loss: 0.5, dev: { ...dev, spearman: 0.875, execAuc: `<script>alert("x")</script>` } },
  ]);
  const html = await renderTraining(folder);
  const { document } = parseHTML(html);
  expect(document.querySelector("h1")?.textContent).toBe(`Training of ${evil}`);
  expect(document.querySelectorAll("script, img, iframe, object, embed, link, form, base")).toHaveLength(0);
  expect(html).not.toMatch(/\b(src|href|xlink:href)\s*=\s*["'](?!#)/);
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);

  // One line each: four losses, two evaluations.
  const lines = [...document.querySelectorAll(".card svg [aria-label=line] path")].map((path) =>
    path.getAttribute("d"),
  );
  expect(lines.map((d) => d?.match(/[ML]/g)?.length)).toEqual([4, 2]);
  const rows = [...document.querySelectorAll("tbody tr")].map((tr) => [...tr.children].map((cell) => cell.textContent));
  expect(rows).toEqual([
    ["2", "0.250", "0.500", "-", "0.125", "0.750", "1.000", "-"],
    ["4", "0.250", "0.875", "-", "0.125", "0.750", "1.000", `<script>alert("x")</script>`],
  ]);
});

it("is there before the first evaluation, and refuses what is no log", async () => {
  const html = await renderTraining(runFolder("run", [{ step: 1, loss: 2 }]));
  expect(html).toContain("Step 1, loss 2.0000.");
  expect(html).not.toContain("<table");
  await expect(renderTraining(runFolder("run", [{ loss: 2 }]))).rejects.toThrow(/log\.jsonl:1: expected a line/);
  await expect(renderTraining(join(tmpdir(), "codescore-no-such-run"))).rejects.toThrow(/no such file/);
});
