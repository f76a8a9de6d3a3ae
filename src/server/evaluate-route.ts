/**
 * POST /evaluate/v1/chat/completions (Sharma 2024, "Usage"): a chat completion whose content is empty unless the round trip passes.
 * A stream starts when the result is known, or after `keepAliveMs` with comments that keep the client waiting. In the latter case
 * only the last chunk that has a choice contains the score.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "hono";
import { OpenAiError, openAiCaller } from "../rtc/llm/openai-call.ts";
import { GoneError, logFailure, openAiProblem } from "./answers.ts";
import { readJsonBody } from "./body.ts";
import { type Completion, chunksOf } from "./completion.ts";
import { type EvaluateRequest, RefusedError, readEvaluateRequest } from "./evaluate-request.ts";
import type { ServerMetrics, TripOutcome } from "./metrics.ts";
import { answerFailure, type ChatParts } from "./proxy.ts";
import { type RoundTripOptions, reportHeaders, roundTrip } from "./round-trip.ts";
import type { Upstream, UpstreamFailure } from "./upstream.ts";

export interface EvaluateParts extends ChatParts {
  readonly metrics: ServerMetrics;
  readonly trip: RoundTripOptions;
  /** How long a stream waits for the result so that headers can contain it, and then the time between two comments; in ms. */
  readonly keepAliveMs: number;
}

/** If the upstream asks for a longer pause, the call fails, because the client knows better whether to wait. */
const MAX_PAUSE_MS = 10_000;

/** Number of calls per round trip. */
const CALLS = 3;

/** Client headers that name the upstream account. */
const passedOn = ["openai-organization", "openai-project"] as const;

const streamHeaders = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache",
  "X-Accel-Buffering": "no", // otherwise nginx would hold comments back
};

/** Throws like `readJsonBody` and `Limiter.enter`. */
export const evaluate =
  (parts: EvaluateParts) =>
  async (c: Context): Promise<Response> => {
    const body = await readJsonBody(c, parts.bodies);
    const nobodyReads = new AbortController();
    const signal = AbortSignal.any([c.req.raw.signal, nobodyReads.signal]);
    try {
      const request = readEvaluateRequest(body);
      const trip = countedTrip(c, request, parts, signal);
      if (!request.stream) return answer(c, await trip);
      const early = await Promise.race([trip, sleep(parts.keepAliveMs, null, { ref: false })]);
      if (early === null) return lateStream(c, { trip, request, parts, nobodyReads });
      const events = eventsOf(chunksOf(early, request.includeUsage));
      return c.body(events, 200, { ...streamHeaders, ...reportHeaders(early.codescore_rtc) });
    } catch (error) {
      const failure = failureOf(error, parts.upstream);
      if (failure === null) throw error;
      return answerFailure(c, failure);
    }
  };

const answer = (c: Context, completion: Completion): Response =>
  c.json(completion, 200, reportHeaders(completion.codescore_rtc));

/** Waits for a free place, then does the round trip and counts it. */
async function countedTrip(
  c: Context,
  request: EvaluateRequest,
  { upstream, limiter, metrics, trip, pay }: EvaluateParts,
  signal: AbortSignal,
): Promise<Completion> {
  pay(c, CALLS);
  const done = await limiter.enter(signal);
  const began = performance.now();
  let outcome: TripOutcome = "error";
  try {
    const completion = await roundTrip(
      request,
      { caller: callerFor(c, upstream), mask: (text) => upstream.mask(text), signal },
      trip,
    );
    outcome = completion.codescore_rtc.passed ? "passed" : "failed";
    return completion;
  } catch (error) {
    if (!signal.aborted) throw error;
    outcome = "gone";
    throw new GoneError("the client went away");
  } finally {
    done();
    metrics.roundTrip(outcome, (performance.now() - began) / 1000);
  }
}

function callerFor(c: Context, upstream: Upstream) {
  const { baseUrl, timeoutMs, retries } = upstream;
  const apiKey = /^Bearer +(\S+)$/i.exec(upstream.authorization(c) ?? "")?.[1] ?? "";
  const headers = passedOn.flatMap((name) => {
    const value = c.req.header(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const calling = { baseUrl, timeoutMs, retries, apiKey, maxPauseMs: MAX_PAUSE_MS };
  return openAiCaller("chat/completions", { ...calling, headers: Object.fromEntries(headers) });
}

interface Late {
  readonly trip: Promise<Completion>;
  readonly request: EvaluateRequest;
  readonly parts: EvaluateParts;
  readonly nobodyReads: AbortController;
}

/** A stream that starts before its result is known. */
function lateStream(c: Context, { trip, request, parts, nobodyReads }: Late): Response {
  const { upstream, keepAliveMs } = parts;
  const encoder = new TextEncoder();
  let comments: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const put = (text: string): void => controller.enqueue(encoder.encode(text));
      put(comment);
      comments = setInterval(() => put(comment), keepAliveMs);
      const events = trip.then(
        (completion) => eventsOf(chunksOf(completion, request.includeUsage)),
        (error: unknown) => lateFailure(c, error, upstream),
      );
      void events.then((text) => {
        clearInterval(comments);
        if (nobodyReads.signal.aborted) return;
        put(text);
        controller.close();
      });
    },
    cancel: () => {
      clearInterval(comments);
      nobodyReads.abort();
    },
  });
  return c.body(body, 200, streamHeaders);
}

/** The error as an event that clients recognize as a stream error. The stream then ends without `[DONE]`. */
function lateFailure(c: Context, error: unknown, upstream: Upstream): string {
  const failure = failureOf(error, upstream);
  if (failure !== null) return eventOf({ error: failure.error });
  if (!(error instanceof GoneError)) logFailure(c, error);
  return eventOf({ error: openAiProblem(500, "infra", "the server failed on this request; its log has the error") });
}

/** The error for the client; null for errors that other code handles. */
function failureOf(error: unknown, upstream: Upstream): UpstreamFailure | null {
  if (error instanceof OpenAiError) return upstream.failure(error);
  if (!(error instanceof RefusedError)) return null;
  return { status: 400, error: openAiProblem(400, "input", error.message, error.param || null), retryAfter: null };
}

const comment = ": the round trip is under way\n\n";

const eventOf = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

const eventsOf = (chunks: readonly object[]): string => `${chunks.map(eventOf).join("")}data: [DONE]\n\n`;
