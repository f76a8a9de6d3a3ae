/** `codescore score --fail-under --fail-on`: counts rows that do not pass, and rows that pass only because they resemble the reference. */
import { CONCLUSIONS, isResemblance } from "../../score/conclusion.ts";
import type { OutputRow } from "../../score/index.ts";
import type { Conclusion, Score } from "../../types.ts";

/** The conditions for a row to pass. */
export interface Limits {
  /** Minimum score that passes. */
  readonly under: number | undefined;
  /** Rows with these conclusions do not pass, regardless of their score. */
  readonly on: readonly Conclusion[];
}

/** Why a row does not pass: `below 0.8`, or its conclusion; null if it passes. */
export function refusalOf({ score, conclusion }: Pick<Score, "score" | "conclusion">, limits: Limits): string | null {
  if (conclusion !== undefined && limits.on.includes(conclusion)) return CONCLUSIONS[conclusion];
  return limits.under !== undefined && score < limits.under ? `below ${limits.under}` : null;
}

/**
 * Whether nothing decides about a row: it is not refused, there is no evidence that it is right or wrong, and no `--fail-under` says that its
 * score is enough.
 */
export const isUndecided = (row: Pick<Score, "score" | "conclusion">, limits: Limits): boolean =>
  row.conclusion === "unknown" && limits.under === undefined && refusalOf(row, limits) === null;

/** Counts rows as they are written. */
export class LimitedRows {
  readonly #limits: Limits;
  #passed = 0;
  /** Number of rows that did not pass, by reason. */
  readonly #refused = new Map<string, number>();
  /** Rows that pass although nothing was executed. */
  #resemble = 0;
  /** Rows that pass and ran, with the conclusion `unknown`. */
  #open = 0;
  /** Rows that pass by their score although their conclusion is `fails`. */
  #fail = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  add({ result }: OutputRow): void {
    if ("error" in result) return;
    const refusal = refusalOf(result, this.#limits);
    if (refusal !== null) this.#refused.set(refusal, (this.#refused.get(refusal) ?? 0) + 1);
    else {
      this.#passed += 1;
      if (isResemblance(result)) this.#resemble += 1;
      else if (result.conclusion === "unknown") this.#open += 1;
      if (result.conclusion === "fails") this.#fail += 1;
    }
  }

  get allPass(): boolean {
    return this.#refused.size === 0;
  }

  toString(): string {
    const counts = [...this.#refused].map(([why, n]) => `${n} ${why}`);
    return counts.length === 0 ? "" : `refused: ${counts.join(", ")}`;
  }

  /** Advice for the user; empty if every passing row was seen to behave right. @param isRun whether candidates were run */
  advice(isRun: boolean): string {
    return this.#resemblance(isRun) + this.#undecided() + this.#failing();
  }

  #undecided(): string {
    if (this.#open === 0) return "";
    const what =
      this.#open === 1 ? "passing row ran and has the conclusion" : "passing rows ran and have the conclusion";
    return `${this.#open} ${what} "unknown": add --fail-on unknown to refuse such rows, whatever they score\n`;
  }

  #failing(): string {
    if (this.#fail === 0) return "";
    const what = this.#fail === 1 ? "passing row has the conclusion" : "passing rows have the conclusion";
    return `${this.#fail} ${what} "fails": add --fail-on fails to refuse such rows, whatever they score\n`;
  }

  #resemblance(isRun: boolean): string {
    if (this.#resemble === 0) return "";
    const passed = this.#passed;
    const what = `${this.#resemble} of ${passed} passing ${passed === 1 ? "row passes" : "rows pass"} by resemblance alone`;
    const remedy = isRun
      ? "no run could judge them; `behaviour.reason` of each row says why"
      : "a program with a wrong operator looks just as right; add --run if the decision matters";
    return `${what}: ${remedy}\n`;
  }
}
