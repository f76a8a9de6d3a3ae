/**
 * A suite whose tests have a budget of CPU time: max(testCpuS, testFactor x the reference's own time). The reference runs
 * when its answers are asked for, or when the first program needs more than testCpuS. Most programs never do.
 */
import type { Pool } from "./pool.ts";
import type { Budgets, Line, Suite } from "./protocol.ts";
import type { Limits } from "./types.ts";

/** CPU seconds of a test if the reference's time is unknown. */
export const unknownBudget = ({ testCpuS, testFactor }: Limits): number => testFactor * testCpuS;

export class TimedSuite {
  readonly suite: Suite;
  readonly #reference: string | undefined;
  readonly #pool: Pool;
  readonly #limits: Limits;
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
    this.#lines ??= this.#time(this.#reference).catch((error: unknown) => {
      this.#lines = null; // do not cache a fault of the harness
      throw error;
    });
    return this.#lines;
  }

  /** Runs a program on all inputs. Returns one line per input. Rejects with CodescoreError("infra"). */
  async run(code: string): Promise<readonly Line[]> {
    const { suite } = this;
    if (suite.inputs.length === 0) return [];
    let provisional = false;
    const budgets = (): Budgets => {
      provisional = this.#budgets.provisional ?? false;
      return this.#budgets;
    };
    const lines = await this.#pool.run(suite, code, budgets);
    const first = lines.findIndex(({ status }) => status === "t" || status === "n");
    if (!provisional || first < 0) return lines;
    await this.reference();
    // The final budget of that test may be larger; the tests before it had enough time. A test near the limit runs again in any case.
    const late = lines[first]?.status === "t" && (this.#budgets.seconds[first] as number) <= this.#limits.testCpuS;
    const from = late ? { input: first + 1, timeouts: 1 } : { input: first, timeouts: 0 };
    if (from.input === lines.length) return lines;
    const rest = await this.#pool.run(suite, code, budgets, { from, urgent: true });
    return [...lines.slice(0, from.input), ...rest.slice(from.input)];
  }

  async #time(reference: string): Promise<readonly Line[]> {
    const { testCpuS, testFactor, candidateCpuS } = this.#limits;
    const unknown = unknownBudget(this.#limits);
    // One test may take all of a program's time: the reference's answer matters more than how long it takes.
    const patient = this.suite.inputs.map(() => Math.max(candidateCpuS, unknown));
    const lines = await this.#pool.run(this.suite, reference, () => ({ seconds: patient }), { urgent: true });
    const known = lines.map(({ status, cpuS }) => (status === "v" ? Math.max(testCpuS, testFactor * cpuS) : unknown));
    this.#budgets = { seconds: known };
    return lines;
  }
}
