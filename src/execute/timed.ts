/**
 * A suite whose tests have a budget of CPU time: max(testCpuS, testFactor x the reference's own time). The reference runs when its answers
 * are asked for, or when a program needs more than testCpuS: on the first test and that one, and on all only if that happens on several.
 * Most programs never do, and a slow reference would take longer than all of them.
 */
import type { Pool } from "./pool.ts";
import { BEGINNING, type Budgets, type Line, type Suite } from "./protocol.ts";
import type { Limits } from "./types.ts";

const MOST_SINGLE = 3; // tests that the reference is timed on one by one; at the next it runs on all
const NO_TIME: Line = { status: "t", cpuS: 0, payload: "null" };

/** CPU seconds of a test if the reference's time is unknown. */
export const unknownBudget = ({ testCpuS, testFactor }: Limits): number => testFactor * testCpuS;

/** Whether a program has no time left for any test: it did not load in time, or all its tests together took too long. */
const isOver = ([first, ...rest]: readonly Line[]): boolean =>
  rest.length > 0 && rest.every(({ status, cpuS }) => status === "t" && cpuS === first?.cpuS);

export class TimedSuite {
  readonly suite: Suite;
  readonly #reference: string | undefined;
  readonly #pool: Pool;
  readonly #limits: Limits;
  readonly #single = new Map<number, Promise<void>>();
  #lines: Promise<readonly Line[]> | null = null;
  #budgets: Budgets;

  constructor(suite: Suite, reference: string | undefined, pool: Pool, limits: Limits) {
    this.suite = suite;
    this.#reference = reference;
    this.#pool = pool;
    this.#limits = limits;
    const provisional = reference !== undefined;
    const least = provisional ? limits.testCpuS : unknownBudget(limits);
    this.#budgets = { seconds: suite.inputs.map(() => least), provisional };
  }

  /** The reference's answers; it runs once. Empty if there is no reference. Rejects with CodescoreError("infra"). */
  reference(): Promise<readonly Line[]> {
    const { suite } = this;
    if (this.#reference === undefined || suite.inputs.length === 0) return Promise.resolve([]);
    this.#lines ??= this.#time().catch((error: unknown) => {
      this.#lines = null; // do not cache a fault of the harness
      throw error;
    });
    return this.#lines;
  }

  /** Runs a program on all inputs. Returns one line per input. Rejects with CodescoreError("infra"). */
  async run(code: string): Promise<readonly Line[]> {
    const { suite } = this;
    if (suite.inputs.length === 0) return [];
    let asked = this.#budgets;
    const budgets = (): Budgets => {
      asked = this.#budgets;
      return asked;
    };
    let from = BEGINNING;
    let lines = await this.#pool.run(suite, code, budgets);
    while (asked.provisional) {
      const { input } = from;
      const first = lines.findIndex(({ status }, i) => i >= input && (status === "t" || status === "n"));
      if (first < 0 || isOver(lines.slice(first))) break;
      await this.#measure(first);
      // The final budget of that test may be larger; the tests before it had enough time.
      const isFinal = this.#budgets.seconds[first] === asked.seconds[first];
      const late = isFinal && lines[first]?.status === "t";
      if (isFinal && !late) await this.reference(); // near the limit: it runs again with final budgets, because then it may run alone
      from = late ? { input: first + 1, timeouts: from.timeouts + 1 } : { input: first, timeouts: from.timeouts };
      const before = lines.slice(0, from.input);
      if (from.timeouts >= this.#limits.maxTimeouts) return [...before, ...lines.slice(from.input).map(() => NO_TIME)];
      if (from.input === lines.length) break;
      const rest = await this.#pool.run(suite, code, budgets, { from, urgent: true });
      lines = [...before, ...rest.slice(from.input)];
    }
    return lines;
  }

  /** Makes the budget of a test final. */
  async #measure(input: number): Promise<void> {
    if (this.#lines || (this.#single.size >= MOST_SINGLE && !this.#single.has(input))) {
      await this.reference();
      return;
    }
    const measured = this.#single.get(input) ?? this.#timeSingle(input);
    this.#single.set(input, measured);
    await measured.catch((error: unknown) => {
      this.#single.delete(input); // do not cache a fault of the harness
      throw error;
    });
  }

  async #timeSingle(input: number): Promise<void> {
    const { suite } = this;
    const inputs = [...new Set([0, input])].map((i) => suite.inputs[i] as string); // the first test pays for what is imported late
    const lines = await this.#runReference({ ...suite, key: `${suite.key}:${input}`, inputs });
    const { seconds, provisional } = this.#budgets;
    if (provisional)
      this.#budgets = { seconds: seconds.with(input, this.#budgetOf(lines.at(-1) as Line)), provisional };
  }

  /** Runs the reference. One test may take all of a program's time: its answer matters more than how long it takes. */
  #runReference(suite: Suite): Promise<readonly Line[]> {
    const seconds = suite.inputs.map(() => Math.max(this.#limits.candidateCpuS, unknownBudget(this.#limits)));
    return this.#pool.run(suite, this.#reference as string, () => ({ seconds }), { urgent: true });
  }

  #budgetOf({ status, cpuS }: Line): number {
    const { testCpuS, testFactor } = this.#limits;
    return status === "v" ? Math.max(testCpuS, testFactor * cpuS) : unknownBudget(this.#limits);
  }

  async #time(): Promise<readonly Line[]> {
    const lines = await this.#runReference(this.suite);
    this.#budgets = { seconds: lines.map((line) => this.#budgetOf(line)) };
    return lines;
  }
}
