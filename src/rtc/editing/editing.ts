/**
 * EditingRTC (Allamanis et al. 2024, sections 3.2 and 4.3). A forward model describes the change from old code to new code. A
 * backward model makes the change again from the old code and that description. It works for any language, because nothing is
 * parsed. Exact match is the paper's similarity. BLEU and ROUGE are high even for the unchanged old code.
 */

import { answeredCode } from "../../languages/index.ts";
import { writeAtomic } from "../../util/files.ts";
import { defaultPrompts, readTemplate, render } from "../llm/prompts.ts";
import { type LengthRelation, lengthRelations } from "../trip/lengths.ts";
import { type RoundTripsOptions, type RoundTripsResult, runRoundTrips } from "../trip/run.ts";
import type { RtcSummary } from "../trip/summary.ts";
import type { RoundTrip, RoundTripTask } from "../trip/trip.ts";
import type { Edit } from "./edits.ts";
import { type SupervisedSummary, superviseEdits } from "./supervised.ts";

export interface EditingOptions {
  readonly edits: Iterable<Edit>;
  /** Folder with editing-forward.txt and editing-backward.txt. @default the prompts of this package */
  readonly prompts?: string;
  /**
   * Maximum characters of a description. Section 4 sets 128, but appendix C shows descriptions of up to 250, and the authors'
   * release limits only tokens. @default 128
   */
  readonly maxCharacters?: number;
  /** Number of examples in the prompts, from the first. @default all */
  readonly shots?: number;
  /** Whether to ask also for greedy descriptions, and for edits from human comments (supervised.ts). @default false */
  readonly supervised?: boolean;
}

/** Section 4.3: 3 forward samples at 1.0, and greedy backward samples. */
const editingSampling = { forward: { temperature: 1 }, backward: { temperature: 0 } } as const;

export interface EditingSummary extends RtcSummary {
  /** Length of edits that come back and of those that do not. */
  readonly lengths: readonly LengthRelation[];
  /** Null unless human comments were used too. */
  readonly supervised: SupervisedSummary | null;
}

/**
 * Runs EditingRTC: samples, compares and writes to `out`. Continues from existing files. See run.ts for the files, and
 * supervised.ts for the file that `supervised` adds.
 * @throws `CodescoreError("input")` for unusable prompts, or if no edit can be used
 */
export async function editingRtc(
  options: EditingOptions & RoundTripsOptions,
): Promise<Omit<RoundTripsResult, "summary"> & { readonly summary: EditingSummary }> {
  const task = await editingTask(options);
  const result = await runRoundTrips(task, options);
  const { sampling, similarities } = result.summary;
  const summary: EditingSummary = {
    ...result.summary,
    lengths: lengthRelations(
      result.samples,
      similarities.map(({ name }) => name),
    ),
    supervised: options.supervised ? await superviseEdits(task, result.samples, { ...options, sampling }) : null,
  };
  await writeAtomic(result.files.summary, `${JSON.stringify(summary, null, 2)}\n`);
  return { ...result, summary };
}

/** The edits as round trips. Edits that change nothing, or leave no code, are skipped. */
export async function editingTask({
  edits,
  prompts = defaultPrompts,
  maxCharacters = 128,
  shots,
}: EditingOptions): Promise<RoundTripTask> {
  const forward = await readTemplate(prompts, "editing-forward", {
    places: ["old", "new", "limit"],
    needed: ["old", "new"],
    shots,
  });
  const backward = await readTemplate(prompts, "editing-backward", {
    places: ["old", "description"],
    needed: ["old", "description"],
    shots,
  });
  const trips: RoundTrip[] = [];
  const skipped: { id: string; reason: string }[] = [];
  for (const { id, before, after, comment } of edits) {
    // White space at both ends is not compared, as in the authors' release, because models rarely keep it.
    const reference = after.trim();
    const same = reference === before.trim();
    if (same || reference === "") {
      skipped.push({ id, reason: same ? "old and new code are the same" : "there is no new code" });
      continue;
    }
    trips.push({
      id,
      reference,
      input: after,
      description: comment,
      fingerprint: "",
      shown: { old: before, ...(comment === null ? {} : { comment }) },
      forward: render(forward, { old: before, new: after, limit: String(maxCharacters) }),
      backward: (description) => render(backward, { old: before, description }),
      place: async (answer) => answeredCode(answer).trim(),
    });
  }
  return {
    name: "editing",
    uninformative: "Edit.",
    maxCharacters,
    sampling: editingSampling,
    trips,
    skipped,
    prompts: { forward: forward.sha256, backward: backward.sha256 },
  };
}
