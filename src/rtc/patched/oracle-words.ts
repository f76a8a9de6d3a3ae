/** The oracle's summary in words, for the console and the page. */
import { counted } from "../../util/counted.ts";
import type { Estimate } from "../trip/arithmetic.ts";
import type { OracleSummary } from "./oracle.ts";

/** The heading of the first column of the table of rates. */
export const ORACLE_HEAD = "oracle's rate of";

/** The rows of that table: over all responses, and by the result of the round trip. */
export function oracleRates({ rate, splits }: OracleSummary): (readonly [name: string, rate: Estimate | null])[] {
  return [
    ["all responses", rate],
    ...splits.flatMap(({ sim, threshold, passed, failed, difference }) => [
      [`responses with ${sim} >= ${threshold}`, passed] as const,
      [`responses with ${sim} < ${threshold}`, failed] as const,
      ["difference of these two", difference] as const,
    ]),
  ];
}

/** How many responses were judged and left out, and the number of findings if the oracle counts them. */
export function oracleCounts({ judged, nothing_to_mend: left, timeouts, findings }: OracleSummary): string {
  const counts = [`${counted(judged, "response")} judged`];
  if (left > 0) counts.push(`${left} with nothing to fix${findings ? "" : " left out"}`);
  counts.push(counted(timeouts, "timeout"));
  if (findings) {
    const before = findings.before === null ? "" : `${counted(findings.before, "finding")} before, `;
    counts.push(`${before}${before === "" ? counted(findings.after, "finding") : findings.after} after`);
    if (findings.unknown > 0) counts.push(`${counted(findings.unknown, "response")} not counted`);
  }
  return counts.join(", ");
}
