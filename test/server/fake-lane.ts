/** A lane that runs nothing: every row gets a score of .25 and a behaviour. */
import type { RunLane, Runner } from "../../src/server/run-lane.ts";
import type { Behaviour } from "../../src/types.ts";

export interface FakeLane extends RunLane {
  /** The candidates of every task. */
  readonly jobs: string[][];
  /** Releases one held task, or the next one that arrives. */
  next(): void;
  /** Releases all tasks. */
  release(): void;
}

export interface FakeLaneOptions {
  /** Tasks wait until they are released. */
  readonly hold?: boolean;
  /** Duration of a task in milliseconds. */
  readonly ms?: number;
  readonly error?: Error;
  readonly behaviour?: Partial<Behaviour>;
}

const shown: Behaviour = {
  ...{ agree: 0.95, inputs: 40, examples: { passed: 1, total: 2 }, samples: null, source: "reference" },
  counterexample: { input: "is_prime(9)", expected: "False", got: "True" },
};

export function fakeLane({ hold = false, ms = 0, error, behaviour = {} }: FakeLaneOptions = {}): FakeLane {
  const waiting: (() => void)[] = [];
  let held = hold;
  let free = 0;
  const lane: FakeLane = {
    jobs: [],
    next: () => {
      const go = waiting.shift();
      if (go) go();
      else free += 1;
    },
    release: () => {
      held = false;
      for (const go of waiting.splice(0)) go();
    },
    run: async ({ rows }, signal) => {
      lane.jobs.push(rows.map(({ candidate }) => candidate));
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
      if (held && free > 0) free -= 1;
      else if (held) {
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        });
      }
      if (error) throw error;
      return rows.map(({ byText }) => ({
        ...byText,
        ...{ score: 0.25, low: 0.125, high: 0.5, pass: 0.0625 },
        behaviour: { ...shown, ...behaviour },
      }));
    },
    close: async () => {},
  };
  return lane;
}

export const fakeRunner = (...lanes: readonly RunLane[]): Runner => ({
  lanes: lanes.length > 0 ? lanes : [fakeLane()],
  sandbox: "bwrap",
  python: "3.11.2",
  close: async () => {},
});
