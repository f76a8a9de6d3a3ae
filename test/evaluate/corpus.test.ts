import { expect, it } from "vitest";
import { metricColumn } from "../../src/evaluate/index.ts";
import { corpusBleu, corpusChrf, getMetric } from "../../src/metrics/index.ts";
import { labelledRow, simulatedRows } from "./rows.ts";

const rows = simulatedRows(4, 3, 1).map((row, i) =>
  labelledRow({
    ...row,
    candidate: `x = ${"a + ".repeat(i)}1\ny = x\n`,
    reference: i === 5 ? null : "z = a + b + 1\ny = x * 2\n",
  }),
);
const pairs = rows.filter(({ reference }) => reference !== null);
const [candidates, references] = [pairs.map(({ candidate }) => candidate), pairs.map(({ reference }) => reference!)];

it.each([
  ["bleu", corpusBleu(candidates, references, "code")],
  ["bleu-13a", corpusBleu(candidates, references, "13a")],
  ["chrf", corpusChrf(candidates, references)],
  ["chrf++", corpusChrf(candidates, references, { wordOrder: 2 })],
] as const)("a column of %s says what all pairs are as one corpus", async (name, value) => {
  const { notes, scores } = await metricColumn(getMetric(name), rows);
  expect(notes).toEqual([`${name} of all pairs as one corpus: ${(value / 100).toFixed(3)}`]);
  const mean = scores.reduce<number>((sum, score) => sum + (score ?? 0), 0) / pairs.length;
  expect(Math.abs(mean - value / 100)).toBeGreaterThan(0.001); // it differs from their mean
});

it("a column of a metric without such a value says nothing", async () => {
  expect((await metricColumn(getMetric("edit"), rows)).notes).toEqual([]);
});
