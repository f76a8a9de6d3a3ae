/**
 * Intervals that are narrowest on the average over all scores (least ambiguous sets with bounded error, Sadinle et al. 2019): where labels
 * lie close together nearly all are held, and what is left out is left out where that saves the most.
 */
import type { Spread } from "../../score/index.ts";

/** Levels, evenly spaced from 0 to 1: the share that is held over all groups. */
const LEVELS = 21;
/** Steps of the search for what a unit of width costs. */
const STEPS = 40;

/** From quantile `from` to quantile `to` of a group. */
interface Cut {
  readonly from: number;
  readonly to: number;
}

/** For each group of like scores, as many rows each, the shares left out below and above, at every level. */
export function narrowestCuts(quantiles: Spread["quantiles"]): NonNullable<Spread["out"]> {
  const last = quantiles[0]!.length - 1;
  const held = (cuts: readonly Cut[]): number =>
    cuts.reduce((sum, { from, to }) => sum + (to - from) / last, 0) / cuts.length;
  const out = quantiles.map(() => ({ below: [] as number[], above: [] as number[] }));
  let inner: readonly Cut[] | null = null;
  for (let level = 0; level < LEVELS; level++) {
    // What the width is worth: the more, the less is held.
    let [low, high] = [0, 1000];
    for (let step = 0; step < STEPS; step++) {
      const middle = (low + high) / 2;
      if (held(quantiles.map((own) => best(own, middle))) >= level / (LEVELS - 1)) low = middle;
      else high = middle;
    }
    const cuts: readonly Cut[] = quantiles.map((own, g) => around(best(own, level === LEVELS - 1 ? 0 : low), inner?.[g]));
    for (const [g, { from, to }] of cuts.entries()) {
      out[g]!.below.push(from / last);
      out[g]!.above.push(1 - to / last);
    }
    inner = cuts;
  }
  return out;
}

/** What holds the most, its width times `price` subtracted. */
function best(quantiles: readonly number[], price: number): Cut {
  let found: Cut & { readonly worth: number } = { from: 0, to: 0, worth: Number.NEGATIVE_INFINITY };
  for (let from = 0; from < quantiles.length; from++) {
    for (let to = from; to < quantiles.length; to++) {
      const worth = (to - from) / (quantiles.length - 1) - price * (quantiles[to]! - quantiles[from]!);
      if (worth > found.worth) found = { from, to, worth };
    }
  }
  return found;
}

/** Intervals of a higher level hold those of a lower one. */
const around = (cut: Cut, inner: Cut | undefined): Cut =>
  inner === undefined ? cut : { from: Math.min(cut.from, inner.from), to: Math.max(cut.to, inner.to) };
