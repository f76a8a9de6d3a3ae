/** Forwards a response body piece by piece, at the reader's speed, and replaces this server's key by stars if it occurs. */
import { messageOf } from "../errors.ts";

export interface RelayOptions {
  /** Text to hide; null: nothing. */
  readonly secret: string | null;
  /** Maximum time to wait for a piece, in ms. */
  readonly timeoutMs: number;
  /** Called when the body is complete or cut off, or when nobody reads it any more. */
  readonly done: () => void;
}

export function relay(body: ReadableStream<Uint8Array>, { secret, timeoutMs, done }: RelayOptions) {
  const reader = body.getReader();
  const mask = secret === null ? null : new Mask(secret);
  return new ReadableStream<Uint8Array>(
    {
      // A piece is requested only when the last one is consumed, so that a slow client slows the upstream down.
      pull: async (controller) => {
        try {
          for (;;) {
            const piece = await within(timeoutMs, reader);
            const bytes = piece.done ? mask?.rest() : (mask?.push(piece.value) ?? piece.value);
            if (bytes?.length) controller.enqueue(bytes);
            if (piece.done) {
              controller.close();
              done();
            }
            if (piece.done || bytes?.length) return;
          }
        } catch (error) {
          done();
          reader.cancel(error).catch(() => {}); // the reader itself may have failed
          controller.error(new CutError(messageOf(error)));
        }
      },
      cancel: async (reason) => {
        done();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Makes a cut answer visible to the client. The HTTP library prints the stack, so it is only the message. */
class CutError extends Error {
  constructor(reason: string) {
    super(`the upstream's answer ended early: ${reason}`);
    this.stack = `codescore: ${this.message}`;
  }
}

/** The next piece. Throws if it does not arrive in time. */
async function within(timeoutMs: number, reader: ReadableStreamDefaultReader<Uint8Array>) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no data within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([reader.read(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Replaces a secret by stars, also if it is split across two pieces. The number of bytes does not change. */
class Mask {
  readonly #secret: Buffer;
  #held = Buffer.alloc(0);

  constructor(secret: string) {
    this.#secret = Buffer.from(secret);
  }

  push(piece: Uint8Array): Uint8Array {
    const bytes = Buffer.concat([this.#held, piece]);
    const { length } = this.#secret;
    for (let at = bytes.indexOf(this.#secret); at !== -1; at = bytes.indexOf(this.#secret, at + length)) {
      bytes.fill("*", at, at + length);
    }
    const end = bytes.length - this.#begun(bytes);
    this.#held = bytes.subarray(end);
    return bytes.subarray(0, end);
  }

  /** The bytes held back, for when no more arrive. */
  rest(): Uint8Array {
    return this.#held;
  }

  /** Number of bytes at the end that may be the start of the secret. */
  #begun(bytes: Buffer): number {
    for (let length = Math.min(bytes.length, this.#secret.length - 1); length > 0; length--) {
      if (bytes.subarray(bytes.length - length).equals(this.#secret.subarray(0, length))) return length;
    }
    return 0;
  }
}
