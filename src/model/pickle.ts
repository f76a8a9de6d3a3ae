/**
 * Reads the pickles of PyTorch's state dicts. A pickle is a program. This reader only creates plain values and values that `find` returns
 * for the names it asks for, so a file never runs code. The operations are those of PyTorch's own restricted reader
 * (torch/_weights_only_unpickler.py), for pickle protocol 2 as torch.save writes it. Source: Python's pickletools, "opcodes".
 */

/** The outside values that a pickle may ask for. Both functions throw for anything they do not allow. */
export interface PickleWorld {
  /** The value of a global such as `collections.OrderedDict`. A function is called if the pickle says so. */
  find(name: string): unknown;
  /** The value of a persistent id: in PyTorch, a storage. */
  load(id: unknown): unknown;
}

/** A function that a pickle may call. */
export type PickleFunction = (args: readonly unknown[]) => unknown;

export interface Unpickled {
  /** Dicts become Maps, tuples and lists become arrays, integers beyond 32 bits become BigInts. */
  readonly value: unknown;
  /** Offset of the first byte after the pickle. */
  readonly end: number;
}

/** Reads the pickle that begins at `start`. Throws an Error that describes the fault. */
export function unpickle(bytes: Buffer, start: number, world: PickleWorld): Unpickled {
  let at = start;
  const take = (length: number): number => {
    if (at + length > bytes.length) throw new Error("its pickle ends too early (cut off?)");
    at += length;
    return at - length;
  };
  const line = (): string => {
    const end = bytes.indexOf(10, at);
    const from = take(end < 0 ? bytes.length : end + 1 - at);
    return bytes.toString("utf8", from, at - 1);
  };
  const text = (length: number): string => bytes.toString("utf8", take(length), at);

  let stack: unknown[] = [];
  const marks: unknown[][] = [];
  const memo = new Map<number, unknown>();
  const damaged = (): never => {
    throw new Error("its pickle is damaged");
  };
  const pop = (): unknown => (stack.length > 0 ? stack.pop() : damaged());
  const top = (): unknown => (stack.length > 0 ? stack.at(-1) : damaged());
  const popMark = (): unknown[] => {
    const items = stack;
    stack = marks.pop() ?? damaged();
    return items;
  };
  const dict = (): Map<unknown, unknown> => {
    const value = top();
    return value instanceof Map ? value : damaged();
  };
  const list = (): unknown[] => {
    const value = top();
    return Array.isArray(value) ? value : damaged();
  };
  const tuple = (length: number): void => {
    if (stack.length < length) damaged();
    stack.push(stack.splice(stack.length - length));
  };
  const remembered = (key: number): unknown => (memo.has(key) ? memo.get(key) : damaged());

  const operations: Record<string, () => void> = {
    "\x80": () => void take(1), // PROTO
    "(": () => {
      marks.push(stack);
      stack = [];
    },
    N: () => stack.push(null),
    "\x88": () => stack.push(true),
    "\x89": () => stack.push(false),
    J: () => stack.push(bytes.readInt32LE(take(4))),
    K: () => stack.push(bytes.readUInt8(take(1))),
    M: () => stack.push(bytes.readUInt16LE(take(2))),
    "\x8a": () => stack.push(longOf(bytes.subarray(take(bytes.readUInt8(take(1))), at))),
    G: () => stack.push(bytes.readDoubleBE(take(8))),
    X: () => stack.push(text(bytes.readUInt32LE(take(4)))),
    ")": () => stack.push([]),
    "]": () => stack.push([]),
    "}": () => stack.push(new Map()),
    t: () => {
      const items = popMark();
      stack.push(items);
    },
    "\x85": () => tuple(1),
    "\x86": () => tuple(2),
    "\x87": () => tuple(3),
    a: () => {
      const item = pop();
      list().push(item);
    },
    e: () => {
      const items = popMark();
      list().push(...items);
    },
    s: () => {
      const [key, value] = [pop(), pop()].reverse();
      dict().set(key, value);
    },
    u: () => {
      const items = popMark();
      for (let i = 0; i + 1 < items.length; i += 2) dict().set(items[i], items[i + 1]);
    },
    q: () => void memo.set(bytes.readUInt8(take(1)), top()),
    r: () => void memo.set(bytes.readUInt32LE(take(4)), top()),
    h: () => stack.push(remembered(bytes.readUInt8(take(1)))),
    j: () => stack.push(remembered(bytes.readUInt32LE(take(4)))),
    c: () => stack.push(world.find([line(), line()].join("."))),
    R: () => {
      const [call, args] = [pop(), pop()].reverse();
      if (typeof call !== "function" || !Array.isArray(args)) return damaged();
      stack.push((call as PickleFunction)(args));
    },
    Q: () => stack.push(world.load(pop())),
    // BUILD: sets attributes of a dict, such as a state dict's `_metadata`. They are ignored. No other value here can have attributes.
    b: () => {
      pop();
      dict();
    },
  };

  for (;;) {
    const code = String.fromCharCode(bytes.readUInt8(take(1)));
    if (code === ".") return { value: pop(), end: at };
    const operation = operations[code];
    if (operation === undefined) {
      throw new Error(`its pickle has the operation 0x${code.charCodeAt(0).toString(16)}, which no state dict needs`);
    }
    operation();
  }
}

/** A little-endian two's complement integer of any length. */
function longOf(bytes: Buffer): number | bigint {
  let value = 0n;
  for (const [i, byte] of bytes.entries()) value |= BigInt(byte) << BigInt(8 * i);
  const long = BigInt.asIntN(8 * bytes.length, value);
  return BigInt.asIntN(32, long) === long ? Number(long) : long;
}
