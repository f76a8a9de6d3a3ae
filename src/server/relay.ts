/** Hands a body on piece by piece, as fast as it is read, with the key of this server starred out should it be in there. */
import { messageOf } from "../errors.ts";

export interface RelayOptions {
  /** What must not be seen; none when null. */
  readonly secret: string | null;
  /** How long a piece may be in coming. */
  readonly timeoutMs: number;
  /** Called when the body has come whole, was cut, or nobody reads on. */
  readonly done: () => void;
}

export function relay(body: ReadableStream<Uint8Array>, { secret, timeoutMs, done }: RelayOptions) {
  const reader = body.getReader();
  const mask = secret === null ? null : new Mask(secret);
  return new ReadableStream<Uint8Array>(
    {
      // A piece is asked for when the last one is gone, so that a slow client slows the upstream down.
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
          reader.cancel(error).catch(() => {}); // it may be what failed
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

/** Lets the client see a cut answer, as this server did. The HTTP library prints its stack. */
class CutError extends Error {
  constructor(reason: string) {
    super(`the upstream's answer broke off: ${reason}`);
    this.stack = `codescore: ${this.message}`;
  }
}

/** The next piece; throws when none comes in time. */
async function within(timeoutMs: number, reader: ReadableStreamDefaultReader<Uint8Array>) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no further piece within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([reader.read(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Stars a secret out, also where it comes in two pieces. As many bytes go out as came in. */
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

  /** What was held back when no more came. */
  rest(): Uint8Array {
    return this.#held;
  }

  /** Bytes at the end with which the secret may have begun. */
  #begun(bytes: Buffer): number {
    for (let length = Math.min(bytes.length, this.#secret.length - 1); length > 0; length--) {
      if (bytes.subarray(bytes.length - length).equals(this.#secret.subarray(0, length))) return length;
    }
    return 0;
  }
}
