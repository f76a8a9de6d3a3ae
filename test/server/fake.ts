/** A scorer that is slow or broken on request. The candidate's text is its score, minus a quarter for every `bug`. */
import type { BatchScorer, RowError } from "../../src/server/index.ts";
import type { Score, ScoreInput } from "../../src/types.ts";

export interface FakeScorer extends BatchScorer {
  /** The candidates of every batch. */
  readonly batches: string[][];
  /** Batches wait while it is true. */
  hold: boolean;
  /** Why nothing can be scored. */
  broken?: Error;
  release(): void;
}

export function fakeScorer(): FakeScorer {
  const waiting: (() => void)[] = [];
  const scorer: FakeScorer = {
    signature: "codescore|fake",
    batches: [],
    hold: false,
    release: () => {
      scorer.hold = false;
      for (const go of waiting.splice(0)) go();
    },
    ready: async () => {
      if (scorer.broken) throw scorer.broken;
    },
    scoreAll: async (inputs) => {
      scorer.batches.push(inputs.map(({ candidate }) => candidate));
      if (scorer.hold) await new Promise<void>((resolve) => waiting.push(resolve));
      if (inputs.some(({ candidate }) => candidate === "poison")) throw new Error("the session died");
      return inputs.map(scoreOne);
    },
  };
  return scorer;
}

function scoreOne({ candidate, reference, description }: ScoreInput): Score | RowError {
  if (candidate === "")
    return { error: { code: "input", message: "expected a candidate program, got <b>nothing</b>" } };
  const format = reference ? (description ? "ref+nl" : "ref") : "nl";
  const bugs = candidate.split("bug").length - 1;
  const score = /^[\d.]+$/.test(candidate) ? Number(candidate) : Math.max(0, 1 - bugs / 4);
  return { score, exec: 0.75, format, signature: "codescore|fake" };
}
