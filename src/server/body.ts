/** Reads the body of a request: JSON in UTF-8, neither too long nor packed. */
import type { Context } from "hono";
import { CodescoreError, messageOf } from "../errors.ts";
import { BusyError, GoneError } from "./answers.ts";
import type { BodyBudget } from "./body-budget.ts";

export interface BodyLimits {
  /** Of one body. */
  readonly maxBodyBytes: number;
  readonly budget: BodyBudget;
}

/** The body is longer than allowed, or called something else than JSON in UTF-8. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly status: 413 | 415;

  constructor(status: 413 | 415, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * The JSON value of a body. Throws what `readBody` throws, and `CodescoreError("input")` for one that is no JSON in UTF-8, or has
 * too many values.
 */
export async function readJsonBody(c: Context, limits: BodyLimits): Promise<unknown> {
  const bytes = await readBody(c, limits);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CodescoreError("input", "expected a JSON body in UTF-8, got bytes that are not");
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
 * Brackets, colons and commas of a JSON body outside of its texts; a thousand rows have ten thousand. A body of 10 MB of nothing else
 * would take seconds to parse, and a hundred times its size in memory.
 */
const MOST_MARKS = 100_000;

/** How many there are, or one more than `most`: what comes after is not looked at. */
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
 * A body that is called JSON, as it came. Throws `BodyError` for one too long or of another type, `GoneError` when it does not
 * come whole, and as `BodyBudget.during`.
 */
export async function readBody(c: Context, { maxBodyBytes, budget }: BodyLimits): Promise<Uint8Array<ArrayBuffer>> {
  // JSON only: pages of other origins cannot send that without asking, so none can spend this machine's time.
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

/** Shorter ones are read at once. */
const SMALL = 65_536;

async function readBytes(
  c: Context,
  maxBytes: number,
  came: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLong = (): BodyError =>
    new BodyError(413, `expected a body of at most ${maxBytes} bytes; send less at a time`);
  const header = c.req.header("content-length");
  const length = header === undefined ? Number.POSITIVE_INFINITY : Number(header);
  if (header !== undefined && length > maxBytes) throw tooLong();
  try {
    // With a length the parser of HTTP holds the client to it, and the whole body is read without streams.
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
