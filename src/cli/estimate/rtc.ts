/** `codescore estimate --rtc`: estimates RTC by execution for a run of which few round trips have been executed, or executes a few now. */
import type { Draw, EstimateResult, RoundTrip } from "../../evaluate/index.ts";
import type { SandboxKind } from "../../execute/types.ts";

export interface RtcEstimateFlags {
  readonly sim: string;
  readonly problems?: readonly string[];
  readonly budget: number | "all";
  readonly draw: Draw;
  readonly seed: number;
  readonly sandbox: SandboxKind | "auto";
  readonly allowUnsafe?: boolean;
}

export async function estimateOfRun(folder: string, flags: RtcEstimateFlags): Promise<EstimateResult> {
  const { drawExecuted, estimateRtc, readRoundTrips } = await import("../../evaluate/index.ts");
  const { Random } = await import("../../util/random.ts");
  const { sim: similarity, budget, draw, seed, problems } = flags;
  const trips = await readRoundTrips(folder);
  if (problems === undefined || budget === "all") return estimateRtc({ trips, similarity, budget, draw, seed });
  const taskIds = trips.map(({ task_id }) => task_id);
  const drawn = drawExecuted(taskIds, budget, draw, new Random(seed));
  const executed = await execute(
    drawn.map((i) => trips[i]!),
    problems,
    flags,
  );
  const unseen = trips.map((trip): RoundTrip => ({ ...trip, sims: { ...trip.sims, pass: null } }));
  drawn.forEach((i, d) => {
    unseen[i] = executed[d]!;
  });
  const result = estimateRtc({ trips: unseen, similarity, budget: "all", draw, seed });
  return { ...result, settings: { budget, draw, seed } };
}

/** The round trips, each with the result of its problem's tests. */
async function execute(
  trips: readonly RoundTrip[],
  paths: readonly string[],
  { sandbox, allowUnsafe = false }: RtcEstimateFlags,
): Promise<RoundTrip[]> {
  const { openExecutor } = await import("../../execute/index.ts");
  const { readProblems } = await import("../../problems/index.ts");
  const { openSimilarity } = await import("../../rtc/index.ts");
  const problems = await readProblems(paths);
  const executor = await openExecutor({ sandbox, allowUnsafe });
  try {
    const pairs = trips.map(({ task_id: problemId, candidate, reference }) => ({ problemId, candidate, reference }));
    const values = await openSimilarity("pass", { executor, problems }).compare(pairs);
    return trips.map((trip, i) => ({
      ...trip,
      sims: { ...trip.sims, pass: Number.isNaN(values[i]) ? null : values[i]! },
    }));
  } finally {
    await executor.close();
  }
}
