/** One round trip of the evaluate route: the calls with the client's settings, and the completion to answer with. */
import type { Answer, Llm, OpenAiCaller, SignedSimilarity } from "../rtc/index.ts";
import { parseAnswer, turnsOf } from "../rtc/llm/openai.ts";
import { openPatchflow } from "../rtc/patched/patchflow.ts";
import { patchedResult, requestThreshold } from "../rtc/patched/request.ts";
import { type Completion, completionOf, type TripReport } from "./completion.ts";
import type { EvaluateRequest } from "./evaluate-request.ts";

export interface RoundTripOptions {
  readonly similarity: SignedSimilarity;
  /** Minimum score for a response to pass. @default 1 for `exact`, otherwise 0.8 */
  readonly threshold?: number;
  /** Adds the consistency prompt before every request. @default false */
  readonly consistency?: boolean;
  /** Folder with patched-query-back.txt. @default the prompts of the package */
  readonly prompts?: string;
}

/** R has no content to compare: the model refused, or had no tokens left for an answer. */
class EmptyResponse extends Error {}

/** Throws what `patchedResult` throws, including `OpenAiError` for failed calls. */
export async function roundTrip(
  request: EvaluateRequest,
  { caller, mask, signal }: { caller: OpenAiCaller; mask: (text: string) => string; signal: AbortSignal },
  options: RoundTripOptions,
): Promise<Completion> {
  const { model, messages } = request;
  const { similarity } = options;
  const answers: Answer[] = [];
  const read = (text: string): Answer => parseAnswer(mask(text), "chat");
  // The client's settings replace the default settings of a round trip.
  const complete: Llm["complete"] = async ({ prompt, about }) => {
    const settings = about.direction === "forward" ? request.writing : request.answering;
    const turns = turnsOf(prompt).map((turn) => (turn.role === "system" ? { ...turn, role: request.system } : turn));
    const answer = await caller.post({ ...settings, model, messages: turns }, read, signal);
    answers.push(answer);
    const text = answer.samples[0]!;
    if (about.direction === "response" && text.trim() === "") throw new EmptyResponse();
    return [text];
  };
  await similarity.prepare?.();
  const bare = {
    passed: false,
    score: null,
    threshold: requestThreshold(similarity, options.threshold),
    similarity: similarity.signature ?? similarity.name,
    recited: null,
  };
  let report: TripReport;
  try {
    const { score, passed, recited } = await patchedResult(
      { messages },
      { ...options, llm: { name: model, complete } },
    );
    const reason = passed ? null : score === null ? "no_score" : "below_threshold";
    report = { ...bare, passed, score, recited: recited.recited, reason };
  } catch (error) {
    if (!(error instanceof EmptyResponse)) throw error;
    report = { ...bare, reason: "empty_response" };
  }
  return completionOf(model, answers, report);
}

/** The report as response headers. A field without a value is left out. */
export function reportHeaders({ passed, score, threshold, similarity, recited, reason }: TripReport) {
  const values = { passed, score, threshold, similarity: similarity.replace(/[^\x20-\x7e]/g, "?"), recited, reason };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === null ? [] : [[`x-codescore-rtc-${name}`, String(value)]],
    ),
  );
}

/** Throws for options with which no request could be evaluated, so that the server does not start. */
export async function checkRoundTripOptions({
  similarity,
  threshold,
  prompts,
  consistency,
}: RoundTripOptions): Promise<void> {
  requestThreshold(similarity, threshold);
  await openPatchflow({ ...(prompts === undefined ? {} : { prompts }), consistency: consistency ?? false });
  await similarity.prepare?.();
}
