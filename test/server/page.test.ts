import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp, type Listening, listen } from "../../src/server/index.ts";
import { chromium, openTab, type Tab } from "./chromium.ts";
import { fakeScorer } from "./fake.ts";
import { dropOn, fillFields, textOf } from "./look.ts";

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
          "error" in result
            ? result
            : { ...result, low: 0.125, high: 0.75, conclusion: "looks-right" as const, reason: "not executed" },
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
  const fill = (id: string, text: string) => fillFields(tab, { [id]: text });
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
  const focused = () => tab.evaluate("document.activeElement.closest('[id]').id");
  /** Number, mark and text of every line in an editor, with the faults shown below them. */
  const lines = (id: string) =>
    tab.evaluate(
      `[...${$(id)}.querySelectorAll(".cm-line, .cm-fault")].map((line) => [/cm-(\\w+)-line|cm-(fault)/.exec(line.className)?.[0] ?? "", line.textContent])`,
    );

  it("begins with an example, which can be scored at once", async () => {
    await expect.poll(() => textOf(tab, "candidate")).toContain("def best_first(");
    expect(await textOf(tab, "reference")).toContain("key=lambda pair: (-pair[1], pair[0])");
    expect(await textOf(tab, "description")).toContain("the highest score first");
  });

  it("asks for the key at once, since the server wants one, then shows verdict, score, interval, Exec and signature", async () => {
    await fillFields(tab, { candidate: "0.625", reference: "def f(x): return x", description: "" });
    await tab.evaluate(`${$("explain")}.checked = false`);
    expect(await tab.evaluate(`${$("key-field")}.hidden`)).toBe(false);
    expect(await submit()).toContain("expected the header");
    expect(await tab.evaluate(`${$("key-field")}.hidden`)).toBe(false);
    expect(await focused()).toBe("key");
    await tab.evaluate(`${$("key")}.value = "key"`);
    await submit();
    await tab.evaluate("document.querySelector('details').open = true");
    expect(await text("result")).toBe(
      "Looks right Not executed. It resembles a correct program, but one wrong operator would look the same. " +
        "Start the server with --run if the decision matters. " +
        "Score: predicted share of tests passed 0.625 Probability that it runs on every test 0.750 " +
        "It should pass between 12% and 75% of the tests. Such an interval is right for 90% of programs. " +
        "How it was scored Compared with reference Signature codescore|fake",
    );
    expect(await tab.evaluate(`${$("comparison")}.hidden`)).toBe(true);
  });

  it("lets its bars begin and end at one place", async () => {
    const edges = (await tab.evaluate(
      "[...document.querySelectorAll('.bar')].map((bar) => [bar.getBoundingClientRect().left, bar.getBoundingClientRect().right])",
    )) as number[][];
    expect(edges).toHaveLength(2);
    expect(edges[0]).toEqual(edges[1]);
    const [band, at] = (await tab.evaluate(
      "[...document.querySelectorAll('.band, .at')].map(({ style }) => [style.left, style.width])",
    )) as string[][];
    expect([band, at]).toEqual([
      ["12.5%", "62.5%"],
      ["62.5%", ""],
    ]);
  });

  it("marks in the candidate what fails, what costs the score and what differs", async () => {
    await fill("candidate", program);
    await tab.evaluate(`${$("explain")}.checked = true`);
    const costs = "Lines that lower the score the most: line 4 (\u22120.500), line 2 (\u22120.250).";
    expect(await submit()).toContain(costs);
    await expect
      .poll(() => lines("candidate"))
      .toEqual([
        ["", "def f(x):"],
        ["cm-costs-line", "    y = x  # bug"],
        ["cm-differs-line", "    z = '<b>&'"],
        ["cm-fault-line", "    while x: bug(bug)"],
        ["cm-fault", "bug is not defined"],
        ["cm-differs-line", "    return y"],
      ]);
    const effects = "[...document.querySelectorAll('.cm-effects .cm-gutterElement')].map((one) => one.textContent)";
    const shown = (await tab.evaluate(effects)) as string[];
    expect(shown.filter((text) => text.startsWith("\u2212")).sort()).toEqual(["\u22120.250", "\u22120.500"]);
  });

  it("compares both programs beside each other, and lets nobody edit them there", async () => {
    expect(await tab.evaluate(`${$("comparison")}.hidden`)).toBe(false);
    const sides = await tab.evaluate(
      "[...document.querySelectorAll('#diff .cm-content')].map((side) => [side.ariaLabel, side.isContentEditable, side.querySelectorAll('.cm-changedLine').length])",
    );
    expect(sides).toEqual([
      ["Candidate", false, 4],
      ["Reference", false, 1],
    ]);
  });

  it("marks the candidate red and the reference green where they differ, in text and margin", async () => {
    const colours = (await tab.evaluate(
      `[...${$("comparison")}.querySelectorAll(".cm-changedLineGutter")].map((mark) => getComputedStyle(mark).backgroundColor)`,
    )) as string[];
    const [bad, good] = (await tab.evaluate(
      `["--bad", "--good"].map((name) => { const one = document.createElement("i"); one.style.color = "var(" + name + ")"; document.body.append(one); const found = getComputedStyle(one).color; one.remove(); return found; })`,
    )) as string[];
    const sides = (await tab.evaluate(
      `[...${$("comparison")}.querySelectorAll(".cm-changedLineGutter")].map((mark) => mark.closest(".cm-merge-a") ? "reference" : "candidate")`,
    )) as string[];
    expect(colours.length).toBeGreaterThan(0);
    expect(colours).toEqual(sides.map((side) => (side === "reference" ? good : bad)));
  });

  it("keeps marks on their lines while the text is edited, and says that it was", async () => {
    await tab.evaluate(`${$("candidate")}.querySelector(".cm-content").focus()`);
    await press("Home", 2);
    await press("Enter");
    await expect.poll(() => text("said")).toBe("Edited since it was scored.");
    expect(((await lines("candidate")) as string[][]).slice(0, 4)).toEqual([
      ["", ""],
      ["", "def f(x):"],
      ["cm-costs-line", "    y = x  # bug"],
      ["cm-differs-line", "    z = '<b>&'"],
    ]);
  });

  it("finds the program in an answer with a fence, and marks it there", async () => {
    await fill("candidate", `Here it is:\n\`\`\`python\n${program}\n\`\`\`\nDone.`);
    await submit();
    await expect
      .poll(async () => ((await lines("candidate")) as string[][])[3])
      .toEqual(["cm-costs-line", "    y = x  # bug"]);
  });

  it("shows what came as text, never as markup", async () => {
    const hostile = "def f(x):\n    return '<img src=x onerror=alert(1)></script><b>' + \u202eabc + \u0001";
    await dropOn(tab, "candidate", hostile);
    // Invisible characters, and those that change the text direction, are shown as symbols.
    await expect
      .poll(() => textOf(tab, "candidate"))
      .toBe(hostile.replace("\u202e", "\u2022").replace("\u0001", "\u2401"));
    await fill("description", "<b>bold</b>");
    await submit();
    expect(
      await tab.evaluate("document.querySelectorAll('main b, main img[src], main [onerror], main script').length"),
    ).toBe(0);
    await fill("candidate", "");
    expect(await submit()).toContain("got <b>nothing</b>");
    expect(await tab.evaluate("document.querySelectorAll('#result b').length")).toBe(0);
    expect(await tab.evaluate(`${$("comparison")}.hidden`)).toBe(true);
    await fill("description", "");
  });

  it("lets the browser refuse markup that any script would make of text", async () => {
    const tried =
      "(() => { try { document.body.innerHTML = '<p>x'; return 'made'; } catch (error) { return error.name; } })()";
    expect(await tab.evaluate(tried)).toBe("TypeError");
    tab.console.length = 0;
  });

  it("has a link that carries the programs, scores nothing when opened, and leaves out the key", async () => {
    const given = {
      candidate: "def f(x):\n    return '<b>\u05d0&'",
      reference: "def f(x):\n    return x",
      description: 'It\'s "f".',
    };
    await fillFields(tab, given);
    await tab.evaluate(`${$("link")}.click()`);
    await expect.poll(() => text("said")).toMatch(/contains the programs/);
    const hash = (await tab.evaluate("location.hash")) as string;
    expect(hash).toMatch(/^#programs=[\w-]{20,500}$/);
    await tab.evaluate(`${$("clear")}.click()`);
    await expect.poll(() => textOf(tab, "candidate")).toBe("");
    await tab.evaluate(`location.hash = "", location.hash = ${JSON.stringify(hash)}`);
    for (const [id, value] of Object.entries(given)) await expect.poll(() => textOf(tab, id)).toBe(value);
    expect(await text("result")).toBe("");
    await tab.evaluate("location.hash = '#programs=AAAA'");
    await expect.poll(() => text("said")).toContain("cannot be read: it is damaged, or was cut");
    expect(await textOf(tab, "candidate")).toBe(given.candidate);
    await fill("description", "");
  });

  it("takes files that are dropped on a field, which the browser does not open", async () => {
    for (const id of ["candidate", "reference", "description"]) {
      await fill(id, "");
      await fill(id, `x = '${id}'`);
    }
  });

  it("is used with the keyboard alone", async () => {
    await tab.evaluate(`${$("candidate")}.querySelector(".cm-content").focus()`);
    const order = [await focused()];
    for (let i = 0; i < 8; i++) {
      await press("Tab");
      order.push(await focused());
    }
    const fields = ["candidate", "reference", "description", "key"];
    expect(order).toEqual([...fields, "explain", "button", "example", "clear", "link"]);
    await fillFields(tab, { candidate: "0.5", description: "" });
    await tab.evaluate(`${$("candidate")}.querySelector(".cm-content").focus(), ${$("result")}.replaceChildren()`);
    await press("Enter", 2); // with Ctrl
    await expect.poll(() => text("result")).toContain("share of tests passed 0.500");
    await submitted();
    expect(await textOf(tab, "candidate")).toBe("0.5"); // the editor adds no line
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
    const fields = ["Candidate", "Reference", "Description", "Key"];
    expect(named("textbox").map((name) => name.split(" ")[0])).toEqual(expect.arrayContaining(fields));
    expect(named("checkbox")).toEqual(["Explain: mark faults, differences and lines that lower the score"]);
    expect(named("button")).toEqual(["Score", "Example", "Clear", "Copy link"]);
    expect(named("heading")).toEqual(["codescore", "Where they differ"]);
    expect(named("main")).toHaveLength(1);
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

  it("fits a phone without scrolling sideways, long lines included, which it shows in full", async () => {
    const phone = { width: 360, height: 740, deviceScaleFactor: 2, mobile: true };
    await tab.send("Emulation.setDeviceMetricsOverride", phone);
    await fill("candidate", `${program}\n    # ${"long ".repeat(60)}\n    ${"x".repeat(300)} = 1`);
    await submit();
    await expect.poll(() => tab.evaluate(`${$("comparison")}.hidden`)).toBe(false);
    expect(await tab.evaluate("innerWidth")).toBe(360);
    expect(await tab.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    const scrollers = "[...document.querySelectorAll('.cm-scroller')]";
    expect(await tab.evaluate(`${scrollers}.length`)).toBe(3);
    expect(await tab.evaluate(`${scrollers}.filter((one) => one.scrollWidth > one.clientWidth).length`)).toBe(0);
    const small = await tab.evaluate(
      "[...document.querySelectorAll('button, label, textarea, .editor')].filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 24).length",
    );
    expect(small).toBe(0);
  });

  it("prints programs and verdict whole, without what is to be pressed", async () => {
    await tab.send("Emulation.setDeviceMetricsOverride", {
      width: 794,
      height: 1123,
      deviceScaleFactor: 1,
      mobile: false,
    });
    await tab.send("Emulation.setEmulatedMedia", { media: "print" });
    const count = (selector: string, holds: string): Promise<unknown> =>
      tab.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].filter((one) => ${holds}).length`);
    expect(await count("button, input", "one.checkVisibility()")).toBe(0);
    expect(await count(".cm-scroller", "one.checkVisibility()")).toBeGreaterThan(1);
    const isCut = "one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1";
    expect(await count(".cm-scroller", isCut)).toBe(0);
    expect(await tab.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await tab.send("Emulation.setEmulatedMedia", { media: "" });
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
