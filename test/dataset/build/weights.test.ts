/** Weights that give our generated programs, at each similarity, the same mean PassRatio as programs by models. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equalisedWeights, madeShare, type WeightedRow } from "../../../src/dataset/build/weights.ts";

const row = fc.record<WeightedRow>({
  similarity: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  passRatio: fc.constantFrom(0, 0.25, 0.5, 0.9, 1),
  made: fc.boolean(),
});

const binOf = ({ similarity }: WeightedRow): number | null =>
  similarity === null ? null : Math.min(9, Math.floor(similarity * 10)) / 10;

describe("equalisedWeights", () => {
  it("gives models' rows 1, others at most 1, and others together at most half of the models' in each bin", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 200 }), (rows) => {
        const { weights, table } = equalisedWeights(rows);
        rows.forEach(({ made }, i) => {
          if (made) expect(weights[i]).toBeLessThanOrEqual(1 + 1e-9);
          else expect(weights[i]).toBe(1);
          expect(weights[i]).toBeGreaterThanOrEqual(0);
        });
        for (const bin of table) {
          const inside = rows.flatMap((r, i) => (r.made && binOf(r) === bin.from ? [weights[i]!] : []));
          const sum = inside.reduce((a, b) => a + b, 0);
          expect(sum).toBeCloseTo(bin.madeWeight, 6);
          expect(sum).toBeLessThanOrEqual(madeShare * bin.llmRows + 1e-6);
        }
      }),
    );
  });

  it("brings the weighted mean of made rows to the models' mean, shrunk towards the overall mean by ten rows", () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 60, maxLength: 300 }), (rows) => {
        const { weights } = equalisedWeights(rows);
        const llm = rows.filter(({ made }) => !made);
        const overall = llm.reduce((sum, r) => sum + r.passRatio, 0) / llm.length;
        for (const bin of new Set(rows.map(binOf))) {
          const own = llm.filter((r) => binOf(r) === bin);
          const wanted = (own.reduce((sum, r) => sum + r.passRatio, 0) + 10 * overall) / (own.length + 10);
          let [total, weighted] = [0, 0];
          rows.forEach((r, i) => {
            if (!r.made || binOf(r) !== bin) return;
            total += weights[i]!;
            weighted += weights[i]! * r.passRatio;
          });
          if (total > 1e-9) expect(weighted / total).toBeCloseTo(wanted, 4);
        }
      }),
    );
  });

  it("keeps rows of one PassRatio at equal weights, and gives none where the wanted mean cannot be reached", () => {
    const made = (similarity: number, ratios: number[]): WeightedRow[] =>
      ratios.map((passRatio) => ({ similarity, passRatio, made: true }));
    const llm: WeightedRow[] = Array.from({ length: 40 }, (_, i) => ({
      similarity: i < 20 ? 0.85 : 0.15,
      passRatio: i % 2,
      made: false,
    }));
    const { weights, table } = equalisedWeights([
      ...llm,
      ...made(0.85, [0, 0, 0, 0, 1, 1]),
      ...made(0.15, [0, 0, 0.2]),
    ]);
    const [high, low] = [[...weights.slice(40, 46)], [...weights.slice(46)]];
    expect(new Set(high.slice(0, 4).map((w) => w.toFixed(9))).size).toBe(1);
    expect(high[4]! / high[0]!).toBeCloseTo(2, 6); // four zeros and two ones, for a mean of one half
    expect(low).toEqual([0, 0, 0]);
    expect(table.find(({ from }) => from === 0.8)).toMatchObject({ llmRows: 20, llmMean: 0.5, madeRows: 6 });
    expect(table.find(({ from }) => from === 0.1)?.weightedMean).toBeNull();
  });

  it("gives no weight without any row of a model", () => {
    const rows: WeightedRow[] = [0, 1].map((passRatio) => ({ similarity: 0.5, passRatio, made: true }));
    expect([...equalisedWeights(rows).weights]).toEqual([0, 0]);
  });
});
