/**
 * Runs a task of round trips and writes the results to a folder:
 *
 * - `recording.jsonl`: the models' answers (recording.ts). It grows as they answer and can be replayed.
 * - `comparisons.jsonl`: the values of the similarities, by content hash. It grows too.
 * - `samples.jsonl`: one row per candidate, in the order of the trips. It is written at once at the end.
 * - `summary.json`: the results (summary.ts)
 *
 * A killed run continues: nothing is sampled or compared twice. A later run with other similarities only compares with those. The
 * same recording gives the same bytes.
 */
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { counted, some } from "../../util/counted.ts";
import { makeFolder, packageVersion, writeAtomic } from "../../util/files.ts";
import { startProgress } from "../../util/progress.ts";
import type { Llm } from "../llm/llm.ts";
import { openCache } from "../llm/recording.ts";
import { compareAll } from "./compare.ts";
import { copiesExample, findRecital } from "./recited.ts";
import type { SampleRow } from "./rows.ts";
import { type Failure, type Sampled, sampleTrips } from "./sample.ts";
import { type SignedSimilarity, yesNoThresholds } from "./similarity.ts";
import { type RtcSummary, summarize } from "./summary.ts";
import { type AnyTask, type SamplingOptions, samplingDefaults } from "./trip.ts";
import { wordsOf } from "./words.ts";

export interface RoundTripsOptions {
  /** Describes the input. */
  readonly forward: Llm;
  /** Writes the input again from the description. May be the same object as `forward`. */
  readonly backward: Llm;
  /** All of them compare the same samples. */
  readonly similarities: readonly SignedSimilarity[];
  /** Output folder. */
  readonly out: string;
  /** File of the models' answers. @default recording.jsonl in `out` */
  readonly cache?: string;
  /** @default forward: 3 at temperature 0.8, at most 128 tokens; backward: 1 at 0.1, at most 1024 tokens */
  readonly samples?: { readonly forward?: Partial<SamplingOptions>; readonly backward?: Partial<SamplingOptions> };
  /** By similarity: the value from which it counts as yes. @default 1 for `pass` and `exact`, none for the others */
  readonly thresholds?: Readonly<Record<string, number>>;
  /** Whether to ask the backward model with the uninformative description too. @default true */
  readonly lift?: boolean;
  /**
   * Number of whole runs over the same problems, each with its own samples. Their standard deviation is `sigma`, and RTC is the
   * mean over all of them. A later call with more repeats reuses the existing samples. @default 1
   */
  readonly repeats?: number;
  /** Seed for the bootstrap, and for servers that accept seeds. @default 0 for the bootstrap, no seed for servers */
  readonly seed?: number;
  /** Whether to hide progress on stderr. @default false */
  readonly quiet?: boolean;
}

export interface RoundTripsResult {
  readonly summary: RtcSummary;
  readonly samples: readonly SampleRow[];
  readonly files: { readonly samples: string; readonly summary: string };
}

/**
 * Samples, compares and summarizes a task.
 * @throws `CodescoreError`: `usage` for options that contradict each other, `input` if nothing can be sent or a file in `out` is
 * damaged, and the errors of models and similarities if no sample can succeed
 */
export async function runRoundTrips(task: AnyTask, options: RoundTripsOptions): Promise<RoundTripsResult> {
  const { out, similarities, lift = true, repeats = 1, seed, quiet = false } = options;
  if (!Number.isInteger(repeats) || repeats < 1) {
    throw new CodescoreError("usage", `expected \`repeats\` to be an integer of at least 1, got ${repeats}`);
  }
  const sampling = {
    forward: checkSampling("forward", {
      ...samplingDefaults.forward,
      ...task.sampling?.forward,
      ...options.samples?.forward,
    }),
    backward: checkSampling("backward", {
      ...samplingDefaults.backward,
      ...task.sampling?.backward,
      ...options.samples?.backward,
    }),
  };
  const thresholds = checkThresholds(similarities, options.thresholds ?? {});
  if (task.trips.length === 0) {
    const first = task.skipped[0];
    throw new CodescoreError(
      "input",
      `no ${wordsOf(task.name).item[0]} can make a round trip${first ? `; ${first.id}: ${first.reason}` : ""}`,
    );
  }
  await makeFolder(out);

  const cachePath = options.cache ?? join(out, "recording.jsonl");
  const { samples, failures } = await sampleWithCache(task, options, {
    cachePath,
    sampling,
    lift,
    repeats,
    seed,
    quiet,
  });
  if (samples.every(({ kind }) => kind === "baseline")) throw nothingBack(task, failures);

  const compared = await compareAll(
    samples.map(({ trip, candidate }) => ({
      pair: {
        reference: trip.reference,
        candidate,
        description: trip.description,
        problemId: trip.id,
        ...(trip.entryPoint === undefined ? {} : { entryPoint: trip.entryPoint }),
      },
      fingerprint: trip.fingerprint,
    })),
    similarities,
    { journal: join(out, "comparisons.jsonl"), quiet },
  );
  const rows = samples.map(
    (sampled, i): SampleRow =>
      toRow(
        sampled,
        [...compared].map(([name, { values }]) => [name, values[i] ?? null]),
        thresholds,
      ),
  );
  const summary = summarize({
    task,
    version: await packageVersion(),
    models: { forward: options.forward, backward: options.backward },
    sampling,
    lift,
    repeats,
    seed,
    rows,
    failures,
    similarities,
    thresholds,
    compared,
  });
  const files = { samples: join(out, "samples.jsonl"), summary: join(out, "summary.json") };
  await writeAtomic(files.samples, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  await writeAtomic(files.summary, `${JSON.stringify(summary, null, 2)}\n`);
  return { summary, samples: rows, files };
}

async function sampleWithCache(
  task: AnyTask,
  { forward, backward }: RoundTripsOptions,
  settings: {
    readonly cachePath: string;
    readonly sampling: { readonly forward: SamplingOptions; readonly backward: SamplingOptions };
    readonly lift: boolean;
    readonly repeats: number;
    readonly seed: number | undefined;
    readonly quiet: boolean;
  },
): Promise<{ samples: readonly Sampled[]; failures: readonly Failure[] }> {
  const { cachePath, sampling, lift, repeats, seed, quiet } = settings;
  const asked = [forward, backward].some((llm) => llm.recorded === undefined);
  const cache = asked ? await openCache(cachePath) : null;
  const through = (llm: Llm): Llm => (cache === null || llm.recorded ? llm : cache.wrap(llm));
  const progress = startProgress({
    label: "sampling",
    total: task.trips.length,
    unit: wordsOf(task.name).item[1],
    quiet,
  });
  try {
    const models = { forward: through(forward), backward: through(backward) };
    return await sampleTrips(task, { ...models, sampling, lift, repeats, seed, onTrip: () => progress.tick() });
  } finally {
    progress.done();
    await cache?.close();
  }
}

function toRow(
  sampled: Sampled,
  sims: readonly (readonly [string, number | null])[],
  thresholds: Readonly<Record<string, number>>,
): SampleRow {
  const { trip, kind, repeat, forward, backward, description, cut, answer, candidate } = sampled;
  return {
    task_id: trip.id,
    kind,
    ...(trip.shown && { shown: trip.shown }),
    ...(trip.input.trim() !== trip.reference.trim() && { input: trip.input }),
    repeat,
    forward,
    backward,
    description,
    description_cut: cut,
    recited: forward === null ? null : findRecital(trip.input, description),
    ...(forward !== null && copiesExample(trip.forward, description) && { copied: true as const }),
    answer,
    candidate,
    reference: trip.reference,
    sims: Object.fromEntries(sims),
    passed: Object.fromEntries(
      sims.flatMap(([name, value]) => {
        const threshold = thresholds[name];
        return threshold === undefined ? [] : [[name, value === null ? null : value >= threshold]];
      }),
    ),
  };
}

/** @throws `CodescoreError("usage")` for settings that no server accepts */
export function checkSampling(side: string, options: SamplingOptions): SamplingOptions {
  const { samples, temperature, maxTokens } = options;
  const wrong = (what: string, expected: string, got: number): never => {
    throw new CodescoreError("usage", `expected ${what} of the ${side} model to be ${expected}, got ${got}`);
  };
  if (!Number.isInteger(samples) || samples < 1) wrong("`samples`", "an integer of at least 1", samples);
  if (!(temperature >= 0 && temperature <= 2)) wrong("`temperature`", "in [0, 2]", temperature);
  if (!Number.isInteger(maxTokens) || maxTokens < 1) wrong("`maxTokens`", "an integer of at least 1", maxTokens);
  return options;
}

/**
 * The thresholds to use, including those of yes-or-no similarities.
 * @throws `CodescoreError("usage")` for a threshold of a similarity that is not used, or without similarities
 */
export function checkThresholds(
  similarities: readonly SignedSimilarity[],
  given: Readonly<Record<string, number>>,
): Record<string, number> {
  const names = similarities.map(({ name }) => name);
  const doubled = names.find((name, i) => names.indexOf(name) !== i);
  if (names.length === 0 || doubled !== undefined) {
    const got = doubled === undefined ? "none" : `\`${doubled}\` twice`;
    throw new CodescoreError("usage", `expected one or more different similarities, got ${got}`);
  }
  for (const [name, threshold] of Object.entries(given)) {
    if (!names.includes(name)) {
      throw new CodescoreError("usage", `a threshold is given for \`${name}\`, which is not among ${names.join(", ")}`);
    }
    if (!(threshold > 0 && threshold <= 1)) {
      throw new CodescoreError("usage", `expected the threshold of \`${name}\` to be in (0, 1], got ${threshold}`);
    }
  }
  const own = similarities.flatMap(({ name, threshold = yesNoThresholds[name] }) =>
    threshold === undefined ? [] : [[name, threshold] as const],
  );
  return { ...Object.fromEntries(own), ...given };
}

function nothingBack({ name, trips }: AnyTask, failures: readonly Failure[]): CodescoreError {
  const first = failures[0];
  const items = counted(trips.length, ...wordsOf(name).item);
  const why = first
    ? `${first.direction} of ${first.task_id}: ${first.message}`
    : `the recording has no whole round trip of the ${items} (${some(trips.map(({ id }) => id))})`;
  return new CodescoreError("input", `no round trip succeeded; ${why}`);
}
