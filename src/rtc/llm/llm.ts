/**
 * What a round trip asks of a language model, and how many of its calls may run at once.
 * Two implementations: openai.ts (any OpenAI-compatible server) and recording.ts (answers written down before).
 */
import { sha256 } from "../../util/files.ts";

/**
 * `baseline` is the backward model on the uninformative description, for the lift; `response` an answer to a query, which
 * then goes around, and `judge` a model's word on how alike two answers are (both of Patched RTC). `greedy` is a description without
 * chance, and `comment` the backward model on a person's words (both of EditingRTC's supervised half).
 */
export type Direction = "forward" | "backward" | "baseline" | "response" | "judge" | "greedy" | "comment";

export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface LlmRequest {
  /** A text to go on from, or the turns of a conversation. */
  readonly prompt: string | readonly Message[];
  /** Samples wanted. */
  readonly n: number;
  readonly temperature: number;
  readonly maxTokens: number;
  /** Sample `i` is drawn with `seed + i`, where the server takes a seed. */
  readonly seed?: number;
  /** Gives the call up. */
  readonly signal?: AbortSignal;
  /** Which samples these are; never sent to a model. */
  readonly about: {
    readonly taskId: string;
    readonly direction: Direction;
    /** Index of the first sample wanted; a recording numbers them from 0 within task and direction. */
    readonly first: number;
  };
}

/** What the calls of this run cost; answers from a cache cost nothing. */
export interface LlmUsage {
  requests: number;
  retries: number;
  promptTokens: number;
  completionTokens: number;
  /** Answers that the limit of tokens ended. */
  truncated: number;
  /** In the currency of the model's price; absent where no price is known. */
  cost?: number;
}

/** Of a million tokens. */
export interface Price {
  readonly prompt: number;
  readonly completion: number;
}

export interface Llm {
  /** As the summary names it: the model, or `recorded`. */
  readonly name: string;
  /** Answers come from a file: they are not written down a second time. */
  readonly recorded?: true;
  /** Its samples are made in turn, not drawn: what lies between them is not chance. */
  readonly drawn?: false;
  readonly usage?: LlmUsage;
  /**
   * The samples, in order. Fewer than `n` only when a recording has no more.
   * Throws `CodescoreError`: `environment` when no call can succeed (wrong key, no such model), `input` when this
   * request cannot, `infra` when the server kept failing.
   */
  complete(request: LlmRequest): Promise<string[]>;
}

/** Names what was asked: prompt and sampling settings, without the model and the number of samples. */
export const requestHash = ({ prompt, temperature, maxTokens, seed }: LlmRequest): string =>
  sha256(JSON.stringify([prompt, temperature, maxTokens, seed ?? null]));

/** Runs at most `most` of the functions given to it at a time, first come first served. */
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
