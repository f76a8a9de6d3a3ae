import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp, type Listening, listen } from "../../src/server/index.ts";
import { chromium, openTab, type Tab } from "./chromium.ts";
import { fakeScorer } from "./fake.ts";

describe.skipIf(chromium === undefined)("the page, in a browser", () => {
  let server: Listening;
  let tab: Tab;
  beforeAll(async () => {
    server = await listen(await createApp({ scorer: fakeScorer(), apiKey: "key" }), { port: 0 });
    tab = await openTab(chromium!, server.url);
  });
  afterAll(async () => {
    await tab?.close();
    await server?.close();
  });

  const fill = (id: string, text: string) =>
    tab.evaluate(`document.getElementById(${JSON.stringify(id)}).value = ${JSON.stringify(text)}`);
  const submit = async (): Promise<string> => {
    await tab.evaluate(
      "document.getElementById('result').replaceChildren(), document.getElementById('form').requestSubmit()",
    );
    await expect
      .poll(() => tab.evaluate("document.getElementById('result').innerText"), { timeout: 5000 })
      .not.toBe("");
    return (await tab.evaluate("document.getElementById('result').innerText")) as string;
  };

  it("asks for the key when the server wants one, then shows score, Exec and signature", async () => {
    await fill("candidate", "0.625");
    await fill("reference", "def f(x): return x");
    expect(await tab.evaluate("document.getElementById('key-field').hidden")).toBe(true);
    expect(await submit()).toContain("expected the header");
    expect(await tab.evaluate("document.getElementById('key-field').hidden")).toBe(false);
    await fill("key", "key");
    expect((await submit()).split(/\s+/).join(" ")).toBe(
      "Score 0.625 Runs 0.750 Looked at reference Signature codescore|fake",
    );
  });

  it("shows what came as text, never as markup", async () => {
    await tab.evaluate("document.getElementById('candidate').required = false");
    await fill("candidate", "");
    expect(await submit()).toContain("got <b>nothing</b>");
    expect(await tab.evaluate("document.querySelectorAll('#result b').length")).toBe(0);
  });

  it("fits a phone without scrolling sideways, and follows the dark scheme", async () => {
    await tab.send("Emulation.setDeviceMetricsOverride", {
      width: 360,
      height: 740,
      deviceScaleFactor: 2,
      mobile: true,
    });
    expect(await tab.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    const ground = () => tab.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await ground();
    await tab.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
    expect(await ground()).not.toBe(light);
  });

  it("breaks no rule of its own policy", () => {
    expect(tab.console.filter((message) => !message.includes("401"))).toEqual([]);
  });
});
