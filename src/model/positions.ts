/** Relative positions of tokens, for encoders whose attention depends on them. Shapes as in `network.ts`. */
import type { RelativePositions } from "./architectures/index.ts";
import type { Ops } from "./ops.ts";

/** Masks distant tokens: e to this power is 0. */
const FAR = -1e4;

/**
 * Rotates queries or keys x [B, A, T, W] by their positions (Su et al. 2021, section 3.4.2). Value i of the first half of a head and value
 * i of the second half span a plane, which is rotated.
 * @param angles cosines, then sines [B, T, W]
 */
export function turn<T>(ops: Ops<T>, x: T, angles: T, width: number): T {
  const half = width / 2;
  const halves = ops.reshape(x, [0, 0, -1, 2, half]);
  const [a, b] = [ops.at(halves, 3, 0), ops.at(halves, 3, 1)];
  const planes = ops.reshape(angles, [0, 1, -1, 2, half]); // [B, 1, T, 2, W/2]
  const [cos, sin] = [ops.at(planes, 3, 0), ops.at(planes, 3, 1)];
  const minus = ops.scale(ops.mul(b, sin), -1);
  return ops.concat([ops.add(ops.mul(a, cos), minus), ops.add(ops.mul(b, cos), ops.mul(a, sin))], 3);
}

/** For each position, the cosines and sines of its angles. Single precision, as in transformers. */
export function angleRows(base: number, width: number, count: number): number[][] {
  const frequencies = Array.from({ length: width / 2 }, (_, i) => Math.fround(1 / base ** ((2 * i) / width)));
  return Array.from({ length: count }, (_, position) => {
    const angles = frequencies.map((frequency) => Math.fround(position * frequency));
    return [...angles.map(Math.cos), ...angles.map(Math.sin)];
  });
}

/** Signed distances from some tokens [B, T'] to all tokens [B, T], given their positions -> [B, T', T]. */
export function distances<T>(ops: Ops<T>, from: T, to: T): T {
  return ops.add(ops.reshape(from, [0, -1, 1]), ops.scale(ops.reshape(to, [0, 1, -1]), -1));
}

/** 0 for tokens at most `window` away, otherwise a mask: distances [B, T', T] -> [B, 1, T', T]. */
export function nearTokens<T>(ops: Ops<T>, between: T, window: number): T {
  const most = window + 1;
  const masks = byDistance(ops, between, most, (distance) => (Math.abs(distance) > window ? FAR : 0));
  return ops.transpose(masks, [0, 3, 1, 2]);
}

/** A number for each distance. Distances are clipped to `most`: [B, T', T] -> [B, T', T, 1]. */
function byDistance<T>(ops: Ops<T>, between: T, most: number, of: (distance: number) => number): T {
  const rows = Array.from({ length: 2 * most + 1 }, (_, i) => [of(i - most)]);
  return ops.fixedRows(ops.addScalar(ops.clip(between, -most, most), most), rows);
}

/** The row of the relative position table for each distance [B, T', T]. */
export function bucketsOf<T>(ops: Ops<T>, between: T, relative: RelativePositions): T {
  const { buckets, maxDistance } = relative;
  const bucketOf =
    relative.kind === "bias"
      ? (distance: number) => t5Bucket(-distance, buckets, maxDistance) // T5 counts from the query to the key
      : (distance: number) => debertaBucket(distance, buckets, maxDistance);
  return ops.at(byDistance(ops, between, maxDistance, bucketOf), 3, 0);
}

/** `_relative_position_bucket` of transformers' modeling_t5.py. Single precision as there, because rounding decides the bucket. */
function t5Bucket(distance: number, buckets: number, maxDistance: number): number {
  const half = Math.floor(buckets / 2);
  const exact = Math.floor(half / 2);
  const far = Math.abs(distance);
  const start = distance > 0 ? half : 0;
  if (far < exact) return start + far;
  const log = Math.fround(Math.log(Math.fround(far / exact)));
  const share = Math.fround(log / Math.fround(Math.log(maxDistance / exact)));
  return start + Math.min(half - 1, exact + Math.floor(Math.fround(share * (half - exact))));
}

/** `make_log_bucket_position` of transformers' modeling_deberta_v2.py, as a row of a table with 2 * `buckets` rows. */
function debertaBucket(distance: number, buckets: number, maxDistance: number): number {
  const half = Math.floor(buckets / 2);
  const far = Math.abs(distance);
  let bucket = far;
  if (buckets < maxDistance && far > half) {
    const log = Math.fround(Math.log(Math.fround(far / half)));
    const share = Math.fround(log / Math.fround(Math.log(Math.fround((maxDistance - 1) / half))));
    bucket = Math.ceil(Math.fround(share * (half - 1))) + half;
  }
  return Math.min(Math.max(Math.sign(distance) * bucket + buckets, 0), 2 * buckets - 1);
}
