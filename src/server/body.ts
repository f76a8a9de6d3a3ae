/** Reads the body of a request: JSON in UTF-8, neither too long nor packed. */
import type { Context } from "hono";
import { CodescoreError, messageOf } from "../errors.ts";
import { GoneError } from "./answers.ts";

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
 * The JSON value of a body. Throws what `readBody` throws, and `CodescoreError("input")` for one that is no JSON in UTF-8.
 */
export async function readJsonBody(c: Context, maxBytes: number): Promise<unknown> {
  const bytes = await readBody(c, maxBytes);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CodescoreError("input", "expected a JSON body in UTF-8, got bytes that are not");
  }
  if (text.trim() === "") throw new CodescoreError("input", "expected a JSON body, got an empty one");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CodescoreError("input", `expected a JSON body: ${messageOf(error)}`);
  }
}

/**
 * A body that is called JSON, as it came. Throws `BodyError` for one too long or of another type, `GoneError` when it does not
 * come whole.
 */
export async function readBody(c: Context, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  // JSON only: pages of other origins cannot send that without asking, so none can spend this machine's time.
  const type = c.req.header("content-type");
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type ?? "")) {
    throw new BodyError(415, `expected the header \`Content-Type: application/json\`, got ${type ?? "none"}`);
  }
  const packed = c.req.header("content-encoding");
  if (packed !== undefined && !/^identity$/i.test(packed)) {
    throw new BodyError(415, `expected a body without Content-Encoding, got ${packed}`);
  }
  return readBytes(c, maxBytes);
}

async function readBytes(c: Context, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLong = (): BodyError =>
    new BodyError(413, `expected a body of at most ${maxBytes} bytes; send less at a time`);
  const length = c.req.header("content-length");
  if (length !== undefined && Number(length) > maxBytes) throw tooLong();
  try {
    // With a length the parser of HTTP holds the client to it, and the whole body is read without streams.
    if (length !== undefined) return new Uint8Array(await c.req.raw.arrayBuffer());
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of c.req.raw.body ?? []) {
      size += piece.length;
      if (size > maxBytes) throw tooLong();
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } catch (error) {
    if (error instanceof BodyError) throw error;
    throw new GoneError(messageOf(error));
  }
}
