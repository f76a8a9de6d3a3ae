/**
 * The result of `codescore calibrate` for a model, stored as `calibration.json` in its folder: maps from raw scores to observed values, and
 * the spread of observations around a score.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError, messageOf } from "../errors.ts";
import type { InputFormat, Score } from "../types.ts";
import { checkModelFile, exists, LARGEST, readJson, sha256 } from "../util/files.ts";

/** An increasing function from [0, 1] to [0, 1]: piecewise linear, or Platt's sigmoid of the logit (statistics/monotone.ts). */
export type CalibrationMap =
  | { readonly x: readonly number[]; readonly y: readonly number[] }
  | { readonly slope: number; readonly intercept: number };

/** How PassRatio spreads around a raw score, and how much wider an interval must be to reach its coverage. */
export interface Spread {
  /** Raw scores, strictly increasing. */
  readonly x: readonly number[];
  /** For each raw score, quantiles of PassRatio at levels evenly spaced from 0 to 1. */
  readonly quantiles: readonly (readonly number[])[];
  /** Conformal level of the central interval for coverages 0.50, 0.51, ... 0.99. Null: only [0, 1] is wide enough. */
  readonly levels: readonly (number | null)[];
}

export interface FormatCalibration {
  /** Maps the score. Null leaves it unchanged. `exec` does the same for Exec. */
  readonly score: CalibrationMap | null;
  readonly exec: CalibrationMap | null;
  readonly spread: Spread;
}

export interface CalibrationFile {
  readonly version: 1;
  readonly method: "isotonic" | "platt" | "none";
  /**
   * By file name in the model's folder: the first 8 hexadecimal digits of the SHA-256 of each ONNX file, and of the trees, that this
   * calibration fits.
   */
  readonly models: Readonly<Record<string, string>>;
  readonly formats: Readonly<Partial<Record<InputFormat, FormatCalibration>>>;
}

/** The requested properties of intervals. */
export interface IntervalOptions {
  /** Share of the intervals that should contain the PassRatio, from 0.5 to 0.99. @default 0.9 */
  readonly coverage?: number;
  /** Rows with a wider interval, or with none, are marked `abstained`. @default no row */
  readonly abstain?: number;
}

export interface CalibrationOptions extends IntervalOptions {
  /** Uses the folder's `calibration.json` if there is one. @default true */
  readonly calibration?: boolean;
}

export const CALIBRATION_FILE = "calibration.json";

/** The coverages for which a spread has levels. */
export const COVERAGES: readonly number[] = Array.from({ length: 50 }, (_, i) => (50 + i) / 100);

/**
 * The index of a coverage in `COVERAGES`; a value between two gives the next higher one. Throws `CodescoreError("usage")` for a coverage
 * out of range.
 */
export function coverageIndex(coverage: number): number {
  const found = COVERAGES.findIndex((one) => one >= coverage - 1e-9);
  if (coverage >= COVERAGES[0]! && found >= 0) return found;
  throw new CodescoreError("usage", `expected a coverage from ${COVERAGES[0]} to ${COVERAGES.at(-1)}, got ${coverage}`);
}

/** Share of the raw score that every piecewise linear map keeps, so that unequal scores never become equal. */
const IDENTITY_SHARE = 0.01;

export function applyMap(map: CalibrationMap | null, raw: number): number {
  if (map === null) return raw;
  if ("x" in map) return clip((1 - IDENTITY_SHARE) * interpolate(map.x, (i) => map.y[i]!, raw) + IDENTITY_SHARE * raw);
  const inside = Math.min(1 - 1e-12, Math.max(1e-12, raw));
  return 1 / (1 + Math.exp(-(map.slope * Math.log(inside / (1 - inside)) + map.intercept)));
}

/**
 * The interval of a level around a raw score. It leaves out the share 1 - level of the observations there, half of it below and half above.
 * Above level 1 it extends beyond all observations by level - 1. It grows with the level.
 */
export function intervalAt(
  { x, quantiles }: Pick<Spread, "x" | "quantiles">,
  raw: number,
  level: number,
): { low: number; high: number } {
  const inner = Math.min(1, level);
  const beyond = level - inner;
  const at = (isLow: boolean): number =>
    interpolate(x, (i) => evenly(quantiles[i]!, isLow ? (1 - inner) / 2 : (1 + inner) / 2), raw);
  return { low: clip(at(true) - beyond), high: clip(at(false) + beyond) };
}

export class Calibration {
  /** First 8 hexadecimal digits of the file's SHA-256: its name in signatures. */
  readonly name: string;
  readonly #formats: CalibrationFile["formats"];
  readonly #coverage: number;
  readonly #widest: number;

  constructor(name: string, { formats }: CalibrationFile, { coverage = 0.9, abstain = 1 }: IntervalOptions = {}) {
    this.name = name;
    this.#formats = formats;
    this.#coverage = coverageIndex(coverage);
    this.#widest = abstain;
  }

  /** Whether this calibration changes scores made in a format. `auto` means any format. */
  covers(format: InputFormat | "auto"): boolean {
    return format === "auto" ? Object.keys(this.#formats).length > 0 : this.#formats[format] !== undefined;
  }

  /** The calibrated score and an interval that contains it. The raw values for a format that was not calibrated. */
  apply(raw: { readonly score: number; readonly exec: number }, format: InputFormat): CalibratedScore {
    const found = this.#formats[format];
    if (found === undefined) return this.#widest < 1 ? { ...raw, abstained: true } : raw;
    const score = applyMap(found.score, raw.score);
    const level = found.spread.levels[this.#coverage] ?? null;
    const interval = level === null ? { low: 0, high: 1 } : intervalAt(found.spread, raw.score, level);
    const [low, high] = [Math.min(interval.low, score), Math.max(interval.high, score)];
    const abstained = high - low > this.#widest ? { abstained: true as const } : {};
    return { score, exec: applyMap(found.exec, raw.exec), low, high, ...abstained };
  }
}

export type CalibratedScore = Pick<Score, "score" | "exec" | "low" | "high" | "abstained">;

/**
 * The calibration of a model's folder. Null if there is none, or it is switched off. `hashes` are the short hashes of the ONNX file and the
 * trees. Throws `CodescoreError("model")` if the file is damaged or belongs to other weights, and `CodescoreError("usage")` if intervals
 * are requested but there is no calibration.
 */
export async function readCalibration(
  folder: string,
  hashes: readonly string[],
  { calibration = true, ...options }: CalibrationOptions,
): Promise<Calibration | null> {
  const path = join(folder, CALIBRATION_FILE);
  const found = calibration && (await exists(path));
  if (!found) {
    if (options.coverage === undefined && options.abstain === undefined) return null;
    const why = calibration
      ? `${folder} has no ${CALIBRATION_FILE}; create it with ${remedy(folder)}`
      : "it is switched off";
    throw new CodescoreError("usage", `--coverage and --abstain need a calibration, but ${why}`);
  }
  const file = await readCalibrationFile(folder, hashes); // first, because it refuses endless files
  return new Calibration(sha256(await readFile(path)).slice(0, 8), file, options);
}

/** Reads and checks the file. Throws `CodescoreError("model")` if it is damaged or belongs to other weights. */
export async function readCalibrationFile(folder: string, hashes: readonly string[]): Promise<CalibrationFile> {
  const path = join(folder, CALIBRATION_FILE);
  await checkModelFile(path, LARGEST.config);
  const file = await readJson(path).catch((error: unknown) => {
    throw new CodescoreError("model", messageOf(error), { cause: error });
  });
  if (!isCalibration(file)) {
    throw new CodescoreError(
      "model",
      `${path} is not a calibration of this version; create it again: ${remedy(folder)}`,
    );
  }
  const models = Object.values(file.models);
  if (!hashes.every((hash) => models.includes(hash))) {
    throw new CodescoreError(
      "model",
      `${path} belongs to other weights (${models.join(", ")}) than this model (${hashes.join(", ")}); create it again: ${remedy(folder)}; or score without it (--no-calibration)`,
    );
  }
  return file;
}

const remedy = (folder: string): string => `codescore calibrate --model ${folder} --data DEV.arrow`;

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every(Number.isFinite);

const rises = (x: readonly number[]): boolean => x.every((value, i) => i === 0 || value > x[i - 1]!);

function isMap(value: unknown): value is CalibrationMap | null {
  if (value === null) return true;
  const { x, y, slope, intercept } = (value ?? {}) as Record<string, unknown>;
  if (isNumbers(x) && isNumbers(y)) return x.length === y.length && rises(x) && rises(y);
  return Number.isFinite(slope) && (slope as number) > 0 && Number.isFinite(intercept);
}

function isSpread(value: unknown): value is Spread {
  const { x, quantiles, levels } = (value ?? {}) as Record<string, unknown>;
  return (
    isNumbers(x) &&
    rises(x) &&
    Array.isArray(quantiles) &&
    quantiles.length === x.length &&
    quantiles.every((values) => isNumbers(values) && values.length > 1) &&
    Array.isArray(levels) &&
    levels.length === COVERAGES.length &&
    levels.every((level) => level === null || Number.isFinite(level))
  );
}

function isCalibration(value: unknown): value is CalibrationFile {
  const { version, models, formats } = (value ?? {}) as Record<string, unknown>;
  if (version !== 1 || typeof models !== "object" || models === null) return false;
  if (typeof formats !== "object" || formats === null) return false;
  return Object.values(formats as Record<string, Partial<FormatCalibration> | null>).every(
    (format) => format !== null && isMap(format.score) && isMap(format.exec) && isSpread(format.spread),
  );
}

const clip = (value: number): number => Math.min(1, Math.max(0, value));

/** Piecewise linear through (x, y), constant outside. */
export function interpolate(x: readonly number[], y: (i: number) => number, at: number): number {
  const next = x.findIndex((knot) => at <= knot);
  if (next <= 0) return y(next === 0 ? 0 : x.length - 1);
  const share = (at - x[next - 1]!) / (x[next]! - x[next - 1]!);
  return y(next - 1) + share * (y(next) - y(next - 1));
}

/** Linear interpolation at a share, in [0, 1], of the way from the first value to the last. */
function evenly(values: readonly number[], share: number): number {
  const at = share * (values.length - 1);
  const below = Math.min(values.length - 2, Math.floor(at));
  return values[below]! + (at - below) * (values[below + 1]! - values[below]!);
}
