/** `codescore score --fail-under`: the rows that score too low, and those that pass on their looks alone. */
import { isResemblance } from "../../score/conclusion.ts";
import type { OutputRow } from "../../score/index.ts";

/** Counts rows as they are put out. */
export class ScoreLimit {
  readonly #limit: number;
  #rows = 0;
  /** Rows that score lower. */
  below = 0;
  /** Rows that pass, and nothing ran. */
  #resemble = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add({ result }: OutputRow): void {
    if ("error" in result) return;
    this.#rows += 1;
    if (result.score < this.#limit) this.below += 1;
    else if (isResemblance(result)) this.#resemble += 1;
  }

  toString(): string {
    return this.below > 0 ? `${this.below} below ${this.#limit}` : "";
  }

  /** What to mind; empty where nothing hangs on resemblance. @param isRun whether candidates were run */
  advice(isRun: boolean): string {
    if (this.#resemble === 0) return "";
    const passed = this.#rows - this.below;
    const what = `${this.#resemble} of ${passed} passing ${passed === 1 ? "row passes" : "rows pass"} by resemblance alone`;
    const remedy = isRun
      ? "no input, example or reference shows them right; the reason of each row says why"
      : "a wrong operator looks just as right; add --run where the decision matters";
    return `${what}: ${remedy}\n`;
  }
}
