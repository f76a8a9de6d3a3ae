/**
 * SynthesisRTC over problem sets (Allamanis et al. 2024, sections 3.1 and 4.1). The docstring is removed from a reference
 * solution. A forward model describes its body in at most 128 characters. A backward model writes the body again from that
 * description and the signature. Programs that read and write make the round trip whole. Spans of a project are in project.ts.
 */
import { CodescoreError } from "../../errors.ts";
import type { Problem } from "../../types.ts";
import { sha256 } from "../../util/files.ts";
import { defaultPrompts, readTemplate, render, type Template } from "../llm/prompts.ts";
import { type RoundTripsOptions, type RoundTripsResult, runRoundTrips } from "../trip/run.ts";
import type { RoundTrip, RoundTripTask } from "../trip/trip.ts";
import { placeAnswer } from "./place.ts";
import { compose, cutRegion, joinParts, type Region } from "./region.ts";

export interface SynthesisOptions {
  readonly problems: Iterable<Problem>;
  /** Folder with synthesis-forward.txt and synthesis-backward.txt. @default the prompts of this package */
  readonly prompts?: string;
  /** Maximum characters of a description. @default 128 */
  readonly maxCharacters?: number;
  /** Number of examples in the prompts, from the first. @default all */
  readonly shots?: number;
}

/**
 * Runs SynthesisRTC: samples, compares and writes to `out`. Continues from existing files. See run.ts for the files.
 * @throws `CodescoreError("input")` for unusable prompts, or if no problem can be used
 */
export const synthesisRtc = async (options: SynthesisOptions & RoundTripsOptions): Promise<RoundTripsResult> =>
  runRoundTrips(await synthesisTask(options), options);

/** The prompts of SynthesisRTC, for problems and projects. @throws as `readTemplate` */
export async function synthesisPrompts(
  folder: string,
  shots?: number,
): Promise<{ forward: Template; backward: Template }> {
  const around = ["before", "after", "indent"];
  return {
    forward: await readTemplate(folder, "synthesis-forward", {
      places: [...around, "code", "limit"],
      needed: ["code"],
      shots,
    }),
    backward: await readTemplate(folder, "synthesis-backward", {
      places: [...around, "description"],
      needed: ["description"],
      shots,
    }),
  };
}

/** The problems as round trips. Problems without a usable reference are skipped, with the reason. */
export async function synthesisTask({
  problems,
  prompts = defaultPrompts,
  maxCharacters = 128,
  shots,
}: SynthesisOptions): Promise<RoundTripTask> {
  const { forward, backward } = await synthesisPrompts(prompts, shots);
  const trips: RoundTrip[] = [];
  const skipped: { id: string; reason: string }[] = [];
  for (const problem of problems) {
    const region = await regionOf(problem);
    if (typeof region === "string") {
      skipped.push({ id: problem.id, reason: region });
      continue;
    }
    const values = { before: beforeOf(region), after: region.after, indent: region.indent };
    trips.push({
      id: problem.id,
      reference: compose(region, region.target),
      input: region.target,
      description: problem.description === "" ? null : problem.description,
      entryPoint: problem.entryPoint,
      fingerprint: sha256(JSON.stringify([problem.entryPoint, problem.setup, problem.tests])),
      shown: { above: values.before, below: values.after },
      forward: render(forward, { ...values, code: region.target, limit: String(maxCharacters) }),
      backward: (description) => render(backward, { ...values, description }),
      place: (answer) => placeAnswer(region, answer),
    });
  }
  return {
    name: "synthesis",
    uninformative: "Implement.",
    maxCharacters,
    trips,
    skipped,
    prompts: { forward: forward.sha256, backward: backward.sha256 },
  };
}

/** The region of the problem's first reference, or the reason why there is none. */
async function regionOf({ references, entryPoint }: Problem): Promise<Region | string> {
  const reference = references[0];
  if (reference === undefined) return "the problem has no reference";
  return cutRegion(reference, entryPoint).catch((error: unknown) => {
    if (error instanceof CodescoreError && error.code === "input") return error.message;
    throw error;
  });
}

const beforeOf = ({ context, header }: Region): string => joinParts([context, header]).trimEnd();
