/**
 * Patched RTC (Sharma 2024): how well a model can reproduce its own answers. patchflow.ts defines the prompts, and run.ts runs
 * them. This file has the thresholds, and the oracle's result on responses that pass and that fail. request.ts handles a single
 * chat request.
 */
import { writeAtomic } from "../../util/files.ts";
import { type RoundTripsOptions, type RoundTripsResult, runRoundTrips } from "../trip/run.ts";
import { yesNoThresholds } from "../trip/similarity.ts";
import type { RtcSummary } from "../trip/summary.ts";
import type { AnyTask, SamplingOptions } from "../trip/trip.ts";
import { type OracleOptions, type OracleSummary, runOracle, splitByOracle } from "./oracle.ts";
import { openPatchflow, type PatchflowName, type PatchflowOptions, patchflows } from "./patchflow.ts";
import type { Query } from "./queries.ts";

/** The paper names no sampling settings. These are from the author's later round trip (optillm `rto`). */
export const patchedSampling: { readonly forward: SamplingOptions; readonly backward: SamplingOptions } = {
  forward: { samples: 1, temperature: 0.1, maxTokens: 1024 },
  backward: { samples: 1, temperature: 0.1, maxTokens: 4096 },
};

/** Paper, "Evaluation": 0.95 for generic queries, and 0.8 for patchflows, where equivalent responses differ in details. */
export const patchedThreshold = (patchflow: PatchflowName): number => (patchflow === "generic" ? 0.95 : 0.8);

export interface PatchedOptions extends PatchflowOptions {
  readonly queries: Iterable<Query>;
  /** A command that judges responses. @default none */
  readonly oracle?: OracleOptions;
}

export interface PatchedSummary extends RtcSummary {
  readonly patchflow: PatchflowName;
  readonly consistency: boolean;
  readonly oracle: OracleSummary | null;
}

/**
 * Runs Patched RTC: samples, compares and writes to `out`. Continues from existing files. See run.ts for the files; an oracle
 * adds `oracle.jsonl`. `forward` answers Q and writes Q1, `backward` answers Q1. Every similarity has a threshold: by default
 * `patchedThreshold` (1 for `exact`). `share_above` is the passing rate.
 * @throws as `runRoundTrips` and `openPatchflow`, and `environment` for an oracle that cannot be started
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
