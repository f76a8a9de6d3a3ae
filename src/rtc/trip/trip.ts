/**
 * A round trip: something goes through a forward model and comes back through a backward one. What kind of thing it is
 * (a function body, an edit, a response) is said by the task; sampling, comparing and summing up are the same for all.
 * Source: Allamanis, Panthaplackel, Yin 2024, section 2.
 */
import type { Message } from "../llm/llm.ts";

/** One thing to send around. */
export interface RoundTrip {
  readonly id: string;
  /** What came out of the world, whole: what a candidate is compared with. */
  readonly reference: string;
  /** What the forward model is asked to describe. */
  readonly input: string;
  /** What it should do in people's words, for similarities that look at it. */
  readonly description: string | null;
  /** The function that is called where programs are run. @default found out */
  readonly entryPoint?: string | null;
  /** Hash of all that a comparison may depend on beside the two texts, e.g. the problem's tests. */
  readonly fingerprint: string;
  readonly forward: readonly Message[];
  backward(description: string): readonly Message[];
  /** The candidate that an answer of the backward model stands for; empty without one. */
  place(answer: string): Promise<string>;
  /**
   * What a reader of the samples wants to see beside the texts compared, e.g. the code before an edit; `above` and `below` are
   * the code around the input.
   */
  readonly shown?: Readonly<Record<string, string>>;
}

/** A trip that begins with a question: what goes around is the answer to it (Patched RTC). */
export interface OpenTrip {
  readonly id: string;
  /** The trip that this question belongs to, where another begins with it too: it is asked once for both. @default `id` */
  readonly asked?: string;
  /** Asked of the forward model, once, with the settings of the backward one. */
  readonly ask: readonly Message[];
  /** What goes around, or the next question of a conversation. */
  begin(answer: string): RoundTrip | OpenTrip;
}

export interface RoundTripTask<Trip extends RoundTrip | OpenTrip = RoundTrip> {
  readonly name: string;
  /** The description that says nothing, for the lift. */
  readonly uninformative: string;
  /**
   * Characters kept of a description, on one line; the paper's 128 keeps verbose models from gaining by it. Null leaves
   * it as it is.
   */
  readonly maxCharacters: number | null;
  /** How the task is sampled unless the caller says otherwise. @default samplingDefaults */
  readonly sampling?: { readonly forward: Partial<SamplingOptions>; readonly backward: Partial<SamplingOptions> };
  readonly trips: readonly Trip[];
  /** What cannot go on a trip, and why. */
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
  /** SHA-256 of each prompt file. */
  readonly prompts: Readonly<Record<string, string>>;
}

/** A task of trips of either kind. */
export type AnyTask = RoundTripTask<RoundTrip | OpenTrip>;

export interface SamplingOptions {
  readonly samples: number;
  readonly temperature: number;
  readonly maxTokens: number;
}

/** Section 4 of the paper: 3 forward samples at 0.8, 1 backward sample each at 0.1. */
export const samplingDefaults: { readonly forward: SamplingOptions; readonly backward: SamplingOptions } = {
  forward: { samples: 3, temperature: 0.8, maxTokens: 128 },
  backward: { samples: 1, temperature: 0.1, maxTokens: 1024 },
};
