/**
 * The model server behind the proxy: who pays for a call, and what of its answers may be seen. With a key of the server's own
 * the client's never goes on; without one it does, unless it is the one that this server asks for.
 */
import type { Context } from "hono";
import { CodescoreError } from "../errors.ts";
import { callDefaults, checkBaseUrl, type OpenAiError } from "../rtc/llm/openai-call.ts";
import { type OpenAiProblem, openAiProblem } from "./answers.ts";

export interface UpstreamOptions {
  /** @default "https://api.openai.com/v1" */
  readonly baseUrl?: string;
  /** Sent with every call in place of the client's. */
  readonly apiKey?: string;
  /** Of one call of a round trip; of a relayed answer, between two pieces. @default 120_000 */
  readonly timeoutMs?: number;
  /** Further tries of a call of a round trip that failed. @default 2 */
  readonly retries?: number;
}

/** An answer in place of the upstream's: it failed, or what it says is not for the client. */
export interface UpstreamFailure {
  readonly status: number;
  readonly error: OpenAiProblem;
  /** Seconds. */
  readonly retryAfter: number | null;
}

/** Shorter keys are no secret (`EMPTY`, `ollama`), and may be words of an answer. */
const SECRET_CHARS = 16;

export class Upstream {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly #key: string | null;
  readonly #guarded: boolean;

  /** @param guarded whether the clients' bearer token is for this server */
  constructor(options: UpstreamOptions, guarded: boolean) {
    this.baseUrl = checkBaseUrl(options.baseUrl ?? callDefaults.baseUrl);
    this.timeoutMs = options.timeoutMs ?? callDefaults.timeoutMs;
    this.retries = options.retries ?? 2;
    this.#key = options.apiKey || null;
    this.#guarded = guarded;
    if (this.#key === null || /^[\x21-\x7e]+$/.test(this.#key)) return;
    throw new CodescoreError("usage", "expected the upstream's key to be of printable ASCII characters without blanks");
  }

  /** The header to send with a client's request. */
  authorization(c: Context): string | undefined {
    if (this.#key !== null) return `Bearer ${this.#key}`;
    return this.#guarded ? undefined : c.req.header("authorization");
  }

  /** The key that must not be seen. */
  get secret(): string | null {
    return this.#key !== null && this.#key.length >= SECRET_CHARS ? this.#key : null;
  }

  /** A text with as many stars where the key is. */
  mask(text: string): string {
    return this.secret === null ? text : text.replaceAll(this.secret, "*".repeat(this.secret.length));
  }

  /** A refused key is this server's trouble unless the client sent it, and the refusal may quote the key. */
  refused(status: number): UpstreamFailure | null {
    if (status !== 401 || (this.#key === null && !this.#guarded)) return null;
    const message = "the upstream refused this server's key; whoever runs the server has to mend that";
    return { status: 502, error: openAiProblem(502, "infra", message), retryAfter: null };
  }

  /** What a client is told of a failed call: the upstream's own words where it said some. */
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

  /** Nothing came that can be handed on. Without the reason, which names what lies behind this server. */
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
