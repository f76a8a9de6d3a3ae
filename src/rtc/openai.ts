/**
 * A model behind any server that speaks OpenAI's `/chat/completions` or `/completions`. Calls are limited in number,
 * have a time limit, and are repeated with growing pauses (or as `Retry-After` says) when the failure may pass:
 * 408, 409, 425, 429, 5xx, a lost connection, a cut or malformed body. Streaming is not used.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CodescoreError, messageOf } from "../errors.ts";
import { type Llm, type LlmRequest, type LlmUsage, limiter, type Message } from "./llm.ts";

export interface OpenAiOptions {
  readonly model: string;
  /** @default "https://api.openai.com/v1" */
  readonly baseUrl?: string;
  /** Sent as bearer token; none when empty. */
  readonly apiKey?: string;
  /** `completions` is for base models: turns are laid out as in a prompt file. @default "chat" */
  readonly api?: "chat" | "completions";
  /** Of one call, its whole body included. @default 120_000 */
  readonly timeoutMs?: number;
  /** Further tries after a call that failed. @default 5 */
  readonly retries?: number;
  /** Calls at a time. @default 8 */
  readonly concurrency?: number;
  /** First pause; each further one is twice as long, less a random part. @default 500 */
  readonly backoffMs?: number;
  /** The longest pause; a server that asks for a longer one ends the call. @default 120_000 */
  readonly maxPauseMs?: number;
}

export const openAiDefaults = {
  baseUrl: "https://api.openai.com/v1",
  api: "chat",
  timeoutMs: 120_000,
  retries: 5,
  concurrency: 8,
  backoffMs: 500,
  maxPauseMs: 120_000,
} as const;

/** A failure that may pass. */
class Passing extends Error {
  readonly afterMs: number | null;
  constructor(message: string, afterMs: number | null = null) {
    super(message);
    this.afterMs = afterMs;
  }
}

export function openAiLlm(options: OpenAiOptions): Llm & { readonly usage: LlmUsage } {
  const { model, apiKey, api, timeoutMs, retries, concurrency, backoffMs, maxPauseMs } = {
    ...openAiDefaults,
    ...options,
  };
  const url = endpoint(options.baseUrl ?? openAiDefaults.baseUrl, api);
  const limit = limiter(concurrency);
  const usage: LlmUsage = { requests: 0, retries: 0, promptTokens: 0, completionTokens: 0 };

  const call = async (request: LlmRequest, n: number, first: number): Promise<string[]> => {
    const { signal } = request;
    signal?.throwIfAborted();
    usage.requests += 1;
    const late = AbortSignal.timeout(timeoutMs);
    let text: string;
    let response: Response;
    try {
      response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
        body: JSON.stringify(requestBody(request, { api, model, n, first })),
        signal: signal ? AbortSignal.any([late, signal]) : late,
      });
      text = await response.text();
    } catch (error) {
      signal?.throwIfAborted();
      throw new Passing(late.aborted ? `no answer within ${timeoutMs} ms` : `connection failed: ${reasonOf(error)}`);
    }
    if (!response.ok) throw failureOf(response, text, url);
    const answer = parseAnswer(text, api);
    usage.promptTokens += answer.promptTokens;
    usage.completionTokens += answer.completionTokens;
    return answer.samples.slice(0, n);
  };

  const withRetries = async (request: LlmRequest, n: number, first: number): Promise<string[]> => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await call(request, n, first);
      } catch (error) {
        if (!(error instanceof Passing)) throw error;
        const pause = error.afterMs ?? Math.min(maxPauseMs, backoffMs * 2 ** attempt) * (0.5 + Math.random() / 2);
        if (attempt >= retries || pause > maxPauseMs) {
          const wait = pause > maxPauseMs ? `; it asks to wait ${Math.ceil(pause / 1000)} s` : "";
          throw new CodescoreError("infra", `${url}: ${error.message} (${attempt + 1} tries)${wait}`, { cause: error });
        }
        usage.retries += 1;
        await sleep(pause, undefined, request.signal ? { signal: request.signal } : {});
      }
    }
  };

  return {
    name: model,
    usage,
    complete: async (request) => {
      const samples: string[] = [];
      // Servers that know no `n` answer with one choice: the rest is asked for again.
      while (samples.length < request.n) {
        const first = request.about.first + samples.length;
        samples.push(...(await limit(() => withRetries(request, request.n - samples.length, first))));
      }
      return samples;
    },
  };
}

function endpoint(baseUrl: string, api: "chat" | "completions"): string {
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new CodescoreError(
      "usage",
      `expected the base URL of the model server as https://host/v1, got \`${baseUrl}\``,
    );
  }
  return `${baseUrl.replace(/\/+$/, "")}/${api === "chat" ? "chat/completions" : "completions"}`;
}

function requestBody(
  { prompt, temperature, maxTokens, seed }: LlmRequest,
  { api, model, n, first }: { api: "chat" | "completions"; model: string; n: number; first: number },
): object {
  const chat = typeof prompt === "string" ? [{ role: "user", content: prompt }] : prompt;
  return {
    model,
    ...(api === "chat" ? { messages: chat } : completionPrompt(prompt)),
    n,
    temperature,
    max_tokens: maxTokens,
    ...(seed === undefined ? {} : { seed: seed + first }),
  };
}

/** Turns as a base model goes on from them: headed as in the prompt files, ending where the next turn would begin. */
function completionPrompt(prompt: string | readonly Message[]): { prompt: string; stop?: string[] } {
  if (typeof prompt === "string") return { prompt };
  const turns = prompt.map(({ role, content }) => `[${role}]\n${content}\n`);
  return { prompt: `${turns.join("\n")}\n[assistant]\n`, stop: ["\n[user]"] };
}

function failureOf(response: Response, text: string, url: string): Error {
  const { status } = response;
  const said = `HTTP ${status}: ${text.replace(/\s+/g, " ").trim().slice(0, 300) || response.statusText}`;
  if ([408, 409, 425, 429].includes(status) || status >= 500) return new Passing(said, retryAfterMs(response));
  if (status === 401 || status === 403) {
    return new CodescoreError("environment", `${url} refused the key: ${said}; is OPENAI_API_KEY the right one?`);
  }
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) {
    return new CodescoreError("environment", `${url}: ${said}; check the base URL, the model's name and --api`);
  }
  return new CodescoreError("input", `${url}: ${said}`);
}

/** `Retry-After` in seconds or as a date; null when there is none or it cannot be read. */
function retryAfterMs(response: Response): number | null {
  const value = response.headers.get("retry-after")?.trim();
  if (!value) return null;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

interface Answer {
  readonly samples: string[];
  readonly promptTokens: number;
  readonly completionTokens: number;
}

function parseAnswer(text: string, api: "chat" | "completions"): Answer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Passing(`the answer is not JSON (${messageOf(error)}): ${text.slice(0, 100)}`);
  }
  const { choices, usage } = (value ?? {}) as { choices?: unknown; usage?: Record<string, unknown> };
  if (!Array.isArray(choices) || choices.length === 0) {
    throw new Passing(`the answer has no \`choices\`: ${text.slice(0, 200)}`);
  }
  return {
    samples: choices.map((choice) => sampleOf(choice, api)),
    promptTokens: Number(usage?.prompt_tokens) || 0,
    completionTokens: Number(usage?.completion_tokens) || 0,
  };
}

function sampleOf(choice: unknown, api: "chat" | "completions"): string {
  const { message, text } = (choice ?? {}) as { message?: { content?: unknown }; text?: unknown };
  const content = api === "chat" ? message?.content : text;
  if (typeof content === "string") return content;
  if (api === "chat" && message && (content === null || content === undefined)) return ""; // a refusal, or all thought
  throw new Passing(`a choice has no text: ${JSON.stringify(choice).slice(0, 200)}`);
}

/** What lies behind fetch's "fetch failed". */
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message || messageOf(error) : messageOf(error);
