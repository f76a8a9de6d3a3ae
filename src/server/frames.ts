/**
 * The protocol of `codescore serve --stdio`: one JSON object per line, in both directions. docs/python.md describes it for authors of
 * clients. A request is `{id, method, params, rows?, more?}`. While `more` is true, frames `{id, rows, more?}` bring further rows, and
 * `{id, cancel: true}` cancels the request. The answer is any number of `{id, rows}`, and finally `{id, result}` or `{id, error}`.
 */
import { CodescoreError, type ErrorCode, messageOf } from "../errors.ts";
import { isObject, kindOf } from "./json.ts";

/** Incremented when an older client would misunderstand the new protocol. */
export const PROTOCOL = 1;

/** Maximum characters of a client's frame. A longer one ends the session. */
export const MOST_FRAME = 2 ** 26;

export type RequestId = string | number;

/** A frame from the client. */
export type Frame =
  | {
      readonly kind: "request";
      readonly id: RequestId;
      readonly method: string;
      readonly params: Params;
      readonly part: Part;
    }
  | { readonly kind: "rows"; readonly id: RequestId; readonly part: Part }
  | { readonly kind: "cancel"; readonly id: RequestId };

export type Params = Readonly<Record<string, unknown>>;

/** Rows of a request, and whether more will come. */
export interface Part {
  readonly rows: readonly unknown[];
  readonly more: boolean;
}

/** An answer. The id is null if the frame could not be read. */
export type Answer = { readonly id: RequestId | null } & (
  | { readonly rows: readonly object[] }
  | { readonly result: object }
  | { readonly error: { readonly code: ErrorCode; readonly message: string } }
);

/** Throws `CodescoreError("input")` if the line is not a frame. */
export function readFrame(line: string): Frame {
  const frame = objectOf(line);
  const { id, method, params = {}, rows = [], more = false, cancel } = frame;
  if (typeof id !== "string" && typeof id !== "number") throw wrong("id", "a string or a number", id);
  if (cancel === true) return { kind: "cancel", id };
  if (!Array.isArray(rows)) throw wrong("rows", "an array", rows);
  if (typeof more !== "boolean") throw wrong("more", "true or false", more);
  const part = { rows, more };
  if (method === undefined) return { kind: "rows", id, part };
  if (typeof method !== "string") throw wrong("method", "a string", method);
  if (!isObject(params)) throw wrong("params", "an object", params);
  return { kind: "request", id, method, params, part };
}

function objectOf(line: string): Record<string, unknown> {
  let frame: unknown;
  try {
    frame = JSON.parse(line);
  } catch (error) {
    throw new CodescoreError("input", `expected one JSON object per line: ${messageOf(error)}`);
  }
  if (isObject(frame)) return frame;
  throw new CodescoreError("input", `expected one JSON object per line, got ${kindOf(frame)}`);
}

const wrong = (name: string, expected: string, got: unknown): CodescoreError =>
  new CodescoreError("input", `expected \`${name}\` of a frame to be ${expected}, got ${kindOf(got)}`);
