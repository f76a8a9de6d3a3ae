/** Reads the body of a request. It must be JSON in UTF-8, not too long and not compressed. */
import type { Context } from "hono";
import { CodescoreError, messageOf } from "../errors.ts";
import { BusyError, GoneError } from "./answers.ts";
import type { BodyBudget } from "./body-budget.ts";

export interface BodyLimits {
  /** Maximum bytes of one body. */
  readonly maxBodyBytes: number;
  readonly budget: BodyBudget;
}

/** The body is too long, or its headers say that it is not plain JSON in UTF-8. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly status: 413 | 415;

  constructor(status: 413 | 415, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * The JSON value of a body. Throws what `readBody` throws, and `CodescoreError("input")` for a body that is not JSON in UTF-8 or has
 * too many values.
 */
export async function readJsonBody(c: Context, limits: BodyLimits): Promise<unknown> {
  const bytes = await readBody(c, limits);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CodescoreError("input", "expected a JSON body in UTF-8, got invalid UTF-8");
  }
  if (marksIn(bytes, MOST_MARKS) > MOST_MARKS) {
    throw new CodescoreError(
      "input",
      `expected a JSON body with at most ${MOST_MARKS} brackets, colons and commas in all`,
    );
  }
  if (text.trim() === "") throw new CodescoreError("input", "expected a JSON body, got an empty one");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CodescoreError("input", `expected a JSON body: ${messageOf(error)}`);
  }
}

/**
 * Maximum number of brackets, colons and commas outside the strings of a JSON body. A thousand rows have ten thousand. A body of 10 MB
 * with nothing else would take seconds to parse, and a hundred times its size in memory.
 */
export const MOST_MARKS = 100_000;

/** Counts them, and stops at `most` + 1. */
export function marksIn(bytes: Uint8Array, most: number): number {
  let marks = 0;
  for (let at = 0; at < bytes.length && marks <= most; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
    } else if (byte === COMMA || byte === COLON || byte === BRACKET || byte === BRACE) marks++;
  }
  return marks;
}

const [QUOTE, BACKSLASH, COMMA, COLON, BRACKET, BRACE] = Buffer.from('"\\,:[{');

/**
 * The bytes of a body whose Content-Type is JSON. Throws `BodyError` if it is too long or of another type, `GoneError` if it does not
 * arrive completely, and whatever `BodyBudget.during` throws.
 */
export async function readBody(c: Context, { maxBodyBytes, budget }: BodyLimits): Promise<Uint8Array<ArrayBuffer>> {
  // Only JSON: pages of other origins cannot send it without a preflight request, so they cannot use up this machine's time.
  const type = c.req.header("content-type");
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type ?? "")) {
    throw new BodyError(415, `expected the header \`Content-Type: application/json\`, got ${type ?? "none"}`);
  }
  const packed = c.req.header("content-encoding");
  if (packed !== undefined && !/^identity$/i.test(packed)) {
    throw new BodyError(415, `expected a body without Content-Encoding, got ${packed}`);
  }
  return budget.during(c, (came) => readBytes(c, maxBodyBytes, came));
}

/** Bodies up to this size, in bytes, are read at once. */
const SMALL = 65_536;

async function readBytes(
  c: Context,
  maxBytes: number,
  came: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLong = (): BodyError =>
    new BodyError(413, `expected a body of at most ${maxBytes} bytes; split the request`);
  const header = c.req.header("content-length");
  const length = header === undefined ? Number.POSITIVE_INFINITY : Number(header);
  if (header !== undefined && length > maxBytes) throw tooLong();
  try {
    // With a Content-Length, the HTTP parser enforces it, so the whole body can be read without streams.
    if (length <= SMALL) {
      came(length);
      return new Uint8Array(await c.req.raw.arrayBuffer());
    }
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of c.req.raw.body ?? []) {
      size += piece.length;
      if (size > maxBytes) throw tooLong();
      came(piece.length);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } catch (error) {
    if (error instanceof BodyError || error instanceof BusyError) throw error;
    throw new GoneError(messageOf(error));
  }
}
