/**
 * Patched RTC of one chat request (Sharma 2024, "Usage"), for whoever stands between a client and a model: the model's
 * response, whether the round trip brings it about again, and how nearly.
 */
import { CodescoreError } from "../../errors.ts";
import type { Llm, LlmRequest, Message } from "../llm/llm.ts";
import { findRecital, type Recited } from "../trip/recited.ts";
import { type SignedSimilarity, yesNoThresholds } from "../trip/similarity.ts";
import type { RoundTrip } from "../trip/trip.ts";
import { patchedSampling } from "./patched.ts";
import { openPatchflow } from "./patchflow.ts";

export interface PatchedRequest {
  /** The conversation, the user's turn last. */
  readonly messages: readonly Message[];
  /** R, where the model has answered already; else it is asked. */
  readonly response?: string;
}

export interface PatchedRequestOptions {
  /** Answers Q and writes Q1. */
  readonly llm: Llm;
  /** Answers Q1. @default llm */
  readonly backward?: Llm;
  readonly similarity: SignedSimilarity;
  /** The score from which on a response passes. @default 1 for `exact` and `pass`, else the paper's 0.8 */
  readonly threshold?: number;
  /** How Q and Q1 are answered: the client's own settings. @default patchedSampling.backward */
  readonly temperature?: number;
  readonly maxTokens?: number;
  /** @default the prompts of this package */
  readonly prompts?: string;
  /** Puts the consistency prompt before every request. @default false */
  readonly consistency?: boolean;
  /** Gives the calls up. */
  readonly signal?: AbortSignal;
}

export interface PatchedResult {
  /** R, untouched. */
  readonly response: string;
  /** Q1. */
  readonly query: string;
  /** R1, untouched. */
  readonly second: string;
  /** Similarity of R and R1 in [0, 1]; null where the similarity has no value for them. */
  readonly score: number | null;
  readonly threshold: number;
  /** Without a score it does not pass. */
  readonly passed: boolean;
  /** Whether Q1 hands the response through. */
  readonly recited: Recited;
}

/** From which score on a response passes. Throws `CodescoreError("usage")` for one outside (0, 1]. */
export function requestThreshold({ name }: SignedSimilarity, threshold = yesNoThresholds[name] ?? 0.8): number {
  if (threshold > 0 && threshold <= 1) return threshold;
  throw new CodescoreError("usage", `expected the threshold to be in (0, 1], got ${threshold}`);
}

/**
 * Two or three calls, one after the other. Throws what the models throw (llm.ts), `CodescoreError("input")` for a conversation
 * that does not end with a query or a recording without the answers, `usage` for a threshold outside (0, 1].
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
  if (typeof trip === "string") throw new CodescoreError("input", `this request cannot go around: ${trip}`);

  const ask = (model: Llm, request: Omit<LlmRequest, "n" | "about">, direction: LlmRequest["about"]["direction"]) =>
    one(model, { ...request, n: 1, about: { taskId, direction, first: 0 } });
  const response = "ask" in trip ? await ask(llm, { ...answering, prompt: trip.ask }, "response") : given!;
  const begun = "ask" in trip ? (trip.begin(response) as RoundTrip) : trip; // one question: its turns are whole
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
  if (candidate === "") return 0; // nothing came back: not the same, whatever the similarity
  await similarity.prepare?.();
  const [value = Number.NaN] = await similarity.compare([{ reference, candidate, description }]);
  return Number.isNaN(value) ? null : value;
}
