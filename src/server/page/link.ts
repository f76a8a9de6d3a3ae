/**
 * Links that contain the programs: the fragment after `#` is JSON, deflated, in base64url. Browsers do not send the fragment to servers.
 * Anybody can write a link, so its unpacked size is limited, and opening one scores and runs nothing.
 */

/** The content of a link. */
export interface Programs {
  readonly candidate: string;
  readonly reference: string;
  readonly description: string;
}

/** Limits: characters of the fragment, and bytes when unpacked. E-mail and chat programs break longer links. */
export const MOST = { fragment: 16_000, bytes: 400_000 } as const;

const KEY = "programs=";

/** Throws an `Error` with a message to show if the programs are too long for a link. */
export async function fragmentOf({ candidate, reference, description }: Programs): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([candidate, reference, description]));
  const packed =
    bytes.length > MOST.bytes ? null : await through(bytes, new CompressionStream("deflate-raw"), bytes.length + 1000);
  const text = packed === null ? null : KEY + base64(packed);
  if (text !== null && text.length <= MOST.fragment) return text;
  const size =
    text === null
      ? `${bytes.length.toLocaleString("en")} bytes unpacked`
      : `${text.length.toLocaleString("en")} characters`;
  throw new Error(
    `The programs are too long for a link: ${size}; a link holds ${MOST.fragment.toLocaleString("en")} characters.`,
  );
}

/** The programs in a fragment without its `#`; null if it has none. Throws an `Error` with a message to show if it cannot be read. */
export async function programsIn(fragment: string): Promise<Programs | null> {
  if (!fragment.startsWith(KEY)) return null;
  const refused = (why: string): Error => new Error(`This link\u2019s programs cannot be read: ${why}.`);
  if (fragment.length > MOST.fragment)
    throw refused(`expected at most ${MOST.fragment} characters, got ${fragment.length}`);
  let texts: unknown;
  try {
    const bytes = await through(
      unbase64(fragment.slice(KEY.length)),
      new DecompressionStream("deflate-raw"),
      MOST.bytes,
    );
    texts = bytes && JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw refused("it is damaged, or was cut");
  }
  if (texts === null) throw refused(`they unpack to more than ${MOST.bytes} bytes`);
  if (!Array.isArray(texts) || texts.length !== 3 || texts.some((text) => typeof text !== "string"))
    throw refused("expected three texts");
  const [candidate, reference, description] = texts as [string, string, string];
  return { candidate, reference, description };
}

/** The output of a stream for the input `bytes`. Returns null and stops reading if it is more than `most` bytes. */
async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array | null> {
  // The types of browsers and Node disagree about byte streams.
  const reader = (new Blob([bytes]).stream().pipeThrough(stream as never) as ReadableStream<Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      return null;
    }
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const unbase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
