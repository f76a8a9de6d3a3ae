/**
 * One call of an OpenAI-compatible server: JSON in, text out. The number of simultaneous calls and the time of each are limited.
 * A call is repeated if its failure may be temporary: 408, 409, 425, 429, 5xx, a lost connection, a cut or malformed body. Pauses
 * grow, or are as `Retry-After` says. A server that was never reached gets few retries. If many calls get no answer in time, there are fewer at
 * a time. Streaming is not used.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, fetch, type Response } from "undici";
import { CodescoreError, type ErrorCode, messageOf } from "../../errors.ts";
import { counted } from "../../util/counted.ts";
import { limiter } from "./llm.ts";
import { narrowing } from "./narrowing.ts";

export interface CallOptions {
  /** @default "https://api.openai.com/v1" */
  readonly baseUrl?: string;
  /** Sent as bearer token. Not sent if empty. */
  readonly apiKey?: string;
  /** Sent in addition to the key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Time limit of one call, including its whole body. @default 120_000 */
  readonly timeoutMs?: number;
  /** Maximum number of retries after a failed call. @default 5 */
  readonly retries?: number;
  /** Maximum number of calls at a time. Halved as often as many calls get no answer within `timeoutMs`. @default 8 */
  readonly concurrency?: number;
  /** First pause. Each further pause is twice as long, minus a random part. @default 500 */
  readonly backoffMs?: number;
  /** Maximum pause. If a server asks for a longer one, the call fails. @default 120_000 */
  readonly maxPauseMs?: number;
}

export const callDefaults = {
  baseUrl: "https://api.openai.com/v1",
  timeoutMs: 120_000,
  retries: 5,
  concurrency: 8,
  backoffMs: 500,
  maxPauseMs: 120_000,
} as const;

/** The response to a call that brought no answer. */
interface Said {
  /** HTTP status. 504 if no answer came in time; 502 if none came, or none that can be read. */
  readonly status: number;
  /** The server's response. Null if `status` is not the server's own. */
  readonly body: string | null;
  /** The pause that the server asks for. */
  readonly afterMs: number | null;
}

/**
 * A call that brought no answer: `environment` if none can succeed (wrong key, no such model), `input` if this request cannot,
 * `infra` if the server kept failing.
 */
export class OpenAiError extends CodescoreError {
  readonly said: Said;

  constructor(code: ErrorCode, message: string, said: Said, options?: { cause?: unknown }) {
    super(code, message, options);
    this.said = said;
  }
}

/** A failure that may be temporary. */
export class Passing extends Error {
  readonly said: Said;
  constructor(message: string, said: Said = { status: 502, body: null, afterMs: null }) {
    super(message);
    this.said = said;
  }
}

/** There was no connection at all. */
class Unreachable extends Passing {}

/** The answer did not come within the time limit. */
class Late extends Passing {}

const UNREACHABLE = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
];
/** Whether fetch failed before it had a connection. It does not even try some ports. */
const isUnreachable = (code: string, message: string): boolean => UNREACHABLE.includes(code) || message === "bad port";
/** Maximum number of retries while the server was never reached. It is probably not running, or its address is wrong. */
const RETRIES_TO_REACH = 2;

export interface OpenAiCaller {
  /** Counts over all calls. Each try of a repeated call counts as a request. */
  readonly counts: { requests: number; retries: number };
  /** Posts `body` and returns what `read` makes of the answer's text. @throws `OpenAiError`, or the reason that `signal` was aborted with */
  post<T>(body: object, read: (text: string) => T, signal?: AbortSignal): Promise<T>;
}

/** Calls `path` under the base URL. @throws `CodescoreError("usage")` for an invalid base URL */
export function openAiCaller(path: string, options: CallOptions = {}): OpenAiCaller {
  const { apiKey, headers, timeoutMs, retries, concurrency, backoffMs, maxPauseMs } = { ...callDefaults, ...options };
  const url = `${checkBaseUrl(options.baseUrl ?? callDefaults.baseUrl)}/${path}`;
  const limit = limiter(concurrency);
  const narrow = narrowing(concurrency);
  // By default Node's fetch and this one give up after 300 s without headers. Only `timeoutMs` should count.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const counts = { requests: 0, retries: 0 };
  let reached = false;
  let retriesToReach = RETRIES_TO_REACH;

  const call = async <T>(body: object, read: (text: string) => T, signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    counts.requests += 1;
    const late = AbortSignal.timeout(timeoutMs);
    let text: string;
    let response: Response;
    try {
      response = await fetch(url, {
        method: "POST",
        dispatcher,
        headers: {
          ...headers,
          "content-type": "application/json",
          ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
        },
        body: JSON.stringify(body),
        signal: signal ? AbortSignal.any([late, signal]) : late,
      });
      reached = true;
      text = await response.text();
    } catch (error) {
      signal?.throwIfAborted();
      const { code, message } = causeOf(error);
      if (!late.aborted && isUnreachable(code, message)) throw new Unreachable(`connection failed: ${message}`);
      reached = true;
      if (!late.aborted) throw new Passing(`connection failed: ${message}`);
      throw new Late(`no answer within ${timeoutMs} ms`, { status: 504, body: null, afterMs: null });
    }
    if (!response.ok) throw failureOf(response, text, url);
    return read(text);
  };

  const withRetries = async <T>(body: object, read: (text: string) => T, signal?: AbortSignal): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await narrow.run(
          () => call(body, read, signal),
          (error) => error instanceof Late,
        );
      } catch (error) {
        if (!(error instanceof Passing)) throw error;
        const { said } = error;
        const never = error instanceof Unreachable && !reached;
        const first = never ? backoffMs / 4 : backoffMs;
        const pause = said.afterMs ?? Math.min(maxPauseMs, first * 2 ** attempt) * (0.5 + Math.random() / 2);
        if (attempt >= (never ? Math.min(retries, retriesToReach) : retries) || pause > maxPauseMs) {
          if (never) retriesToReach = 0;
          const wait = pause > maxPauseMs ? `; the server asks to wait ${Math.ceil(pause / 1000)} s` : "";
          const tooSlow = error instanceof Late ? "; if the server is slow, use a longer --timeout" : "";
          const hint = never ? "; start the server, or correct its address (OPENAI_BASE_URL)" : tooSlow;
          const message = `${url}: ${error.message} (${counted(attempt + 1, "try", "tries")})${wait}${hint}`;
          throw new OpenAiError("infra", message, said, { cause: error });
        }
        counts.retries += 1;
        await sleep(pause, undefined, signal ? { signal } : {});
      }
    }
  };

  return { counts, post: (body, read, signal) => limit(() => withRetries(body, read, signal)) };
}

/** A base URL without trailing slashes. @throws `CodescoreError("usage")` for an invalid URL, or one with a name or password */
export function checkBaseUrl(baseUrl: string): string {
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new CodescoreError(
      "usage",
      `expected the base URL of the model server as https://host/v1, got \`${baseUrl}\``,
    );
  }
  const { username, password } = new URL(baseUrl);
  if (username === "" && password === "") return baseUrl.replace(/\/+$/, "");
  throw new CodescoreError("usage", "expected a base URL without name and password: give the key as OPENAI_API_KEY");
}

function failureOf(response: Response, text: string, url: string): Error {
  const { status } = response;
  const said: Said = { status, body: text, afterMs: retryAfterMs(response) };
  const message = `HTTP ${status}: ${text.replace(/\s+/g, " ").trim().slice(0, 300) || response.statusText}`;
  if ([408, 409, 425, 429].includes(status) || status >= 500) return new Passing(message, said);
  if (status === 401 || status === 403) {
    const hint = "check OPENAI_API_KEY";
    return new OpenAiError("environment", `${url} refused the key: ${message}; ${hint}`, said);
  }
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) {
    const hint = "check the base URL, the model's name and --api";
    return new OpenAiError("environment", `${url}: ${message}; ${hint}`, said);
  }
  return new OpenAiError("input", `${url}: ${message}`, said);
}

/** `Retry-After`, in seconds or as a date. Null if it is missing or unreadable. */
function retryAfterMs(response: Response): number | null {
  const value = response.headers.get("retry-after")?.trim();
  if (!value) return null;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** The cause behind fetch's "fetch failed". A name with several addresses has one cause for each. */
function causeOf(error: unknown): { readonly code: string; readonly message: string } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code = "" } = cause as { code?: string };
  const last: unknown = cause instanceof AggregateError ? cause.errors.at(-1) : cause;
  return { code, message: messageOf(last) || messageOf(error) };
}
