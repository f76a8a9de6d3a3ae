/**
 * The number of findings of a static analyser, from its output or exit status. SARIF is read as OASIS defines it (version 2.1.0,
 * section 3.27): only results of kind `fail` count, and not if they are suppressed or absent since the baseline.
 */
import { CodescoreError } from "../../errors.ts";
import type { CommandResult } from "./command.ts";

/**
 * How to read an oracle's run:
 * - `pass`: exit status 0 is a pass, and nothing is counted
 * - `number`: the last line on stdout is the number of findings
 * - `sarif`: stdout is SARIF
 * - `status`: the exit status is the number of findings
 */
export const oracleKinds = ["pass", "number", "sarif", "status"] as const;
export type OracleKind = (typeof oracleKinds)[number];

/** The number of findings. Not for `pass`. @throws `CodescoreError("input")` that shows the unexpected output */
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
