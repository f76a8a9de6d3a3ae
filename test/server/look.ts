/** Helpers to inspect pages in a tab: other screens and media, and problems that axe-core finds. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "vitest";
import type { Tab } from "./chromium.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The problems that axe-core finds in the page as currently shown. */
export async function faults(tab: Tab): Promise<unknown> {
  await tab.evaluate(axe);
  return tab.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html.slice(0, 200), nodes[0].failureSummary]))",
  );
}

export async function show(tab: Tab, width: number, scheme: "light" | "dark"): Promise<void> {
  await tab.send("Emulation.setDeviceMetricsOverride", {
    width,
    height: 800,
    deviceScaleFactor: 1,
    mobile: width < 600,
  });
  await tab.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
}

export async function press(tab: Tab, key: string, code: number): Promise<void> {
  const event = { key, code: key, windowsVirtualKeyCode: code, ...(key === " " && { text: " " }) };
  for (const type of ["keyDown", "keyUp"]) await tab.send("Input.dispatchKeyEvent", { type, ...event });
}

/** Whether nothing is wider than the page. */
export const fitsThePage = (tab: Tab): Promise<unknown> =>
  tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth");

/** Drops a file on each field of the server's page, and waits until the field has its text. */
export async function fillFields(tab: Tab, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [id, text] of Object.entries(texts)) {
    await dropOn(tab, id, text);
    await expect.poll(() => textOf(tab, id)).toBe(text);
  }
}

export async function dropOn(tab: Tab, id: string, text: string): Promise<void> {
  const isLeft = await tab.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([${JSON.stringify(text)}], "a.py"));
    const field = document.getElementById("${id}");
    return field.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  })()`);
  if (isLeft !== false) throw new Error(`the browser would open the file itself, dropped on ${id}`);
}

/** The text of a field. For an editor line by line, without the marks. */
export const textOf = (tab: Tab, id: string): Promise<unknown> =>
  tab.evaluate(`(() => {
    const field = document.getElementById("${id}");
    if ("value" in field) return field.value;
    return [...field.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\\n");
  })()`);
