/** Reads a pickle that holds one text. codescore reads no other pickles, because a general reader would run code. */
const MOST = 2 ** 29 - 24; // V8's maximum string length

/**
 * The text of a pickle of one `str`, of protocols 1 to 5 (those with binary texts). Throws `TypeError` naming anything else that
 * is in it. It knows no other operation, so it cannot call or construct anything.
 */
export function pickledText(bytes: Buffer): string {
  let at = 0;
  let text: string | null = null;
  const skip = (count: number): void => {
    at += count;
  };
  const take = (length: number): void => {
    if (text !== null) throw new TypeError("expected one text, got more");
    if (length > Math.min(MOST, bytes.length - at)) throw new TypeError("the text is cut short");
    text = bytes.toString("utf8", at, at + length);
    skip(length);
  };
  while (at < bytes.length) {
    const operation = bytes[at++] as number;
    const size = SIZES.get(operation);
    if (size !== undefined && bytes.length - at < size) throw new TypeError("the pickle is cut short");
    switch (operation) {
      case SHORT_TEXT:
        take(bytes.readUInt8(at++));
        break;
      case TEXT:
        skip(4);
        take(bytes.readUInt32LE(at - 4));
        break;
      case LONG_TEXT:
        skip(8);
        take(Number(bytes.readBigUInt64LE(at - 8)));
        break;
      case STOP:
        if (text === null) throw new TypeError("expected a text, got nothing");
        return text;
      default:
        if (size === undefined) throw new TypeError(`expected a text, got operation 0x${operation.toString(16)}`);
        skip(size);
    }
  }
  throw new TypeError("the pickle has no end");
}

const [SHORT_TEXT, TEXT, LONG_TEXT, STOP] = [0x8c, 0x58, 0x8d, 0x2e];

/** Operations with the number of bytes after each: lengths of texts, PROTO, FRAME, and memo operations (MEMOIZE, BINPUT, LONG_BINPUT). */
const SIZES = new Map([
  [SHORT_TEXT, 1],
  [TEXT, 4],
  [LONG_TEXT, 8],
  [STOP, 0],
  [0x80, 1],
  [0x95, 8],
  [0x94, 0],
  [0x71, 1],
  [0x72, 4],
] as const satisfies [number, number][]);
