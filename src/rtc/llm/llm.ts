/**
 * What a round trip needs from a language model, and the limit on simultaneous calls.
 * Two implementations: openai.ts (any OpenAI-compatible server) and recording.ts (recorded answers).
 */
import { sha256 } from "../../util/files.ts";

/**
 * The purpose of a request:
 * - `forward`, `backward`: code to description, description to code
 * - `baseline`: the backward model on the uninformative description, for the lift
 * - `response`: an answer to a query, which then makes the round trip (Patched RTC)
 * - `judge`: a model's opinion on how similar two answers are (Patched RTC)
 * - `greedy`: a greedily decoded description (supervised half of EditingRTC)
 * - `comment`: the backward model on a human's words (supervised half of EditingRTC)
 */
export type Direction = "forward" | "backward" | "baseline" | "response" | "judge" | "greedy" | "comment";

export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface LlmRequest {
  /** A text to continue, or the turns of a conversation. */
  readonly prompt: string | readonly Message[];
  /** Number of samples. */
  readonly n: number;
  readonly temperature: number;
  readonly maxTokens: number;
  /** A call sends `seed` plus the index of its first sample, if the server accepts seeds. */
  readonly seed?: number;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Which samples these are. Never sent to a model. */
  readonly about: {
    readonly taskId: string;
    readonly direction: Direction;
    /** Index of the first sample. A recording numbers samples from 0 within task and direction. */
    readonly first: number;
  };
}

/** What the calls of this run cost. Answers from a cache cost nothing. */
export interface LlmUsage {
  requests: number;
  retries: number;
  promptTokens: number;
  completionTokens: number;
  /** Answers that ended at the token limit. */
  truncated: number;
  /** In the currency of the model's price. Absent if the price is unknown. */
  cost?: number;
}

/** Price per million tokens. */
export interface Price {
  readonly prompt: number;
  readonly completion: number;
}

export interface Llm {
  /** Name in the summary: the model, or `recorded`. */
  readonly name: string;
  /** The answers come from a file, so they are not recorded again. */
  readonly recorded?: true;
  /** The samples are generated in turn, not at random. Differences between them are not chance, so they have no sigma. */
  readonly drawn?: false;
  readonly usage?: LlmUsage;
  /**
   * The samples, in order. There are fewer than `n` only if a recording has no more.
   * @throws `CodescoreError`: `environment` if no call can succeed (wrong key, no such model), `input` if this request cannot,
   * `infra` if the server kept failing
   */
  complete(request: LlmRequest): Promise<string[]>;
}

/** Identifies a request: hash of the prompt and the sampling settings, without the model and the number of samples. */
export const requestHash = ({ prompt, temperature, maxTokens, seed }: LlmRequest): string =>
  sha256(JSON.stringify([prompt, temperature, maxTokens, seed ?? null]));

/** Runs at most `most` functions at a time, in order of arrival. */
export function limiter(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running < most) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
