/** On a terminal the table cuts counterexamples to its width; elsewhere, and with explanations, they are whole. */
import { expect, it } from "vitest";
import { fitCounterexample } from "../../src/behaviour/fit.ts";
import { showCounterexample } from "../../src/behaviour/show.ts";
import { CiReport } from "../../src/cli/score/ci.ts";
import { toTable, workerRow } from "../../src/cli/score/output.ts";
import { concludedByRun, type OutputRow } from "../../src/score/index.ts";
import type { Behaviour, Score } from "../../src/types.ts";

const list = (...items: readonly number[]): string => `[${items.join(", ")}]`;
const up = Array.from({ length: 30 }, (_, i) => i);
const LONG = { input: `f(${list(...up)})`, expected: list(...up), got: list(...up.slice(0, 25), 99, ...up.slice(26)) };

it.each([60, 80, 100, 140])("shows all three parts in %i columns, and where the answers differ", (width) => {
  const line = fitCounterexample(LONG, width, "  ");
  expect(line.length).toBeLessThanOrEqual(width);
  expect(line).toMatch(/^ {2}f\(\[0, .*…: expected ….* 25,? .*, got ….*\b99/);
});

it("keeps short parts whole, and what fits", () => {
  const found = { ...LONG, input: "f(3)", got: "None" };
  expect(fitCounterexample(found, 50)).toMatch(/^f\(3\): expected \[0, 1, 2, .*,…, got None$/);
  const short = { input: "f(3)", expected: "1", got: "2", afterOtherCalls: true as const };
  expect(fitCounterexample(short, 80)).toBe("f(3): expected 1, got 2 (after other calls)");
  expect(fitCounterexample({ ...short, got: "x".repeat(100) }, 60)).toMatch(/got x+… \(after other calls\)$/);
});

it("shows something of each part in the narrowest terminal", () => {
  expect(fitCounterexample(LONG, 10)).toMatch(/^f\(\[.*…: expected ….+…, got ….*\b99.*…$/);
});

it("shows line ends of standard input as \\n", () => {
  const line = fitCounterexample({ input: "1 2\n".repeat(40), expected: "'3\\n'", got: "'4\\n'" }, 60);
  expect(line).toMatch(/^"1 2\\n.*…: expected '3\\n', got '4\\n'$/);
});

const score = { score: 0, exec: 1, format: "ref", signature: "s", conclusion: "fails" } as const;
const behaviour: Behaviour = {
  ...{ agree: 0, inputs: 4, examples: null, samples: null, source: "reference", counterexample: LONG },
};

async function tableOf(width?: number, explained = {}): Promise<string[]> {
  async function* rows(): AsyncGenerator<OutputRow> {
    yield { id: "a.py", result: { ...score, behaviour, reason: "wrong", ...explained } };
  }
  const pieces: string[] = [];
  for await (const piece of toTable(rows(), false, width)) pieces.push(piece);
  return pieces.join("").trimEnd().split("\n");
}

it("is cut in the reason, which CI reports show, and whole in machine output", async () => {
  const digits = Array.from({ length: 600 }, (_, i) => i % 10);
  const found = {
    input: `f(${list(...digits)})`,
    expected: list(...digits),
    got: list(...digits.slice(0, 500), 99, ...digits.slice(501)),
  };
  for (const unusual of [{}, { unusual: true as const }]) {
    const counterexample = { ...found, ...unusual };
    const result = concludedByRun({ ...score, behaviour: { ...behaviour, counterexample } }) as Score;
    expect(result.reason!.length).toBeLessThanOrEqual(440);
    expect(result.reason).toMatch(/f\(\[0, .*…: expected …\d.* got ….*\b99/);
    const ci = new CiReport({ under: 0.5, on: [] });
    ci.add({ id: "a.py", result });
    expect(ci.junit(true).length).toBeLessThan(900);
    expect(ci.annotations(true).length).toBeLessThan(600);
    const { cells, line } = workerRow({ id: "a.py", result });
    expect(cells.counterexample).toBe(showCounterexample(found));
    expect(JSON.parse(line).behaviour.counterexample).toEqual(counterexample);
    expect(await tableOf(undefined, { ...result, behaviour: { ...behaviour, counterexample } })).toEqual([
      expect.stringMatching(/^a\.py /),
      "  answers like the reference on 0% of 4 inputs",
      `  ${"unusual" in unusual ? "differs only on unusual inputs: " : ""}${showCounterexample(found)}`,
    ]);
  }
});

it("says where the whole counterexample is if it is cut, and cuts none that is explained or goes to a file", async () => {
  const [, , line, note, ...more] = await tableOf(80);
  expect(line!.length).toBeLessThanOrEqual(80);
  expect(note).toBe("counterexamples are cut to the width of the terminal; --explain or --as jsonl shows them whole");
  expect(more).toEqual([]);
  const whole = `  ${LONG.input}: expected ${LONG.expected}, got ${LONG.got}`;
  expect((await tableOf()).slice(2)).toEqual([whole]);
  expect((await tableOf(80, { findings: [], lines: [], differences: [] })).slice(2)).toEqual([whole]);
  expect((await tableOf(1000)).slice(2)).toEqual([whole]);
});
