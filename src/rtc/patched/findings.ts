/**
 * How many findings a static analyser has, from what it printed or how it ended. SARIF is read as OASIS defines it (version 2.1.0, section
 * 3.27): what passed, is not applicable, was suppressed or is gone since the baseline is no finding.
 */
import { CodescoreError } from "../../errors.ts";
import type { CommandResult } from "./command.ts";

/**
 * What an oracle's run says. `pass`: exit status 0 is a pass, nothing is counted. `number`: the last line that it prints on stdout is
 * the number of findings. `sarif`: stdout is SARIF. `status`: the exit status is the number.
 */
export const oracleKinds = ["pass", "number", "sarif", "status"] as const;
export type OracleKind = (typeof oracleKinds)[number];

/** The number; throws `CodescoreError("input")` that says what came instead. Not for `pass`. */
export function countFindings(kind: Exclude<OracleKind, "pass">, { status, stdout, output }: CommandResult): number {
  const wrong = (expected: string): never => {
    const got = output.trim().slice(-200) || "nothing";
    throw new CodescoreError(
      "input",
      `expected the oracle ${expected}; it ended with ${status ?? "a signal"} and printed: ${got}`,
    );
  };
  if (kind === "status") return status ?? wrong("to end with an exit status");
  if (stdout === null) return wrong("to print less");
  if (kind === "number") {
    const line = stdout.trim().split("\n").at(-1)!.trim();
    return /^\d{1,9}$/.test(line) ? Number(line) : wrong("to print the number of findings as its last line on stdout");
  }
  try {
    return findingsIn(JSON.parse(stdout));
  } catch (error) {
    if (error instanceof NoSarif || error instanceof SyntaxError) return wrong("to print SARIF on stdout");
    throw error;
  }
}

class NoSarif extends Error {}

function findingsIn(log: unknown): number {
  const { runs } = (log ?? {}) as { runs?: unknown };
  if (!Array.isArray(runs)) throw new NoSarif();
  return runs.reduce((sum: number, run: unknown) => {
    const { results = [] } = (run ?? {}) as { results?: unknown };
    if (results !== null && !Array.isArray(results)) throw new NoSarif();
    return sum + (results ?? []).filter(isFinding).length;
  }, 0);
}

function isFinding(result: unknown): boolean {
  const { kind = "fail", baselineState, suppressions } = (result ?? {}) as Readonly<Record<string, unknown>>;
  const isSuppressed =
    Array.isArray(suppressions) &&
    suppressions.some((one: unknown) => {
      const { status = "accepted" } = (one ?? {}) as { status?: unknown };
      return status === "accepted";
    });
  return kind === "fail" && baselineState !== "absent" && !isSuppressed;
}
