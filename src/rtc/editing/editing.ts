/**
 * EditingRTC (Allamanis et al. 2024, sections 3.2 and 4.3): a forward model describes the change from an old piece of code
 * to the new one, and a backward model makes the change again from the old code and that description. Any language:
 * nothing is parsed. Exact match is the paper's similarity; its BLEU and ROUGE are high even for the old code unchanged.
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
   * Characters kept of a description. Section 4 sets 128, while appendix C shows descriptions of up to 250 and the
   * authors' release limits tokens only. @default 128
   */
  readonly maxCharacters?: number;
  /** Examples shown in the prompts, the first ones. @default all */
  readonly shots?: number;
  /** Also asks for greedy descriptions, and for edits from people's comments: supervised.ts. @default false */
  readonly supervised?: boolean;
}

/** Section 4.3: 3 forward samples at 1.0 and greedy backward ones. */
const editingSampling = { forward: { temperature: 1 }, backward: { temperature: 0 } } as const;

export interface EditingSummary extends RtcSummary {
  /** How long what comes back is, and what does not. */
  readonly lengths: readonly LengthRelation[];
  /** Where people's words were used too. */
  readonly supervised: SupervisedSummary | null;
}

/**
 * Runs EditingRTC: samples, compares and writes to `out`, going on from what is there. See run.ts for the files, and supervised.ts for
 * the one that `supervised` adds. Throws `CodescoreError("input")` for prompts that cannot be used or when no edit can go around.
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

/** The edits as round trips. Those that change nothing, or leave nothing, are skipped. */
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
    // White space at both ends is not compared, as in the authors' release: models rarely keep it.
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
