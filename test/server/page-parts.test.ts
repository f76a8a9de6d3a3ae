/** The parts of the page that need no browser. */
import { Text } from "@codemirror/state";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changesOf } from "../../src/server/page/changes.ts";
import { fragmentOf, MOST, programsIn } from "../../src/server/page/link.ts";
import { advice, behaviourInWords, digits, intervalInWords, percent, signed } from "../../src/server/page/words.ts";

const ran = { agree: null, inputs: 1, examples: null, samples: null, source: null, counterexample: null };

describe("the words of the page", () => {
  it.each([
    [-0.0002, "0.000"],
    [0, "0.000"],
    [-0, "0.000"],
    [0.0004, "0.000"],
    [-0.25, "\u22120.250"],
    [0.5, "+0.500"],
  ])("%f has the effect %s", (effect, text) => expect(signed(effect)).toBe(text));

  it("never shows a zero with a sign", () => {
    for (const value of [-0, -0.0004, 0.0004]) expect(digits(value)).toBe("0.000");
    expect(digits(-0.001)).toBe("-0.001");
  });

  it("rounds a share down: nearly all is not all", () => {
    expect([1, 0.9987, 0.29, 0.57, 0].map(percent)).toEqual(["100%", "99%", "29%", "57%", "0%"]);
  });

  it("says what an interval means, rounded outwards", () => {
    expect(intervalInWords(0.129, 0.751, 0.9)).toBe(
      "It should pass between 12% and 76% of the tests. Such an interval is right for 90% of programs.",
    );
    expect(intervalInWords(0.61, 1, 0.9, "fails")).toContain("It may still pass between 61% and 100% of the tests.");
    expect(intervalInWords(0, 0, 0.9, "fails")).toContain("It should pass none of the tests.");
    expect(intervalInWords(0, 1, 0.9)).toContain("says little about this program");
  });

  it("counts one thing as one", () => {
    expect(behaviourInWords(ran)[0]).toMatch(/^ran on 1 input;/);
    expect(behaviourInWords({ ...ran, agree: 1, examples: { passed: 1, total: 1 } })).toEqual([
      "behaves like the reference on 1 of 1 input",
      "passes 1 of 1 example of the description",
    ]);
    expect(behaviourInWords({ ...ran, inputs: 40, agree: 0.95 })[0]).toContain("38 of 40 inputs");
  });

  it("advises to run where a decision would hang on resemblance, and nowhere else", () => {
    expect(advice("looks-right", true)).toContain("Tick \u201cRun it\u201d");
    expect(advice("unknown", false)).toContain("Start the server with --run");
    expect([advice("fails", true), advice("behaves-right", true)]).toEqual(["", ""]);
    expect(advice("unknown", true, { ...ran, source: "examples", examples: { passed: 1, total: 1 } })).toContain(
      "A reference, or more examples",
    );
    expect(advice("unknown", true, { ...ran, source: "reference", agree: 0.9 })).toBe("");
  });
});

describe("a link", () => {
  const wellFormed = fc.string({ unit: "grapheme", maxLength: 200 });

  it("carries any programs there and back", async () => {
    const programs = fc.record({ candidate: wellFormed, reference: wellFormed, description: wellFormed });
    await fc.assert(
      fc.asyncProperty(programs, async (given) => {
        const fragment = await fragmentOf(given);
        expect(fragment).toMatch(/^programs=[\w-]+$/);
        expect(await programsIn(fragment)).toEqual(given);
      }),
    );
  });

  it("is refused where the programs are too long", async () => {
    const noise = Array.from({ length: 20_000 }, (_, i) => ((i * 7919) % 10_007).toString(36)).join("");
    const given = { candidate: noise, reference: "", description: "" };
    await expect(fragmentOf(given)).rejects.toThrow(/too long for a link: [\d,]+ characters; a link holds 16,000/);
    await expect(fragmentOf({ ...given, candidate: "a".repeat(MOST.bytes) })).rejects.toThrow("bytes unpacked");
  });

  it("without programs is none", async () => {
    for (const fragment of ["", "top", "program=x"]) expect(await programsIn(fragment)).toBeNull();
  });

  const packed = async (text: string): Promise<string> => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = Buffer.from(await new Response(stream).arrayBuffer());
    return `programs=${bytes.toString("base64url")}`;
  };

  it.each([
    ["programs=", "damaged, or was cut"],
    ["programs=!!!", "damaged, or was cut"],
    ["programs=AAAA", "damaged, or was cut"],
    [`programs=${"A".repeat(MOST.fragment)}`, "expected at most 16000 characters"],
  ])("that is damaged is refused: %.30s", async (fragment, why) => {
    await expect(programsIn(fragment)).rejects.toThrow(why);
  });

  it("that was cut is refused", async () => {
    const whole = await fragmentOf({ candidate: "def f(x):\n    return x", reference: "", description: "" });
    await expect(programsIn(whole.slice(0, -8))).rejects.toThrow("damaged, or was cut");
  });

  it("that holds something else is refused", async () => {
    for (const value of ['["a","b"]', '{"candidate":"a"}', '["a","b",3]', "null", "7"])
      await expect(programsIn(await packed(value))).rejects.toThrow("cannot be read");
  });

  it("that unfolds to more than a page should hold is refused before all of it is unfolded", async () => {
    const bomb = await packed("a".repeat(10_000_000));
    expect(bomb.length).toBeLessThan(MOST.fragment);
    const before = process.memoryUsage().arrayBuffers;
    await expect(programsIn(bomb)).rejects.toThrow(`unpack to more than ${MOST.bytes} bytes`);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
  });
});

describe("changes of a comparison", () => {
  const reference = Text.of([
    "def f(xs):",
    "    total = 0",
    "    for x in xs:",
    "        total += x",
    "    return total",
  ]);
  const shown = (a: Text, b: Text, changes: ReturnType<typeof changesOf>) =>
    changes.map(({ fromA, toA, fromB, toB }) => [a.sliceString(fromA, toA), b.sliceString(fromB, toB)]);

  it("name what differs inside a pair of lines", () => {
    const candidate = Text.of(["def f(ys):", "    s = 0", "    for y in ys:", "        s -= y", "    return s"]);
    const pair = { candidate: { line: 4, text: "        s -= y" }, reference: { line: 4, text: "        total += x" } };
    const changes = changesOf(reference, candidate, [pair]);
    expect(changes.length).toBeGreaterThan(0);
    for (const { fromA, toA, fromB, toB } of changes) {
      expect([reference.lineAt(fromA).number, reference.lineAt(toA).number]).toEqual([4, 4]);
      expect([candidate.lineAt(fromB).number, candidate.lineAt(toB).number]).toEqual([4, 4]);
    }
  });

  it("put a line that only one has where it stands in its own program", () => {
    const candidate = Text.of([
      "def f(ys):",
      "    s = 0",
      "",
      "    # all",
      "    for y in ys:",
      "        print(y)",
      "        s += y",
      "    return s",
    ]);
    const extra = { candidate: { line: 6, text: "        print(y)" }, reference: null };
    const changes = changesOf(reference, candidate, [extra]);
    expect(shown(reference, candidate, changes)).toEqual([["", "        print(y)\n"]]);
    expect(reference.lineAt(changes[0]!.fromA).text).toBe("        total += x");
    const back = changesOf(candidate, reference, [{ candidate: null, reference: extra.candidate }]);
    expect(shown(candidate, reference, back)).toEqual([["        print(y)\n", ""]]);
    expect(reference.lineAt(back[0]!.fromB).text).toBe("        total += x");
  });

  it("are in order and apart, whatever a server says", () => {
    const lines = fc.array(fc.constantFrom("", "x = 1", "    y", "# z", "return"), { minLength: 1, maxLength: 8 });
    const place = fc.option(
      fc.record({ line: fc.integer({ min: 1, max: 10 }), text: fc.constantFrom("a", "a\nb", "") }),
      { nil: null },
    );
    const differences = fc.array(fc.record({ candidate: place, reference: place }), { maxLength: 6 });
    fc.assert(
      fc.property(lines, lines, differences, (left, right, all) => {
        const [a, b] = [Text.of(left), Text.of(right)];
        let [endA, endB] = [0, 0];
        for (const { fromA, toA, fromB, toB } of changesOf(a, b, all)) {
          expect(fromA >= endA && fromB >= endB && toA >= fromA && toB >= fromB).toBe(true);
          [endA, endB] = [toA, toB];
        }
        expect(endA <= a.length && endB <= b.length).toBe(true);
      }),
    );
  });
});
