/**
 * The oracle's table of Sharma 2024: 103 fixes with 106 findings, of which 83.5% pass the round trip; Fix % of 52.8 over all, 55.2 over
 * those that pass and 42.1 over those that fail. Only 48 of 87 and 8 of 19 findings give these three. How the findings are spread over the
 * responses is made up; no rate depends on it.
 */
import { expect, it } from "vitest";
import { type OracleResult, splitByOracle } from "../../../src/rtc/patched/oracle.ts";
import type { SampleRow } from "../../../src/rtc/trip/rows.ts";

/** `before` findings over `responses` responses, of which `fixed` are fixed. The first responses have two. */
function judged(name: string, { responses, before, fixed }: Record<"responses" | "before" | "fixed", number>) {
  let left = fixed;
  return Array.from({ length: responses }, (_, i): OracleResult => {
    const had = i < before - responses ? 2 : 1;
    const gone = Math.min(had, left);
    left -= gone;
    const findings = { before: had, after: had - gone };
    return { task_id: `${name}/${i}`, repeat: 0, passed: gone === had, before: false, timed_out: false, findings };
  });
}

const passing = judged("pass", { responses: 86, before: 87, fixed: 48 });
const failing = judged("fail", { responses: 17, before: 19, fixed: 8 });
const samples = [...passing, ...failing].map(
  ({ task_id, repeat }) =>
    ({ task_id, repeat, forward: 0, sims: { exact: Number(task_id.startsWith("pass")) } }) as unknown as SampleRow,
);

it("Fix % is the paper's, over all responses and by the result of the round trip", () => {
  const oracle = { command: "semgrep {code}", kind: "sarif" } as const;
  const all = splitByOracle([...passing, ...failing], samples, { exact: 1 }, { oracle, seed: 0 });
  expect(all.findings).toEqual({ before: 106, after: 50, unknown: 0 });
  const percent = (share: number): number => Math.round(1000 * share) / 10;
  expect(percent(86 / 103)).toBe(83.5);
  expect(percent(all.rate!.value)).toBe(52.8);
  const [{ passed, failed }] = all.splits as [(typeof all.splits)[0]];
  expect([passed, failed].map((rate) => percent(rate!.value))).toEqual([55.2, 42.1]);
});

it("no other numbers of findings give the paper's rates", () => {
  const found: number[][] = [];
  const near = (share: number, rounded: number): boolean => Math.abs(share - rounded) <= 0.0005 + 1e-9;
  for (let failed = 1; failed < 106; failed++) {
    for (let fixed = 0; fixed <= 56; fixed++) {
      if (near(fixed / failed, 0.421) && near((56 - fixed) / (106 - failed), 0.552)) found.push([fixed, failed]);
    }
  }
  expect([near(56 / 106, 0.528), near(55 / 106, 0.528), near(57 / 106, 0.528)]).toEqual([true, false, false]);
  expect(found).toEqual([[8, 19]]);
});
