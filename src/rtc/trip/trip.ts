/**
 * A round trip: a forward model describes something, and a backward model recreates it from the description. The task defines
 * what it is (a function body, an edit, a response). Sampling, comparing and summarizing are the same for all tasks. Source:
 * Allamanis, Panthaplackel, Yin 2024, section 2.
 */
import type { Message } from "../llm/llm.ts";

/** One item that makes a round trip. */
export interface RoundTrip {
  readonly id: string;
  /** The whole original text that candidates are compared with. */
  readonly reference: string;
  /** What the forward model is asked to describe. */
  readonly input: string;
  /** What the code should do, in a human's words, for similarities that read it. */
  readonly description: string | null;
  /** The function to call when programs are run. @default found automatically */
  readonly entryPoint?: string | null;
  /** Hash of everything besides the two texts that a comparison may depend on, e.g. the problem's tests. */
  readonly fingerprint: string;
  readonly forward: readonly Message[];
  backward(description: string): readonly Message[];
  /** The candidate that a backward model's answer stands for. Empty if the answer has none. */
  place(answer: string): Promise<string>;
  /**
   * What a reader of the samples needs beside the compared texts, e.g. the code before an edit. `above` and `below` are the code
   * around the input.
   */
  readonly shown?: Readonly<Record<string, string>>;
}

/** A trip that starts with a question. The answer to it makes the round trip (Patched RTC). */
export interface OpenTrip {
  readonly id: string;
  /** The trip that owns this question, if several trips start with it. It is asked once for all of them. @default `id` */
  readonly asked?: string;
  /** Sent to the forward model once per repeat, with the settings of the backward model. */
  readonly ask: readonly Message[];
  /** The trip that follows from the answer, or the next question of a conversation. */
  begin(answer: string): RoundTrip | OpenTrip;
}

export interface RoundTripTask<Trip extends RoundTrip | OpenTrip = RoundTrip> {
  readonly name: string;
  /** The description that says nothing, used for the lift. */
  readonly uninformative: string;
  /**
   * Maximum characters of a description, which is put on one line. The paper's 128 denies verbose models an advantage. Null
   * leaves the description unchanged.
   */
  readonly maxCharacters: number | null;
  /** Default sampling of this task. The caller may override it. @default samplingDefaults */
  readonly sampling?: { readonly forward: Partial<SamplingOptions>; readonly backward: Partial<SamplingOptions> };
  readonly trips: readonly Trip[];
  /** Items that cannot make a round trip, and why. */
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
  /** SHA-256 of each prompt file. */
  readonly prompts: Readonly<Record<string, string>>;
}

/** A task with trips of either kind. */
export type AnyTask = RoundTripTask<RoundTrip | OpenTrip>;

export interface SamplingOptions {
  readonly samples: number;
  readonly temperature: number;
  readonly maxTokens: number;
}

/** Section 4 of the paper: 3 forward samples at temperature 0.8, and 1 backward sample for each at 0.1. */
export const samplingDefaults: { readonly forward: SamplingOptions; readonly backward: SamplingOptions } = {
  forward: { samples: 3, temperature: 0.8, maxTokens: 128 },
  backward: { samples: 1, temperature: 0.1, maxTokens: 1024 },
};
