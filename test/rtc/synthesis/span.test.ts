import { describe, expect, it } from "vitest";
import { placeSpan } from "../../../src/rtc/synthesis/project-run.ts";
import {
  contextOf,
  drawSpans,
  findSpans,
  putInto,
  type Span,
  spanText,
  surroundings,
  withoutSpan,
} from "../../../src/rtc/synthesis/span.ts";
import { shop } from "./shop.ts";

const file = (text: string) => ({ path: "a/b.py", text });
const spansOf = (text: string, options = {}): Promise<Span[]> => findSpans(file(text), options);
const textsOf = (spans: readonly Span[]): string[] => spans.map((span) => spanText(span).trim());
const one = async (text: string, wanted: string): Promise<Span> => {
  const span = (await spansOf(text, { least: 1 })).find((s) => spanText(s).trim() === wanted);
  if (!span) throw new Error(`no span ${wanted}`);
  return span;
};

describe("findSpans", () => {
  it("takes consecutive statements of one block, within the bounds", async () => {
    const text = "a = 1\nb = 22\nif a:\n    c = 333\n    d = 4\n";
    expect(textsOf(await spansOf(text, { least: 6, most: 13 }))).toEqual(["a = 1\nb = 22", "b = 22", "c = 333"]);
  });

  it("takes 32 to 384 characters unless told", async () => {
    const lengths = (await spansOf(shop)).map((span) => spanText(span).trim().length);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(32);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(384);
    const line = (n: number): string => `a = "${"x".repeat(n - 6)}"\n`;
    expect(await spansOf(line(31))).toHaveLength(0);
    expect(await spansOf(line(32))).toHaveLength(1);
    expect(await spansOf(line(384))).toHaveLength(1);
    expect(await spansOf(line(385))).toHaveLength(0);
  });

  it("takes a file that begins with an empty line", async () => {
    const [span] = await spansOf("\na = 1\n", { least: 1 });
    expect(contextOf(span!)).toEqual({ before: "\n", after: "\n" });
  });

  it("names a span by its lines", async () => {
    expect((await one("a = 1\nif a:\n    b = 2\n    c = 3\n", "b = 2\n    c = 3")).id).toBe("a/b.py:3-4");
  });

  it.each([
    ["tests in a module", "def test_it():\n    value = 1\nclass TestIt:\n    value = 2\nother = 3\n", ["other = 3"]],
    [
      "statements that share a line",
      "a = 1; b = 2\nif a: b = 3\nc = 4\n",
      ["if a: b = 3", "if a: b = 3\nc = 4", "c = 4"],
    ],
    ["files that do not parse", "def f(:\n    a = 1\n", []],
  ])("leaves out %s", async (_, text, expected) => {
    expect(textsOf(await spansOf(text, { least: 1, most: 40 }))).toEqual(expected);
  });

  it("weighs a span by its characters, each divided by the number of spans that contain it", async () => {
    const spans = await spansOf(shop);
    const places = (span: Span): number[] => {
      const from = span.start + span.indent.length;
      const length = spanText(span).trim().length;
      return Array.from({ length }, (_, i) => from + i);
    };
    const all = spans.map((span) => new Set(places(span)));
    for (const span of spans) {
      const weight = places(span).reduce((sum, at) => sum + 1 / all.filter((those) => those.has(at)).length, 0);
      expect(span.weight).toBeCloseTo(weight, 9);
    }
  });
});

describe("drawSpans", () => {
  it("draws first in proportion to the weights, all in the end, and the same for the same seed", async () => {
    const spans = await spansOf(shop);
    const firsts = new Map<string, number>();
    const draws = 4000;
    for (let seed = 0; seed < draws; seed++) {
      const [first] = drawSpans(spans, seed);
      firsts.set(first!.id, (firsts.get(first!.id) ?? 0) + 1);
    }
    const sum = spans.reduce((total, { weight }) => total + weight, 0);
    const chi2 = spans.reduce((total, { id, weight }) => {
      const expected = (draws * weight) / sum;
      return total + ((firsts.get(id) ?? 0) - expected) ** 2 / expected;
    }, 0);
    // Mean k - 1, standard deviation sqrt(2 (k - 1)).
    const freedom = spans.length - 1;
    expect(chi2).toBeLessThan(freedom + 4 * Math.sqrt(2 * freedom));
    expect(new Set(drawSpans(spans, 7))).toEqual(new Set(spans));
    expect(drawSpans(spans, 7)).toEqual(drawSpans(spans, 7));
  });
});

describe("a span in its file", () => {
  const numbered = Array.from({ length: 200 }, (_, i) => `a${String(i).padStart(3, "0")} = ${i % 10}`).join("\n");

  it("shows whole lines, 1,024 characters for both sides together", async () => {
    const { before, after } = contextOf(await one(numbered, "a100 = 0"));
    expect(before.length + after.length).toBeLessThanOrEqual(1024);
    expect(before.length + after.length).toBeGreaterThan(1024 - 2 * 10);
    expect(Math.abs(before.length - after.length)).toBeLessThan(20);
    expect(`${numbered}\n`).toContain(`\n${before}a100 = 0${after}\n`);
    expect(before.startsWith("a")).toBe(true);
  });

  it.each(["a003 = 3", "a196 = 6"])("gives the other side what is left at %s", async (target) => {
    const { before, after } = contextOf(await one(numbered, target));
    expect(before.length + after.length).toBeLessThanOrEqual(1024);
    expect(Math.max(before.length, after.length)).toBeGreaterThan(900);
  });

  it("is replaced by pass only where its block would be empty", async () => {
    const text = "def f(x):\n    y = x\n    return y\n";
    expect(withoutSpan(await one(text, "y = x\n    return y"))).toBe("def f(x):\n    pass\n");
    expect(withoutSpan(await one(text, "return y"))).toBe("def f(x):\n    y = x\n\n");
    expect(withoutSpan(await one("a = 1\n", "a = 1"))).toBe("\n");
  });

  it("is compared within its function", async () => {
    const span = await one(shop, 'return f"{name.title()}: for free today"');
    expect(surroundings(span, "            return 1")).toBe(
      'def text(self, name, price):\n    if price == 0:\n        return 1\n    return f"{name.title()}: {price:.2f}"\n',
    );
    const alone = await one("first = 1\nsecond = 2\n", "second = 2");
    expect(surroundings(alone, "second = 3")).toBe("second = 3\n");
  });

  it("is compared under its function's signature where the function is too long", async () => {
    const body = numbered.split("\n").map((line) => `    ${line}\n`);
    const text = surroundings(await one(`def f(x):\n${body.join("")}`, "a100 = 0"), "    a = 5");
    expect(text.startsWith("def f(x):\n    a0")).toBe(true);
    expect(text).toContain("    a = 5\n    a101 = 1\n");
    expect(text.length).toBeLessThan(1200);
  });
});

describe("placeSpan", () => {
  it.each([
    ["a fence", "Here:\n```python\n    return 1\n```", "        return 1"],
    [
      "a first line without its white space",
      "if x:\n            return 1\n        return 2",
      "        if x:\n            return 1\n        return 2",
    ],
    ["another depth", "if x:\n    return 1", "        if x:\n            return 1"],
    ["an answer without code", "```\n\n```", ""],
  ])("mends %s", (_, answer, expected) => {
    const span = { indent: "        " } as Span;
    expect(placeSpan(span, answer)).toBe(expected);
  });

  it("gives back the same file for the span itself, long strings and all", async () => {
    const text = `${shop}\n\ndef page():\n    head = """first\nsecond\n    third"""\n    return head + "!"\n`;
    for (const span of await spansOf(text)) {
      expect(putInto(span, placeSpan(span, spanText(span)))).toBe(text);
    }
  });
});
