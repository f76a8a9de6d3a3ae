/** The page's explanation of a row, in a document without a browser. */
import { parseHTML } from "linkedom";
import { beforeAll, expect, it } from "vitest";
import { showExplanation } from "../../src/cli/score/explain.ts";
import type { Behaviour, Conclusion, Finding, Score } from "../../src/types.ts";

// Loaded by a name that tsc does not follow: these types have no DOM.
type Shown = readonly { readonly textContent: string; readonly innerHTML: string }[];
const page: string = "../../src/server/page/result.ts";
let explanationOf: (explained: object, row: Score) => Shown;
beforeAll(async () => {
  Object.assign(globalThis, { document: parseHTML("<p></p>").document });
  ({ explanationOf } = await import(page));
});

const ran: Behaviour = {
  agree: 1,
  inputs: 40,
  examples: null,
  samples: null,
  source: "reference",
  counterexample: null,
};
const notRun: Behaviour = { ...ran, agree: null, inputs: 0, source: null, reason: "found no function to call" };
const finding: Finding = { line: 2, what: "`total` is not defined" };

const scored = (conclusion: Conclusion, behaviour?: Behaviour): Score => ({
  ...{ score: 0.9, exec: 0.9, format: "ref", signature: "codescore|fake", conclusion },
  ...(behaviour && { behaviour }),
});
const shown = (row: Score, findings: readonly Finding[] = []): string =>
  explanationOf({ ...row, findings, lines: [], differences: [] }, row)
    .map(({ textContent }) => textContent)
    .join(" ");

it.each<[Conclusion, Behaviour | undefined]>([
  ["fails", ran],
  ["behaves-right", ran],
  ["unknown", ran],
  ["fails", undefined],
])("does not speak of lines where something else decided: %s", (conclusion, behaviour) => {
  const row = scored(conclusion, behaviour);
  expect(shown(row)).toBe("");
  const explanation = { findings: [], lines: [], differences: [] };
  expect(showExplanation(explanation, false, true)).toBe("");
});

it("shows names in backticks as code, and never as markup", () => {
  const row = scored("fails");
  const what = "`<b>` is not defined";
  const [, list] = explanationOf({ ...row, findings: [{ line: 1, what }, finding], lines: [], differences: [] }, row);
  expect(list!.innerHTML).toBe(
    "<li>line 1: <code>&lt;b&gt;</code> is not defined</li><li>line 2: <code>total</code> is not defined</li>",
  );
});

it("says that no line lowers the score only of a text without findings and differences", () => {
  for (const behaviour of [undefined, notRun])
    expect(shown(scored("looks-right", behaviour))).toBe(
      "No line lowers the score by itself, which does not show that it is right.",
    );
  expect(shown(scored("unknown"), [finding])).not.toContain("No line lowers");
  const row = scored("looks-right");
  const differences = [{ candidate: { line: 1, text: "a < b" }, reference: { line: 1, text: "a > b" } }];
  const texts = explanationOf({ ...row, findings: [], lines: [], differences }, row).map(
    ({ textContent }) => textContent,
  );
  expect(texts).toEqual(["It differs from the reference in 1 place, shown below."]);
  expect(showExplanation({ findings: [], lines: [], differences: [] }, false, false)).toContain("no line lowers");
});
