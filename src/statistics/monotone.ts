/** Monotone fits of labels in [0, 1] to one score: isotonic regression, and Platt's sigmoid. */
import { equalMass } from "./calibration.ts";
import { checkColumns, type Numbers } from "./ranks.ts";
import { mean } from "./within.ts";

/**
 * The non-decreasing sequence that is nearest to `values` in weighted least squares, by pool adjacent violators (Barlow et al.
 * 1972; Busing 2022). Takes linear time. Weights must be positive.
 */
export function isotonic(values: Numbers, weights: Numbers): Float64Array {
  checkColumns({ values, weights }, { finite: true });
  const blocks: { mean: number; weight: number; size: number }[] = [];
  for (let i = 0; i < values.length; i++) {
    let block = { mean: values[i]!, weight: weights[i]!, size: 1 };
    for (let last = blocks.at(-1); last !== undefined && last.mean >= block.mean; last = blocks.at(-1)) {
      const weight = last.weight + block.weight;
      const pooled = (last.mean * last.weight + block.mean * block.weight) / weight;
      block = { mean: pooled, weight, size: last.size + block.size };
      blocks.pop();
    }
    blocks.push(block);
  }
  const fitted = new Float64Array(values.length);
  let at = 0;
  for (const { mean: value, size } of blocks) {
    fitted.fill(value, at, at + size);
    at += size;
  }
  return fitted;
}

/** A piecewise linear function. `x` and `y` both increase strictly. */
export interface Knots {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** Minimum rows per knot. Fewer would follow the noise, and steep pieces would amplify the last digits of scores. */
const ROWS_PER_KNOT = 25;
const MAX_GROUPS = 40;

/**
 * Isotonic regression of labels on scores, as a function. Rows with similar scores are averaged (at most 40 groups). The averages
 * are made monotone, and every block of equal values becomes a knot at its mean score. The function is linear between knots. So
 * it keeps the order of scores, while the step function of isotonic regression makes ties.
 */
export function isotonicKnots(scores: Numbers, labels: Numbers): Knots {
  checkColumns({ scores, labels }, { finite: true });
  const count = Math.max(1, Math.min(MAX_GROUPS, Math.floor(scores.length / ROWS_PER_KNOT)));
  const groups = equalMass(scores, count);
  const sizes = groups.map((rows) => rows.length);
  const fitted = isotonic(
    groups.map((rows) => mean(rows.map((row) => labels[row]!))),
    sizes,
  );
  const [x, y]: [number[], number[]] = [[], []];
  groups.forEach((_, from) => {
    if (from > 0 && fitted[from] === fitted[from - 1]) return;
    const block = groups.filter((_, i) => fitted[i] === fitted[from]).flat();
    x.push(mean(block.map((row) => scores[row]!)));
    y.push(fitted[from]!);
  });
  return { x, y };
}

/** p = 1 / (1 + exp(-(slope * logit(score) + intercept))). The slope is positive. */
export interface Sigmoid {
  readonly slope: number;
  readonly intercept: number;
}

/** Clips scores, because 0 and 1 have no logit. */
const EDGE = 1e-12;
const logit = (p: number): number => {
  const inside = Math.min(1 - EDGE, Math.max(EDGE, p));
  return Math.log(inside / (1 - inside));
};

/** Minimum slope. The map keeps the order of scores even if they are uninformative or misleading. */
const LEAST_SLOPE = 1e-3;

/**
 * Platt's sigmoid over the logit of the score (Platt 1999). Minimizes the cross-entropy to the labels by Newton's method with
 * step halving (Lin et al. 2007). Labels are moved away from 0 and 1 as in Platt, and may be soft. If the slope is below 0.001,
 * it is fixed there. The loss is convex, so this is the best map with at least that slope.
 */
export function plattSigmoid(scores: Numbers, labels: Numbers): Sigmoid {
  checkColumns({ scores, labels }, { finite: true });
  const x = Float64Array.from(scores, logit);
  const positives = mean(Array.from(labels)) * labels.length;
  const low = 1 / (labels.length - positives + 2);
  const high = (positives + 1) / (positives + 2);
  const targets = Float64Array.from(labels, (label) => low + label * (high - low));
  const free = newton(x, targets, { slope: 1, intercept: 0 }, false);
  if (free.slope >= LEAST_SLOPE) return free;
  return newton(x, targets, { slope: LEAST_SLOPE, intercept: 0 }, true);
}

function newton(x: Float64Array, targets: Float64Array, start: Sigmoid, slopeHeld: boolean): Sigmoid {
  let at = start;
  let loss = crossEntropy(x, targets, at);
  for (let round = 0; round < 100; round++) {
    let [g0, g1, h00, h01, h11] = [0, 0, 1e-12, 0, 1e-12];
    for (let i = 0; i < x.length; i++) {
      const p = 1 / (1 + Math.exp(-(at.slope * x[i]! + at.intercept)));
      const curvature = p * (1 - p);
      g0 += p - targets[i]!;
      g1 += (p - targets[i]!) * x[i]!;
      h00 += curvature;
      h01 += curvature * x[i]!;
      h11 += curvature * x[i]! * x[i]!;
    }
    const determinant = h00 * h11 - h01 * h01;
    const still = slopeHeld || !(determinant > 1e-12 * h00 * h11); // constant scores determine no slope
    const d1 = still ? 0 : (h00 * g1 - h01 * g0) / determinant;
    const d0 = (g0 - h01 * d1) / h00;
    let step = 1;
    let next = at;
    let nextLoss = loss;
    for (; step > 1e-10; step /= 2) {
      next = { slope: at.slope - step * d1, intercept: at.intercept - step * d0 };
      nextLoss = crossEntropy(x, targets, next);
      if (nextLoss <= loss) break;
    }
    if (step <= 1e-10) return at;
    at = next;
    loss = nextLoss;
    if (Math.abs(d0) + Math.abs(d1) < 1e-10) return at;
  }
  return at;
}

function crossEntropy(x: Float64Array, targets: Float64Array, { slope, intercept }: Sigmoid): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) {
    const z = slope * x[i]! + intercept;
    sum += Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z))) - targets[i]! * z;
  }
  return sum;
}
