/** The report of round trips in a browser: it runs nothing from a model, is accessible and fast. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rtcReport } from "../../../src/rtc/report/report.ts";
import type { SampleRow } from "../../../src/rtc/trip/rows.ts";
import { chromium, openTab, type Tab } from "../../server/chromium.ts";
import { faults, fitsThePage, press, show } from "../../server/look.ts";
import { twice } from "../problems.ts";
import { evil, folder, shown, synthesised, useFolder } from "./report.ts";

useFolder();

const patience = { timeout: 60_000 };

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
      await openAll(); // including what the models said
      const said = "[...document.querySelectorAll('[aria-label=\"full answer\"]')].map((one) => one.textContent)";
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
      await choose("show", "split"); // x + x: not the same text, but learned says yes
      expect([await ids(), await count()]).toEqual([["t/twice"], "1 of 2 items, with 1 description that matches"]);
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
      // The rows of one problem, 2,500 times, each with another name.
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
      expect(await tab.evaluate("performance.now() - started")).toBeLessThan(20_000); // half a second on an idle machine
    });
  });
});
