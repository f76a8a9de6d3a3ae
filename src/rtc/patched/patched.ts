/**
 * Patched RTC (Sharma 2024): how well a model can bring its own answers about again. patchflow.ts says what is asked, run.ts
 * runs it; here are the thresholds, and an oracle's word on those that pass and those that do not. The result on one chat
 * request is in request.ts.
 */
import { writeAtomic } from "../../util/files.ts";
import { type RoundTripsOptions, type RoundTripsResult, runRoundTrips } from "../trip/run.ts";
import { yesNoThresholds } from "../trip/similarity.ts";
import type { RtcSummary } from "../trip/summary.ts";
import type { AnyTask, SamplingOptions } from "../trip/trip.ts";
import { type OracleOptions, type OracleSummary, runOracle, splitByOracle } from "./oracle.ts";
import { openPatchflow, type PatchflowName, type PatchflowOptions, patchflows } from "./patchflow.ts";
import type { Query } from "./queries.ts";

/** The paper names no sampling settings; these are those of the author's later round trip (optillm `rto`). */
export const patchedSampling: { readonly forward: SamplingOptions; readonly backward: SamplingOptions } = {
  forward: { samples: 1, temperature: 0.1, maxTokens: 1024 },
  backward: { samples: 1, temperature: 0.1, maxTokens: 4096 },
};

/** "Evaluation": 0.95 for generic queries, and 0.8 for patchflows, where equivalent responses differ in small things. */
export const patchedThreshold = (patchflow: PatchflowName): number => (patchflow === "generic" ? 0.95 : 0.8);

export interface PatchedOptions extends PatchflowOptions {
  readonly queries: Iterable<Query>;
  /** A command that judges responses; none unless given. */
  readonly oracle?: OracleOptions;
}

export interface PatchedSummary extends RtcSummary {
  readonly patchflow: PatchflowName;
  readonly consistency: boolean;
  readonly oracle: OracleSummary | null;
}

/**
 * Runs Patched RTC: samples, compares and writes to `out`, going on from what is there. See run.ts for the files; where an
 * oracle judges, `oracle.jsonl` holds its results. `forward` answers Q and writes Q1, `backward` answers Q1. Every similarity has a
 * threshold, `patchedThreshold` where none is given (1 for `exact`); `share_above` is the rate of passing.
 * Throws as `runRoundTrips` and `openPatchflow` do, and `environment` for an oracle that cannot be started.
 */
export async function patchedRtc(
  options: PatchedOptions & Omit<RoundTripsOptions, "lift">,
): Promise<Omit<RoundTripsResult, "summary"> & { readonly summary: PatchedSummary }> {
  const { patchflow = "generic", consistency = false, similarities, out, oracle } = options;
  const byDefault = similarities.map(({ name }) => [name, yesNoThresholds[name] ?? patchedThreshold(patchflow)]);
  const thresholds = { ...Object.fromEntries(byDefault), ...options.thresholds };
  const queries = [...options.queries];
  const result = await runRoundTrips(await patchedTask({ ...options, queries }), {
    ...options,
    thresholds,
    lift: false,
  });
  const mends = patchflows[patchflow] === "out";
  const results =
    oracle && (await runOracle(result.samples, queries, oracle, { out, mends, quiet: options.quiet ?? false }));
  const summary: PatchedSummary = {
    ...result.summary,
    patchflow,
    consistency,
    oracle: results
      ? splitByOracle(results, result.samples, thresholds, { oracle: oracle!, seed: options.seed ?? 0 })
      : null,
  };
  await writeAtomic(result.files.summary, `${JSON.stringify(summary, null, 2)}\n`);
  return { ...result, summary };
}

async function patchedTask(options: PatchflowOptions & { readonly queries: readonly Query[] }): Promise<AnyTask> {
  const flow = await openPatchflow(options);
  const planned = options.queries.map(({ id }, i) => ({ id, trip: flow.trip(options.queries[i]!) }));
  return {
    name: "patched",
    uninformative: "",
    maxCharacters: null,
    sampling: patchedSampling,
    trips: planned.flatMap(({ trip }) => (typeof trip === "string" ? [] : [trip])),
    skipped: planned.flatMap(({ id, trip }) => (typeof trip === "string" ? [{ id, reason: trip }] : [])),
    prompts: flow.prompts,
  };
}
