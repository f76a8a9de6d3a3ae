/** Makes tables of PassRatios (score/intervals.ts), as `fit-behaviour` does from programs. */
import { type PassRatios, STEPS } from "../../src/score/intervals.ts";

/** The table of pairs [score, PassRatios of ten thousand problems in increasing order]. */
export const passRatios = (...near: readonly (readonly [number, readonly number[]])[]): PassRatios => ({
  scores: near.map(([score]) => score),
  quantiles: near.map(([, values]) =>
    Array.from(
      { length: STEPS + 1 },
      (_, i) => values[Math.min(values.length - 1, Math.floor((i * values.length) / STEPS))]!,
    ),
  ),
  problems: near.map(() => 10_000),
});
