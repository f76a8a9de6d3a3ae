/**
 * The common format of errors: `{ error: { code, message } }`. The OpenAI-compatible routes add OpenAI's `type` and `param`.
 * Also the errors for requests that must wait, and for clients that disconnected.
 */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { messageOf } from "../errors.ts";

/** The error codes. Each status has one. */
export const errorCodes = ["usage", "input", "key", "busy", "infra"] as const;
export type ErrorName = (typeof errorCodes)[number];

/** An error in OpenAI's format. */
export interface OpenAiProblem {
  readonly message: string;
  readonly type: string;
  /** The request field that caused the error. */
  readonly param: string | null;
  readonly code: string | null;
}

/** The OpenAI-compatible paths. */
const openAiPath = /^(\/evaluate)?\/v1\/(chat\/completions|models)$/;

export const problem = <Code extends string>(code: Code, message: string) => ({ error: { code, message } });

export function fail(c: Context, status: ContentfulStatusCode, code: ErrorName, message: string): Response {
  if (openAiPath.test(c.req.path)) return c.json({ error: openAiProblem(status, code, message) }, status);
  return c.json(problem(code, message), status);
}

export const openAiProblem = (
  status: number,
  code: ErrorName,
  message: string,
  param: string | null = null,
): OpenAiProblem => ({ message, type: typeOf(status), param, code });

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

/** A request that must wait until others are done. */
export class BusyError extends Error {
  override readonly name = "BusyError";
  readonly seconds: number;

  /** @param seconds time after which to retry */
  constructor(message: string, seconds: number) {
    super(message);
    this.seconds = seconds;
  }
}

/** 429 with the number of seconds to wait, rounded up. */
export function tooBusy(c: Context, seconds: number, message: string): Response {
  const wait = Math.max(1, Math.ceil(seconds));
  c.header("Retry-After", String(wait));
  return fail(c, 429, "busy", `${message}; try again in ${wait} s`);
}

/** The client disconnected or was too slow. */
export class GoneError extends Error {
  override readonly name = "GoneError";
}

/** Logs the failure of a request to stderr, with the request id that the response also has. */
export function logFailure(c: Context, error: unknown): void {
  const where = `${c.req.method} ${c.req.path} (${c.get("requestId")})`;
  const what = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
  process.stderr.write(`codescore: ${where}: ${what}\n`);
}
