/** Findings in real programs agree with their scores: there is one for each program that the gate or the rule marks down, and none for others. */
import { describe, expect, it } from "vitest";
import { loadFindings } from "../../../src/metrics/static/findings.ts";
import { gate } from "../../../src/metrics/static/gate.ts";
import { loadRule, ruled } from "../../../src/metrics/static/rule.ts";
import { heEvalRows } from "../../evaluate/he-eval-rows.ts";
import { every } from "../../every.ts";

const data = process.env.CODESCORE_DATA ?? "";
const each = every(3);

describe.skipIf(data === "")("findings in he-eval-dev", () => {
  it("are there where a score is lowered for what is seen, each on a line of the program", async () => {
    await loadRule();
    const find = await loadFindings();
    const rows = (await heEvalRows(data)).filter((_, i) => i % each === 0);
    const odd = rows.filter(({ candidate, reference }) => {
      const found = find(candidate, reference);
      const lines = candidate.split("\n").length;
      const isLowered = gate(candidate, reference!) === 0 || ruled(candidate, reference!).answers < 1;
      return found.length > 0 !== isLowered || found.some(({ line }) => line !== null && (line < 1 || line > lines));
    });
    expect(odd).toEqual([]);
    expect(rows.filter(({ candidate }) => find(candidate, null).length > 0)).toHaveLength(each === 1 ? 240 : 84);
  }, 120_000);
});
