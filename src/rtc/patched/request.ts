/**
 * Patched RTC of one chat request (Sharma 2024, "Usage"), for a proxy between a client and a model. Gives the model's response,
 * whether the round trip reproduces it, and the score.
 */
import { CodescoreError } from "../../errors.ts";
import type { Llm, LlmRequest, Message } from "../llm/llm.ts";
import { findRecital, type Recited } from "../trip/recited.ts";
import { type SignedSimilarity, yesNoThresholds } from "../trip/similarity.ts";
import type { RoundTrip } from "../trip/trip.ts";
import { patchedSampling } from "./patched.ts";
import { openPatchflow } from "./patchflow.ts";

export interface PatchedRequest {
  /** The conversation. The last turn is the user's. */
  readonly messages: readonly Message[];
  /** R, if the model has answered already. Otherwise the model is asked. */
  readonly response?: string;
}

export interface PatchedRequestOptions {
  /** Answers Q and writes Q1. */
  readonly llm: Llm;
  /** Answers Q1. @default llm */
  readonly backward?: Llm;
  readonly similarity: SignedSimilarity;
  /** The minimum score to pass. @default 1 for `exact` and `pass`, otherwise the paper's 0.8 */
  readonly threshold?: number;
  /** Settings for answering Q and Q1, from the client. @default patchedSampling.backward */
  readonly temperature?: number;
  readonly maxTokens?: number;
  /** @default the prompts of this package */
  readonly prompts?: string;
  /** Whether to put the consistency prompt before every request. @default false */
  readonly consistency?: boolean;
  /** Cancels the calls. */
  readonly signal?: AbortSignal;
}

export interface PatchedResult {
  /** R, unchanged. */
  readonly response: string;
  /** Q1. */
  readonly query: string;
  /** R1, unchanged. */
  readonly second: string;
  /** Similarity of R and R1 in [0, 1]. Null if the similarity has no value for them. */
  readonly score: number | null;
  readonly threshold: number;
  /** False without a score. */
  readonly passed: boolean;
  /** Whether Q1 recites the response. */
  readonly recited: Recited;
}

/** The minimum score to pass. @throws `CodescoreError("usage")` for a threshold outside (0, 1] */
export function requestThreshold({ name }: SignedSimilarity, threshold = yesNoThresholds[name] ?? 0.8): number {
  if (threshold > 0 && threshold <= 1) return threshold;
  throw new CodescoreError("usage", `expected the threshold to be in (0, 1], got ${threshold}`);
}

/**
 * Runs the round trip of one request: two or three calls, one after the other.
 * @throws the errors of the models (llm.ts), `CodescoreError("input")` for a conversation that does not end with the user's turn
 * or a recording without the answers, `usage` for a threshold outside (0, 1]
 */
export async function patchedResult(
  { messages, response: given }: PatchedRequest,
  options: PatchedRequestOptions,
): Promise<PatchedResult> {
  const { llm, backward = llm, similarity, signal } = options;
  const threshold = requestThreshold(similarity, options.threshold);
  const settings = { ...patchedSampling.backward, ...(signal && { signal }) };
  const answering = {
    ...settings,
    temperature: options.temperature ?? settings.temperature,
    maxTokens: options.maxTokens ?? settings.maxTokens,
  };
  const { prompts, consistency = false } = options;
  const flow = await openPatchflow({ consistency, ...(prompts === undefined ? {} : { prompts }) });
  if (messages.at(-1)?.role !== "user") {
    throw new CodescoreError("input", "expected a conversation that ends with the user's turn");
  }
  const taskId = "request";
  const bare = { before: null, after: null, file: null };
  const trip = flow.trip({ id: taskId, messages, response: given ?? null, ...bare });
  if (typeof trip === "string") throw new CodescoreError("input", `this request cannot make a round trip: ${trip}`);

  const ask = (model: Llm, request: Omit<LlmRequest, "n" | "about">, direction: LlmRequest["about"]["direction"]) =>
    one(model, { ...request, n: 1, about: { taskId, direction, first: 0 } });
  const response = "ask" in trip ? await ask(llm, { ...answering, prompt: trip.ask }, "response") : given!;
  const begun = "ask" in trip ? (trip.begin(response) as RoundTrip) : trip; // never another question, because `turns` is not set
  const asking = { ...patchedSampling.forward, ...(signal && { signal }) };
  const query = (await ask(llm, { ...asking, prompt: begun.forward }, "forward")).trim();
  const second = await ask(backward, { ...answering, prompt: begun.backward(query) }, "backward");
  const score = await compare(similarity, begun.reference, await begun.place(second), begun.description);
  return {
    response,
    query,
    second,
    score,
    threshold,
    passed: score !== null && score >= threshold,
    recited: findRecital(begun.input, query),
  };
}

async function one(model: Llm, request: LlmRequest): Promise<string> {
  const [text] = await model.complete(request);
  if (text !== undefined) return text;
  throw new CodescoreError("input", `the recording has no ${request.about.direction} of ${request.about.taskId}`);
}

async function compare(
  similarity: SignedSimilarity,
  reference: string,
  candidate: string,
  description: string | null,
): Promise<number | null> {
  if (candidate === "") return 0; // the answer is empty, so it is not the same by any similarity
  await similarity.prepare?.();
  const [value = Number.NaN] = await similarity.compare([{ reference, candidate, description }]);
  return Number.isNaN(value) ? null : value;
}
