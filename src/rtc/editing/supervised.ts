/**
 * The supervised half of EditingRTC (Allamanis et al. 2024, section 4.3, Table 3), for edits with a human comment. It measures
 * how similar a greedy description is to the comment (edit -> text, BLEU), and whether the backward model makes the edit from the
 * comment (text -> edit, exact match). Writes `supervised.jsonl`, one row per edit. As the paper warns, comments often differ
 * from what was done.
 */
import { join } from "node:path";
import { writeAtomic } from "../../util/files.ts";
import type { Llm } from "../llm/llm.ts";
import { openCache } from "../llm/recording.ts";
import { type Estimate, estimate, rtcByProblem } from "../trip/arithmetic.ts";
import { compareAll } from "../trip/compare.ts";
import type { SampleRow } from "../trip/rows.ts";
import { type Failure, openAsker, toDescription } from "../trip/sample.ts";
import { openSimilarity, type SignedSimilarity } from "../trip/similarity.ts";
import type { RoundTrip, RoundTripTask, SamplingOptions } from "../trip/trip.ts";

export interface SupervisedOptions {
  readonly forward: Llm;
  readonly backward: Llm;
  readonly similarities: readonly SignedSimilarity[];
  readonly out: string;
  readonly cache?: string;
  readonly seed?: number;
  readonly quiet?: boolean;
  /** Sampling of the run that this belongs to. Its token limits apply here too. */
  readonly sampling: { readonly forward: SamplingOptions; readonly backward: SamplingOptions };
}

/** A row of supervised.jsonl. A field is null if a call failed or the recording lacks it. */
export interface SupervisedRow {
  readonly task_id: string;
  readonly comment: string;
  readonly description: string | null;
  /** BLEU of the description against the comment, in [0, 1]. */
  readonly description_bleu: number | null;
  readonly answer: string | null;
  readonly candidate: string | null;
  readonly reference: string;
  readonly sims: Readonly<Record<string, number | null>>;
}

export interface SupervisedSummary {
  /** Edits with a comment. */
  readonly edits: number;
  /** Calls without an answer. */
  readonly missing: number;
  /** Sentence BLEU of the greedy description against the comment, and its signature. */
  readonly description_bleu: Estimate | null;
  readonly description_signature: string;
  /** The same for the descriptions that the run sampled. */
  readonly sampled_bleu: Estimate | null;
  /** Similarity of the edits made from the comments to the real ones, by similarity. */
  readonly from_comment: readonly { readonly name: string; readonly value: Estimate | null }[];
  readonly failed: readonly Failure[];
}

/** Asks for greedy descriptions and for edits from comments, compares them and writes the rows. `samples` are those of the run. */
export async function superviseEdits(
  task: RoundTripTask,
  samples: readonly SampleRow[],
  options: SupervisedOptions,
): Promise<SupervisedSummary> {
  const { similarities, out, seed = 0, quiet = false } = options;
  const edits = task.trips.filter(({ description }) => description !== null && description.trim() !== "");
  const asked = await askBoth(edits, task.maxCharacters, options);
  const bleu = openSimilarity("bleu-13a");
  const journal = { journal: join(out, "comparisons.jsonl"), quiet };

  const described = asked.rows.flatMap(({ trip, description }) =>
    description === null ? [] : [{ trip, description }],
  );
  const sampled = [...new Map(samples.map((row) => [JSON.stringify([row.task_id, row.forward]), row])).values()].filter(
    (row) => row.forward !== null,
  );
  const comments = new Map(edits.map(({ id, description }) => [id, description!]));
  const withComment = sampled.filter(({ task_id }) => comments.has(task_id));
  const texts = [
    ...described.map(({ trip, description }) => ({ reference: trip.description!, candidate: description })),
    ...withComment.map(({ task_id, description }) => ({ reference: comments.get(task_id)!, candidate: description })),
  ];
  const [words] = [
    ...(
      await compareAll(
        texts.map((pair) => ({ pair, fingerprint: "" })),
        [bleu],
        journal,
      )
    ).values(),
  ];
  const bleuOf = new Map(described.map(({ trip }, i) => [trip.id, words!.values[i] ?? null]));
  const sampledBleu = withComment.map(({ task_id: task, forward }, i) => {
    return { task, forward, value: words!.values[described.length + i] ?? null };
  });

  const made = asked.rows.flatMap(({ trip, candidate }) => (candidate === null ? [] : [{ trip, candidate }]));
  const compared = await compareAll(
    made.map(({ trip, candidate }) => ({
      pair: { reference: trip.reference, candidate, description: trip.description, problemId: trip.id },
      fingerprint: trip.fingerprint,
    })),
    similarities,
    journal,
  );
  const place = new Map(made.map(({ trip }, i) => [trip.id, i]));
  const rows = asked.rows.map(({ trip, description, answer, candidate }): SupervisedRow => {
    const i = place.get(trip.id);
    return {
      task_id: trip.id,
      comment: trip.description!,
      description,
      description_bleu: bleuOf.get(trip.id) ?? null,
      answer,
      candidate,
      reference: trip.reference,
      sims: Object.fromEntries(
        [...compared].map(([name, { values }]) => [name, i === undefined ? null : (values[i] ?? null)]),
      ),
    };
  });
  await writeAtomic(join(out, "supervised.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const meanOf = (values: readonly (readonly [string, number | null])[]): Estimate | null =>
    estimate(new Map(values.flatMap(([id, value]) => (value === null ? [] : [[id, value] as const]))), seed);
  return {
    edits: edits.length,
    missing: 2 * edits.length - described.length - made.length,
    description_bleu: meanOf(rows.map((row) => [row.task_id, row.description_bleu])),
    description_signature: bleu.signature ?? bleu.name,
    sampled_bleu: estimate(rtcByProblem(sampledBleu), seed),
    from_comment: similarities.map(({ name }) => ({
      name,
      value: meanOf(rows.map((row) => [row.task_id, row.sims[name] ?? null])),
    })),
    failed: asked.failures,
  };
}

interface Asked {
  readonly trip: RoundTrip;
  readonly description: string | null;
  readonly answer: string | null;
  readonly candidate: string | null;
}

async function askBoth(
  edits: readonly RoundTrip[],
  maxCharacters: number | null,
  { forward, backward, sampling, seed, out, cache: path = join(out, "recording.jsonl") }: SupervisedOptions,
): Promise<{ rows: Asked[]; failures: readonly Failure[] }> {
  const cache = [forward, backward].some((llm) => llm.recorded === undefined) ? await openCache(path) : null;
  const through = (llm: Llm): Llm => (cache === null || llm.recorded ? llm : cache.wrap(llm));
  const asker = openAsker(seed);
  const greedy = { samples: 1, temperature: 0 };
  try {
    const rows = await Promise.all(
      edits.map(async (trip): Promise<Asked> => {
        const about = (direction: "greedy" | "comment") => ({ taskId: trip.id, direction, first: 0 }) as const;
        const [[said], [answer]] = await Promise.all([
          asker.ask(through(forward), { ...sampling.forward, ...greedy }, about("greedy"), trip.forward),
          asker.ask(
            through(backward),
            { ...sampling.backward, ...greedy },
            about("comment"),
            trip.backward(trip.description!),
          ),
        ]);
        return {
          trip,
          description: said === undefined ? null : toDescription(said, maxCharacters).description,
          answer: answer ?? null,
          candidate: answer === undefined ? null : await trip.place(answer),
        };
      }),
    );
    return { rows, failures: asker.failures() };
  } finally {
    await cache?.close();
  }
}
