/** Estimates a model's round-trip correctness from a similarity of all its round trips and executions of a few. */
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { groupRows, mean } from "../../statistics/index.ts";
import { readJsonLines, stringField } from "../../util/jsonl.ts";
import { Random } from "../../util/random.ts";
import { type Draw, drawExecuted } from "./draw.ts";
import { drawnTasks, type EstimateResult, estimatedMean } from "./estimated.ts";

/** A round trip as `codescore rtc` writes it. */
export interface RoundTrip {
  readonly task_id: string;
  readonly forward: number;
  readonly candidate: string;
  readonly reference: string;
  readonly sims: Readonly<Record<string, number | null>>;
}

/** The round trips in the folder of an RTC run, without the baseline. Throws `CodescoreError("input")` if there are none. */
export async function readRoundTrips(folder: string): Promise<RoundTrip[]> {
  const path = join(folder, "samples.jsonl");
  const trips: RoundTrip[] = [];
  for await (const line of readJsonLines(path)) {
    const { kind, forward, sims } = line.value;
    if (kind === "baseline") continue;
    if (kind !== "round_trip" || typeof forward !== "number" || typeof sims !== "object" || sims === null) {
      throw new CodescoreError("input", `${line.where}: expected a row of \`codescore rtc\` (kind, forward, sims)`);
    }
    trips.push({
      task_id: stringField(line, "task_id"),
      forward,
      candidate: stringField(line, "candidate"),
      reference: stringField(line, "reference"),
      sims: sims as RoundTrip["sims"],
    });
  }
  if (trips.length === 0) throw new CodescoreError("input", `${path}: expected round trips, got none`);
  return trips;
}

export interface EstimateRtcOptions {
  readonly trips: readonly RoundTrip[];
  /** Name of the similarity that scores all round trips. */
  readonly similarity: string;
  /** Name of the similarity that executes programs. @default "pass" */
  readonly truth?: string;
  /** See `EstimateOptions`. */
  readonly budget?: number | "all";
  readonly draw?: Draw;
  readonly seed?: number;
}

/**
 * Estimates RTC by `truth` (mean over problems of the mean over forward samples of the mean over backward samples: Allamanis et
 * al. 2024, eq. 1) from `similarity` on all round trips and `truth` on a few. Throws as `estimate` does.
 */
export function estimateRtc(options: EstimateRtcOptions): EstimateResult {
  const { trips, similarity, truth = "pass", budget = 0.1, draw = "within", seed = 1 } = options;
  const names = Object.keys(trips[0]?.sims ?? {});
  const missing = [similarity, truth].find((name) => !names.includes(name));
  if (missing !== undefined) {
    throw new CodescoreError("input", `the run has no similarity \`${missing}\`; it has ${names.join(", ")}`);
  }
  const kept = budget === "all" ? trips : trips.filter(({ sims }) => typeof sims[truth] === "number");
  if (!kept.some(({ sims }) => typeof sims[truth] === "number")) {
    throw new CodescoreError(
      "input",
      `expected round trips with a value of \`${truth}\`, got ${trips.length} without one`,
    );
  }
  const bad = kept.find(({ sims }) => typeof sims[similarity] !== "number");
  if (bad) {
    throw new CodescoreError(
      "input",
      `expected \`${similarity}\` of every round trip, got none for one of ${bad.task_id}`,
    );
  }
  const taskIds = kept.map(({ task_id }) => task_id);
  const values = kept.map(({ sims }) => sims[truth] ?? null);
  const executed =
    budget === "all"
      ? [...kept.keys()].filter((i) => values[i] !== null)
      : drawExecuted(taskIds, budget, draw, new Random(seed));
  const scores = kept.map(({ sims }) => sims[similarity] as number);
  const measure = estimatedMean("RTC", { scores, values, taskIds, executed, draw, weights: rtcWeights(kept) });
  return {
    counts: {
      programs: kept.length,
      tasks: new Set(taskIds).size,
      ...drawnTasks(draw, taskIds, executed),
      executed: executed.length,
      leftOut: trips.length - kept.length,
    },
    scores: { name: similarity, signature: null },
    settings: { budget, draw, seed },
    measures: [measure],
  };
}

/** Weights with mean 1. Every problem counts the same, and within it every forward sample. */
function rtcWeights(trips: readonly RoundTrip[]): number[] {
  const forwards = trips.map(({ task_id, forward }) => JSON.stringify([task_id, forward]));
  const ofForward = groupRows(forwards);
  const forwardsOf = new Map<string, Set<number>>();
  for (const { task_id, forward } of trips) {
    forwardsOf.set(task_id, (forwardsOf.get(task_id) ?? new Set()).add(forward));
  }
  const raw = trips.map(({ task_id }, i) => 1 / (forwardsOf.get(task_id)!.size * ofForward.get(forwards[i]!)!.length));
  const unit = mean(raw);
  return raw.map((weight) => weight / unit);
}
