/** The one shape of an error: `{ error: { code, message } }`; and the case where nobody is left to read one. */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** What an error is about; each status has one. */
export const errorCodes = ["usage", "input", "key", "busy", "infra"] as const;
export type ErrorName = (typeof errorCodes)[number];

export const problem = (code: string, message: string) => ({ error: { code, message } });

export const fail = (c: Context, status: ContentfulStatusCode, code: ErrorName, message: string): Response =>
  c.json(problem(code, message), status);

/** 429 with the seconds to wait, rounded up. */
export function tooBusy(c: Context, seconds: number, message: string): Response {
  const wait = Math.max(1, Math.ceil(seconds));
  c.header("Retry-After", String(wait));
  return fail(c, 429, "busy", `${message}; try again in ${wait} s`);
}

/** The client went away, or was too slow. */
export class GoneError extends Error {
  override readonly name = "GoneError";
}
