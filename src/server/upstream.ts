/**
 * The model server behind the proxy: which key pays for a call, and which parts of its answers the client may see. If this server has
 * its own upstream key, the client's is never forwarded. Otherwise it is, unless it is the key that this server requires.
 */
import type { Context } from "hono";
import { CodescoreError } from "../errors.ts";
import { callDefaults, checkBaseUrl, type OpenAiError } from "../rtc/llm/openai-call.ts";
import { type OpenAiProblem, openAiProblem } from "./answers.ts";

export interface UpstreamOptions {
  /** @default "https://api.openai.com/v1" */
  readonly baseUrl?: string;
  /** Sent with every call instead of the client's key. */
  readonly apiKey?: string;
  /** Time limit of a call in a round trip; for a forwarded answer, between two pieces; in ms. @default 120_000 */
  readonly timeoutMs?: number;
  /** Retries of a failed call in a round trip. @default 2 */
  readonly retries?: number;
}

/** The answer to send if the upstream failed, or if its answer is not meant for the client. */
export interface UpstreamFailure {
  readonly status: number;
  readonly error: OpenAiProblem;
  /** Seconds. */
  readonly retryAfter: number | null;
}

/** Minimum length of a secret. Shorter keys (`EMPTY`, `ollama`) are not secret, and may be words of an answer. */
const SECRET_CHARS = 16;

export class Upstream {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly #key: string | null;
  readonly #guarded: boolean;

  /** @param guarded whether the clients' bearer token is meant for this server */
  constructor(options: UpstreamOptions, guarded: boolean) {
    this.baseUrl = checkBaseUrl(options.baseUrl ?? callDefaults.baseUrl);
    this.timeoutMs = options.timeoutMs ?? callDefaults.timeoutMs;
    this.retries = options.retries ?? 2;
    this.#key = options.apiKey || null;
    this.#guarded = guarded;
    if (this.#key === null || /^[\x21-\x7e]+$/.test(this.#key)) return;
    throw new CodescoreError(
      "usage",
      "expected the upstream's key to have only printable ASCII characters without spaces",
    );
  }

  /** The Authorization header to send with a client's request. */
  authorization(c: Context): string | undefined {
    if (this.#key !== null) return `Bearer ${this.#key}`;
    return this.#guarded ? undefined : c.req.header("authorization");
  }

  /** The key to hide. */
  get secret(): string | null {
    return this.#key !== null && this.#key.length >= SECRET_CHARS ? this.#key : null;
  }

  /** The text with the key replaced by as many stars. */
  mask(text: string): string {
    return this.secret === null ? text : text.replaceAll(this.secret, "*".repeat(this.secret.length));
  }

  /** A refused key is an error of this server, unless the client sent it. The upstream's message is hidden, because it may quote the key. */
  refused(status: number): UpstreamFailure | null {
    if (status !== 401 || (this.#key === null && !this.#guarded)) return null;
    const message = "the upstream rejected this server's key; the operator must fix it";
    return { status: 502, error: openAiProblem(502, "infra", message), retryAfter: null };
  }

  /** What the client is told about a failed call: the upstream's message, if there is one. */
  failure({ said: { status, body, afterMs } }: OpenAiError): UpstreamFailure {
    const refused = this.refused(status);
    if (refused !== null) return refused;
    const retryAfter = afterMs === null ? null : Math.ceil(afterMs / 1000);
    if (body === null) return { ...this.silent(status === 504), retryAfter };
    const text = this.mask(body);
    const own = errorIn(text);
    if (own !== null) return { status, error: own, retryAfter };
    const excerpt = text.replace(/\s+/g, " ").trim().slice(0, 300);
    const message = `the upstream answered HTTP ${status}${excerpt && `: ${excerpt}`}`;
    return { status, error: openAiProblem(status, status < 500 ? "input" : "infra", message), retryAfter };
  }

  /** Nothing arrived that can be forwarded. The reason is left out, because it would reveal what is behind this server. */
  silent(late: boolean): UpstreamFailure {
    const message = late
      ? `the upstream did not answer within ${this.timeoutMs / 1000} s`
      : "the upstream cannot be reached, or its answer cannot be read";
    const status = late ? 504 : 502;
    return { status, error: openAiProblem(status, "infra", message), retryAfter: null };
  }
}

/** The `error` of an OpenAI-style body, or null. */
function errorIn(text: string): OpenAiProblem | null {
  try {
    const { error } = JSON.parse(text) as { error?: Partial<OpenAiProblem> };
    if (typeof error?.message !== "string") return null;
    return {
      ...error,
      message: error.message,
      type: error.type ?? "",
      param: error.param ?? null,
      code: error.code ?? null,
    };
  } catch {
    return null;
  }
}
