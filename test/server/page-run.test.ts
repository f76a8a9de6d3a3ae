/** The page of a server that runs candidates, in a browser. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp, type Listening, listen } from "../../src/server/index.ts";
import type { Behaviour } from "../../src/types.ts";
import { chromium, openTab, type Tab } from "./chromium.ts";
import { fakeScorer } from "./fake.ts";
import { fakeLane, fakeRunner } from "./fake-lane.ts";
import { faults, fillFields, fitsThePage, show } from "./look.ts";

it("offers to run only where the server does", async () => {
  const pageOf = async (options: object) =>
    (await (await createApp({ scorer: fakeScorer(), ...options })).request("/")).text();
  const field = /<label class="check" data-runs( hidden)?><input id="run" type="checkbox">/;
  expect(field.exec(await pageOf({}))![1]).toBe(" hidden");
  expect(field.exec(await pageOf({ runner: fakeRunner() }))![1]).toBeUndefined();
});

interface Submitted {
  readonly candidate: string;
  readonly reference: string;
  readonly run: boolean;
  readonly explain: boolean;
}

describe.skipIf(chromium === undefined)("the page of a server that runs candidates", () => {
  let server: Listening;
  let tab: Tab;
  let behaviour: Partial<Behaviour> = {};
  const lane = fakeLane();
  beforeAll(async () => {
    const changing = {
      ...lane,
      run: (...given: Parameters<typeof lane.run>) => {
        lane.jobs.push(given[0].rows.map(({ candidate }) => candidate));
        return fakeLane({ behaviour }).run(...given);
      },
    };
    server = await listen(await createApp({ scorer: fakeScorer(), runner: fakeRunner(changing) }), { port: 0 });
    tab = await openTab(chromium!, server.url);
  });
  afterAll(async () => {
    await tab?.close();
    await server?.close();
  });

  const $ = (id: string): string => `document.getElementById("${id}")`;
  const submit = async ({ run, explain, ...texts }: Submitted): Promise<string> => {
    await fillFields(tab, texts);
    await tab.evaluate(`${$("run")}.checked = ${run}, ${$("explain")}.checked = ${explain}`);
    await tab.evaluate(`${$("form")}.requestSubmit()`);
    await expect.poll(() => tab.evaluate(`${$("button")}.disabled`)).toBe(false);
    return ((await tab.evaluate(`${$("result")}.innerText`)) as string).split(/\s+/).join(" ").trim();
  };
  const program = { candidate: "def is_prime(n): return True", reference: "def is_prime(n): return n > 1" };

  it("runs nothing until that is asked for", async () => {
    expect(await tab.evaluate(`${$("run")}.checked`)).toBe(false);
    const text = await submit({ ...program, run: false, explain: false });
    expect(text).not.toContain("Running it");
    expect(lane.jobs).toEqual([]);
  });

  it("says in plain words what running showed, with the counterexample", async () => {
    const text = await submit({ ...program, run: true, explain: true });
    expect(lane.jobs).toEqual([[program.candidate]]);
    expect(text).toContain("share of tests passed 0.250 Probability that it runs on every test 0.750");
    expect(text).toContain("It should pass between 12% and 50% of the tests.");
    expect(text).toContain(
      "Running it showed that it behaves like the reference on 38 of 40 inputs " +
        "passes 1 of 2 examples of the description is_prime(9): expected False, got True",
    );
    expect(text).toContain("Possible faults: line 1: it uses none of its arguments");
  });

  it.each<[Partial<Behaviour>, string]>([
    [
      { agree: null, samples: 0.6666, examples: null, source: "samples", counterexample: null },
      "Running it showed that it gives the same answers as 66% of the other candidates",
    ],
    [{ agree: 0.9987, examples: null }, "behaves like the reference on 99% of 40 inputs"],
    [{ agree: 1, examples: null, counterexample: null }, "behaves like the reference on 40 of 40 inputs"],
    [
      { agree: null, examples: null, counterexample: null, source: "examples" },
      "ran on 40 inputs; the correct answers are unknown",
    ],
    [
      { agree: null, inputs: 0, source: null, reason: "it needs numpy, which is not here" },
      "Not run: it needs numpy, which is not here. The score is based on the text alone.",
    ],
  ])("says so of %j", async (shown, expected) => {
    behaviour = shown;
    expect(await submit({ ...program, run: true, explain: false })).toContain(expected);
  });

  it("shows answers as text, each in a direction of its own", async () => {
    const got = "'<b>\u05d0\u05d1</b>'";
    behaviour = { counterexample: { input: "f('\u05d0')", expected: "'a'", got } };
    const text = await submit({ ...program, run: true, explain: false });
    expect(text).toContain(`f('\u05d0'): expected 'a', got ${got}`);
    expect(await tab.evaluate("document.querySelectorAll('#result b').length")).toBe(0);
    const parts = await tab.evaluate(
      "[...document.querySelectorAll('.counterexample bdi')].map((part) => part.textContent)",
    );
    expect(parts).toEqual(["f('\u05d0')", "'a'", got]);
  });

  it("can be used by everybody: in light and dark, wide and narrow, long answers included", async () => {
    const long = `[${"12345678, ".repeat(11)}…`;
    behaviour = { counterexample: { input: `f(${long})`, expected: long, got: long } };
    await submit({ ...program, run: true, explain: true });
    for (const scheme of ["light", "dark"] as const) {
      for (const width of [360, 1200]) {
        await show(tab, width, scheme);
        expect(await fitsThePage(tab)).toBe(true);
        expect(await faults(tab)).toEqual([]);
      }
    }
    expect(tab.console).toEqual([]);
  });
});
