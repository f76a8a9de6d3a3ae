/** The report and the rating form in a browser: they run nothing from the data, are readable on a phone, and are accessible. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  drawSheet,
  evaluate,
  type RatingSheet,
  ratingKey,
  ratingPage,
  readRatings,
  renderExplanations,
  renderReport,
  renderSections,
} from "../../src/evaluate/index.ts";
import { IN_WORDS } from "../../src/evaluate/report/words.ts";
import { columnOf, labelledRow, noisyScores, simulatedRows } from "../evaluate/rows.ts";
import { simulatedStages } from "../evaluate/stages.ts";
import { chromium, openTab, type Tab } from "../server/chromium.ts";
import { faults, fitsThePage, press, show } from "../server/look.ts";

const evil = `</script></pre><script>pwned = 1</script><img src=x onerror="pwned = 1">\u2028\u202e"'`;
const rows = simulatedRows(8, 6, 1).map((row, i) =>
  labelledRow({
    ...row,
    task_id: `${evil}${row.task_id}`,
    sample_id: `${evil}${row.sample_id}`,
    made_by: evil,
    first_error: evil,
    description: `${evil} ${"long".repeat(300)}`,
    candidate: `print(${i})  # ${"x".repeat(3000)}\n${evil}`,
    reference: `# ${evil}`,
    executable: i % 3 === 0 ? 0 : 1,
  }),
);
const result = evaluate({
  rows,
  columns: [
    columnOf(evil, noisyScores(rows, 0.4, 2), noisyScores(rows, 0.2, 3)),
    ...[4, 5, 6].map((seed) => columnOf(`plain ${seed}`, noisyScores(rows, 1, seed))),
  ],
  stages: simulatedStages(rows),
  resamples: 20,
});
const patience = { timeout: 60_000 };
describe.skipIf(chromium === undefined)("in a browser", () => {
  let folder = "";
  let tab: Tab;
  const open = async (name: string, html: string): Promise<void> => {
    writeFileSync(join(folder, name), html);
    tab = await openTab(chromium!, pathToFileURL(join(folder, name)).href);
  };
  const ranNothing = async (): Promise<void> => {
    expect(await tab.evaluate("typeof pwned")).toBe("undefined");
    expect(await tab.evaluate("performance.getEntriesByType('resource').length")).toBe(0);
    expect(tab.console).toEqual([]);
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "codescore-pages-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe("the widest table of a report", () => {
    const labels = ["ECE", "ECE mass", "pass ECE", "pass Brier", "pass AUC", "coverage", "coverage by task", "width"];
    const columns = [
      { label: "metric" },
      ...[...labels, "MAE"].map((label) => ({ label: IN_WORDS[label]! })),
      ...[75, 50, 25].map((share) => ({ label: `MAE of narrowest ${share}%` })),
    ];
    const rows = ["codescore-small", "difficulty-only oracle"].map((name) => [
      name,
      ...columns.slice(1).map(() => 0.1),
    ]);
    beforeAll(
      async () =>
      open("wide.html", await renderSections("t", "l", [{ kind: "table", title: "Calibration", table: { columns, rows } }])), // biome-ignore format: one line
    );
    afterAll(() => tab?.close());

    it.each(["light", "dark"] as const)("is in view as a whole at 1,200 pixels, %s", async (scheme) => {
      await show(tab, 1200, scheme);
      const box = `document.querySelector(".scroll")`;
      expect(await tab.evaluate(`${box}.querySelectorAll("thead th").length`)).toBe(13);
      expect(await tab.evaluate(`${box}.scrollWidth - ${box}.clientWidth`)).toBe(0);
      expect(await faults(tab)).toEqual([]);
    });

    it("scrolls on a phone, and the page does not", async () => {
      await show(tab, 390, "light");
      expect(await fitsThePage(tab)).toBe(true);
    });
  });

  describe("a report", () => {
    beforeAll(async () => open("report.html", await renderReport(result, { title: evil })));
    afterAll(() => tab?.close());

    it("runs nothing, asks for nothing and complains of nothing", ranNothing);

    it.each([
      [360, "light"],
      [1200, "dark"],
    ] as const)("fits %i pixels and is accessible, %s", async (width, scheme) => {
      await show(tab, width, scheme);
      await tab.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
      expect(await fitsThePage(tab)).toBe(true);
      expect(await faults(tab)).toEqual([]);
    });

    it("scrolls wide tables and long lines in boxes of their own, which the keyboard reaches", async () => {
      await show(tab, 360, "light");
      const wide = `[...document.querySelectorAll(".scroll, pre")].filter((box) => box.scrollWidth > box.clientWidth)`;
      expect(await tab.evaluate(`${wide}.length`)).toBeGreaterThan(3);
      expect(await tab.evaluate(`${wide}.every((box) => box.tabIndex === 0 && box.getAttribute("aria-label"))`)).toBe(
        true,
      );
    });

    it.each(["light", "dark"] as const)(
      "shows where a table goes on, and keeps its first column in view, %s",
      async (scheme) => {
        await show(tab, 360, scheme);
        const shown = await tab.evaluate(`(() => {
        const box = [...document.querySelectorAll(".scroll")].find((one) => one.scrollWidth > one.clientWidth + 80);
        box.scrollLeft = 80;
        const { backgroundImage, backgroundAttachment, borderLeftWidth } = getComputedStyle(box);
        const left = box.getBoundingClientRect().left + Number.parseFloat(borderLeftWidth);
        const firsts = [...box.querySelectorAll("tr > :first-child")];
        return {
          layers: backgroundImage.match(/linear-gradient/g)?.length,
          backgroundAttachment,
          moved: firsts.filter((cell) => Math.abs(cell.getBoundingClientRect().left - left) > 1).length,
          seeThrough: firsts.filter((cell) => getComputedStyle(cell).backgroundColor === "rgba(0, 0, 0, 0)").length,
        };
      })()`);
        // The shadow stays at the box's end; its cover moves with the table, and lies over the shadow at the table's end.
        expect(shown).toEqual({ layers: 2, backgroundAttachment: "local, scroll, scroll", moved: 0, seeThrough: 0 });
      },
    );

    it("cuts nothing in print, and breaks pages between rows, figures and lines of code, not after a heading", async () => {
      await show(tab, 718, "dark"); // the width of A4 between Chromium's margins
      await tab.send("Emulation.setEmulatedMedia", { media: "print" });
      const cut = `[...document.querySelectorAll(".scroll, pre, .prose")].filter((box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 1).map((box) => box.textContent.slice(0, 80))`;
      expect(await tab.evaluate(cut)).toEqual([]);
      const values = (selector: string, property: string) =>
        tab.evaluate(
          `[...new Set([...document.querySelectorAll("${selector}")].map((one) => getComputedStyle(one).${property}))]`,
        );
      expect(await values("h2, h3, summary, figcaption, h3 + p", "breakAfter")).toEqual(["avoid"]);
      expect(await values("tr", "breakInside")).toEqual(["avoid"]);
      expect(await values("thead", "display")).toEqual(["table-header-group"]);
      expect(await values(".card", "display")).toEqual(["inline-block"]);
      expect(await values(".pair", "breakInside")).toEqual(["auto"]);
      expect(await values("pre code", "display")).toEqual(["block"]);
      await tab.send("Emulation.setEmulatedMedia", { media: "" });
    });

    it("opens and closes a pair of programs by keyboard", async () => {
      await tab.evaluate("document.querySelector('summary').focus()");
      const isOpen = () => tab.evaluate("document.querySelector('details').open");
      const before = await isOpen();
      await press(tab, " ", 32);
      expect(await isOpen()).toBe(!before);
    });
  });

  describe("an explanation", () => {
    const explained = {
      name: `answers/${"long_name".repeat(12)}.py`,
      candidate: `x = ${"12 + ".repeat(60)}1\n`,
      reference: `${"y".repeat(300)} = 1\n`,
      score: { score: 0.25, exec: 0.5 },
      findings: [{ line: 1, what: `\`${"z".repeat(200)}\` is not defined` }],
      lines: [{ line: 1, text: `x = ${"12 + ".repeat(60)}1`, effect: -0.2 }],
      differences: [],
    };
    beforeAll(async () => open("explained.html", renderExplanations("t", [explained])));
    afterAll(() => tab?.close());

    it.each([
      [390, "light"],
      [1200, "dark"],
    ] as const)("fits %i pixels and is accessible, %s, with long names and lines", async (width, scheme) => {
      await show(tab, width, scheme);
      expect(await fitsThePage(tab)).toBe(true);
      expect(
        await tab.evaluate("[...document.querySelectorAll('pre')].every((one) => one.scrollWidth <= one.clientWidth)"),
      ).toBe(true);
      expect(await faults(tab)).toEqual([]);
    });
  });

  describe("a rating form", () => {
    let sheet: RatingSheet;
    beforeAll(async () => {
      sheet = drawSheet({ rows: result.data.rows, columns: result.data.columns, count: 3, seed: 5 });
      await open("form.html", await ratingPage(sheet));
    });
    afterAll(() => tab?.close());
    const click = (id: string) => tab.evaluate(`document.getElementById("${id}").click()`);
    const text = (id: string) => tab.evaluate(`document.getElementById("${id}").textContent`);
    const reload = async (): Promise<void> => {
      await tab.evaluate("fresh = false");
      await tab.send("Page.reload");
      await expect.poll(() => tab.evaluate("typeof fresh + document.readyState"), patience).toBe("undefinedcomplete");
    };

    it("runs its own script and nothing else", ranNothing);

    it.each([
      [360, "light"],
      [1200, "dark"],
    ] as const)("fits %i pixels and is accessible, %s", async (width, scheme) => {
      await show(tab, width, scheme);
      expect(await fitsThePage(tab)).toBe(true);
      expect(await faults(tab)).toEqual([]);
    });

    it("does not say which metric is which, nor who wrote the program", async () => {
      const html = readFileSync(join(folder, "form.html"), "utf8");
      expect(html).not.toContain("plain 4");
      expect(html).not.toContain("PassRatio");
      expect(html).not.toContain("t0#");
    });

    it("counts, keeps what was rated over a reload, and goes to what is not", async () => {
      expect(await text("count")).toBe("0 of 15 rated");
      await click("next");
      expect(await tab.evaluate("document.activeElement.name")).toBe("1A");
      await press(tab, " ", 32);
      expect(await text("count")).toBe("1 of 15 rated");
      await reload();
      expect(await text("count")).toBe("1 of 15 rated");
      expect(await tab.evaluate("document.querySelector('[name=\"1A\"]:checked').value")).toBe("0");
      await click("next");
      expect(await tab.evaluate("document.activeElement.name")).toBe("1B");
    });

    it("asks for a name, then gives a file that is read back", async () => {
      await click("download");
      expect(await text("message")).toBe("Give a name or a pseudonym first.");
      expect(await tab.evaluate("document.activeElement.id")).toBe("rater");
      const name = `Ann "the, rater"`;
      await tab.evaluate(
        `(() => { const rater = document.getElementById("rater"); rater.value = ${JSON.stringify(name)}; rater.dispatchEvent(new Event("input", { bubbles: true })); })()`,
      );
      // Every score of a program except the last gets item plus place, modulo 6.
      await tab.evaluate(
        `document.querySelectorAll("fieldset").forEach((score, i) => { if (i % 5 < 4) score.querySelectorAll("input")[(Number(score.dataset.item) + i) % 6].click(); })`,
      );
      await tab.send("Page.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
      await click("download");
      const file = `ratings-${sheet.id}-Ann-the-rater-.csv`;
      expect(await text("message")).toBe(`Saved as ${file}.`);
      await expect.poll(() => readdirSync(folder), patience).toContain(file);
      const { ratings, unrated } = await readRatings([join(folder, file)], ratingKey(sheet));
      expect(unrated).toBe(3);
      const expected = sheet.items.flatMap(({ number, row, scores }, at) =>
        scores.slice(0, 4).map(({ metric }, k) => ({
          rater: name,
          task_id: row.task_id,
          item: number,
          metric,
          rating: (number + 5 * at + k) % 6,
        })),
      );
      expect(ratings).toEqual(expected);
    });

    it("forgets on demand, after asking", async () => {
      const clicked = click("start-over");
      await expect
        .poll(
          () =>
            tab.send("Page.handleJavaScriptDialog", { accept: true }).then(
              () => true,
              () => false,
            ),
          patience,
        )
        .toBe(true);
      await clicked;
      expect(await text("count")).toBe("0 of 15 rated");
      await reload();
      expect(await text("count")).toBe("0 of 15 rated");
      expect(await tab.evaluate("document.getElementById('rater').value")).toBe("");
    });

    it("stays on one page with nothing to tell its console", async () => expect(tab.console).toEqual([]));
  });
});
