import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp, type Listening, listen } from "../../src/server/index.ts";
import { chromium, openTab, type Tab } from "./chromium.ts";
import { fakeScorer } from "./fake.ts";

const program = "def f(x):\n    y = x  # bug\n    z = '<b>&'\n    while x: bug(bug)\n    return y";

describe.skipIf(chromium === undefined)("the page, in a browser", () => {
  let server: Listening;
  let tab: Tab;
  beforeAll(async () => {
    const fake = fakeScorer();
    const scorer = {
      ...fake,
      scoreAll: async (...given: Parameters<typeof fake.scoreAll>) =>
        (await fake.scoreAll(...given)).map((result) =>
          "error" in result ? result : { ...result, low: 0.125, high: 0.75 },
        ),
    };
    server = await listen(await createApp({ scorer, apiKey: "key" }), { port: 0 });
    tab = await openTab(chromium!, server.url);
  });
  afterAll(async () => {
    await tab?.close();
    await server?.close();
  });

  const $ = (id: string): string => `document.getElementById("${id}")`;
  const text = async (id: string): Promise<string> =>
    ((await tab.evaluate(`${$(id)}.innerText`)) as string).split(/\s+/).join(" ").trim();
  const fill = (id: string, value: string) => tab.evaluate(`${$(id)}.value = ${JSON.stringify(value)}`);
  const submitted = async (): Promise<string> => {
    await expect.poll(() => tab.evaluate(`${$("button")}.disabled`), { timeout: 60_000 }).toBe(false);
    return text("result");
  };
  const submit = async (): Promise<string> => {
    await tab.evaluate(`${$("form")}.requestSubmit()`);
    return submitted();
  };
  const press = async (key: string, modifiers = 0): Promise<void> => {
    const code = { Tab: 9, Enter: 13 }[key] ?? key.charCodeAt(0);
    const event = { key, code: key, windowsVirtualKeyCode: code, modifiers };
    for (const type of ["rawKeyDown", "keyUp"]) await tab.send("Input.dispatchKeyEvent", { type, ...event });
  };
  const focused = () => tab.evaluate("document.activeElement.id");

  it("asks for the key when the server wants one, then shows score, interval, Exec and signature", async () => {
    await fill("candidate", "0.625");
    await fill("reference", "def f(x): return x");
    await tab.evaluate(`${$("explain")}.checked = false`);
    expect(await tab.evaluate(`${$("key-field")}.hidden`)).toBe(true);
    expect(await submit()).toContain("expected the header");
    expect(await tab.evaluate(`${$("key-field")}.hidden`)).toBe(false);
    expect(await focused()).toBe("key");
    await fill("key", "key");
    expect(await submit()).toBe("Score 0.625 (0.13 to 0.75) Runs 0.750 Looked at reference Signature codescore|fake");
    expect(await tab.evaluate(`${$("lines")}.hidden`)).toBe(true);
  });

  it("shows the candidate's lines and marks the ones that cost the most", async () => {
    await fill("candidate", program);
    await tab.evaluate(`${$("explain")}.checked = true`);
    const costs = "What costs the most: line 4 (\u22120.500), line 2 (\u22120.250).";
    expect(await submit()).toContain(`line 4: nothing defines \`bug\` ${costs}`);
    const rows = (await tab.evaluate(
      `[...${$("lines")}.querySelectorAll("tbody tr")].map((row) => [row.className, ...[...row.cells].map((cell) => cell.textContent)])`,
    )) as string[][];
    expect(rows).toEqual([
      ["", "1", "", "def f(x):"],
      ["costs most", "2", "\u22120.250", "    y = x  # bug"],
      ["differs", "3", "+0.000", "    z = '<b>&'"],
      ["costs most", "4", "\u22120.500", "    while x: bug(bug)"],
      ["differs", "5", "+0.000", "    return y"],
    ]);
  });

  it("shows what came as text, never as markup", async () => {
    expect(await tab.evaluate("document.querySelectorAll('#lines b').length")).toBe(0);
    await tab.evaluate(`${$("candidate")}.required = false`);
    await fill("candidate", "");
    expect(await submit()).toContain("got <b>nothing</b>");
    expect(await tab.evaluate("document.querySelectorAll('#result b').length")).toBe(0);
    expect(await tab.evaluate(`${$("lines")}.hidden`)).toBe(true);
  });

  it("takes files that are dropped on a field", async () => {
    for (const id of ["candidate", "reference", "description"]) {
      await fill(id, "");
      const dropped = await tab.evaluate(`(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["x = '${id}'"], "a.py"));
        return ${$(id)}.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
      })()`);
      expect(dropped).toBe(false); // the browser does not open the file
      await expect.poll(() => tab.evaluate(`${$(id)}.value`)).toBe(`x = '${id}'`);
    }
  });

  it("is used with the keyboard alone", async () => {
    await tab.evaluate(`${$("candidate")}.focus()`);
    const order = [await focused()];
    for (let i = 0; i < 5; i++) {
      await press("Tab");
      order.push(await focused());
    }
    expect(order).toEqual(["candidate", "reference", "description", "key", "explain", "button"]);
    await tab.evaluate(`${$("candidate")}.value = "0.5", ${$("candidate")}.focus(), ${$("result")}.replaceChildren()`);
    await press("Enter", 2); // with Ctrl
    await expect.poll(() => text("result")).toContain("Score 0.500");
    await submitted();
  });

  it("says to a screen reader what each field is and what came out", async () => {
    await fill("candidate", program);
    await submit();
    const { nodes } = (await tab.send("Accessibility.getFullAXTree")) as {
      nodes: {
        ignored: boolean;
        role?: { value: string };
        name?: { value: string };
        properties?: { name: string; value: { value: unknown } }[];
      }[];
    };
    const named = (role: string) =>
      nodes.filter((node) => !node.ignored && node.role?.value === role).map((node) => node.name?.value ?? "");
    expect(named("textbox").map((name) => name.split(" ")[0])).toEqual([
      "Candidate",
      "Reference",
      "Description",
      "Key",
    ]);
    expect(named("checkbox")).toEqual(["Show which lines cost the most"]);
    expect(named("button")).toEqual(["Score"]);
    expect(named("heading")).toEqual(["codescore"]);
    expect(named("main")).toHaveLength(1);
    expect(named("columnheader")).toEqual(["Line", "Effect", "Candidate"]);
    expect(named("rowheader")).toEqual(["1", "2", "3", "4", "5"]);
    const status = nodes.find((node) => node.role?.value === "status")!;
    expect(status.properties).toContainEqual({ name: "live", value: { type: "token", value: "polite" } });
    expect(await tab.evaluate("document.documentElement.lang")).toBe("en");
  });

  it("can be read in light and in dark: text has a contrast of at least 4.5", async () => {
    const faint = `(() => {
      const channels = (color) => color.match(/[\\d.]+/g).map(Number);
      const luminance = (color) => {
        const [r, g, b] = channels(color).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = (node) => {
        for (; node; node = node.parentElement) {
          const color = getComputedStyle(node).backgroundColor;
          if (channels(color)[3] !== 0) return color;
        }
        return "rgb(255, 255, 255)";
      };
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found = [];
      let seen = 0;
      while (texts.nextNode()) {
        const node = texts.currentNode.parentElement;
        if (texts.currentNode.data.trim() === "" || /^(SCRIPT|STYLE)$/.test(node.tagName) || !node.checkVisibility()) continue;
        const [a, b] = [luminance(getComputedStyle(node).color), luminance(ground(node))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        seen += 1;
        if (ratio < 4.5) found.push([texts.currentNode.data.trim(), ratio]);
      }
      return { seen, found };
    })()`;
    for (const value of ["light", "dark"]) {
      await tab.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
      const { seen, found } = (await tab.evaluate(faint)) as { seen: number; found: unknown[] };
      expect(seen).toBeGreaterThan(20);
      expect(found).toEqual([]);
    }
    const dark = await tab.evaluate("getComputedStyle(document.body).backgroundColor");
    await tab.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "light" }] });
    expect(await tab.evaluate("getComputedStyle(document.body).backgroundColor")).not.toBe(dark);
  });

  it("fits a phone without scrolling sideways, long lines included", async () => {
    await fill("candidate", `${program}\n    # ${"long ".repeat(60)}`);
    await submit();
    const phone = { width: 360, height: 740, deviceScaleFactor: 2, mobile: true };
    await tab.send("Emulation.setDeviceMetricsOverride", phone);
    expect(await tab.evaluate("innerWidth")).toBe(360);
    expect(await tab.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    const small = await tab.evaluate(
      "[...document.querySelectorAll('button, label, textarea')].filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 24).length",
    );
    expect(small).toBe(0);
  });

  it("asks nobody but its own server, and breaks no rule of its own policy", async () => {
    const asked = (await tab.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")) as string[];
    expect(asked.length).toBeGreaterThan(5);
    for (const url of asked) expect(url.startsWith(`${server.url}/v1/score`)).toBe(true);
    expect(tab.console.filter((message) => !message.includes("401"))).toEqual([]);
    const foreign = "fetch('http://127.0.0.1:9/').then(() => 'went', (error) => error.name)";
    expect(await tab.evaluate(foreign)).toBe("TypeError"); // refused by the policy, before any connection
    await expect.poll(() => tab.console.some((message) => message.includes("Content Security Policy"))).toBe(true);
  });
});
