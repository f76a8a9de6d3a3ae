/** Reads a Linux program's processor, the libraries it needs, and the part of the file that is loaded. */
import { CodescoreError } from "../../errors.ts";

export interface Elf {
  readonly arch: "x64" | "arm64";
  /** Names of the shared libraries that the loader looks for. */
  readonly needed: readonly string[];
  /** The program without symbols and sections, which only debuggers and linkers read. */
  readonly stripped: Buffer;
}

const ARCHES: Readonly<Record<number, Elf["arch"]>> = { 62: "x64", 183: "arm64" };
const LOAD = 1;
const DYNAMIC = 2;
const NEEDED = 1n;
const STRING_TABLE = 5n;

/**
 * Throws `CodescoreError("usage")` for anything but a 64-bit little-endian program for x64 or ARM. Source: the ELF-64 object file format,
 * version 1.5, and elf(5).
 */
export function readElf(file: Buffer, name: string): Elf {
  const isElf = file.length > 64 && file.toString("latin1", 0, 6) === "\x7fELF\x02\x01";
  const arch = isElf ? ARCHES[file.readUInt16LE(18)] : undefined;
  if (arch === undefined) {
    const got = isElf ? `one for machine ${file.readUInt16LE(18)}` : "another file";
    throw new CodescoreError("usage", `${name}: expected a Linux program for x64 or arm64, got ${got}`);
  }
  const table = Number(file.readBigUInt64LE(32));
  const segments = Array.from({ length: file.readUInt16LE(56) }, (_, i) => {
    const at = table + i * file.readUInt16LE(54);
    const [offset, address, , size] = [8, 16, 24, 32].map((field) => Number(file.readBigUInt64LE(at + field)));
    return { type: file.readUInt32LE(at), offset: offset!, address: address!, size: size! };
  });
  const end = segments.reduce((most, { offset, size }) => Math.max(most, offset + size), 64);
  const stripped = Buffer.from(file.subarray(0, end));
  stripped.writeBigUInt64LE(0n, 40); // e_shoff: no section table
  for (const field of [60, 62]) stripped.writeUInt16LE(0, field); // e_shnum and e_shstrndx: no sections, and none with names
  return { arch, needed: neededBy(file, segments), stripped };
}

function neededBy(file: Buffer, segments: readonly { type: number; offset: number; address: number; size: number }[]) {
  const dynamic = segments.find(({ type }) => type === DYNAMIC);
  if (dynamic === undefined) return [];
  const entries = Array.from({ length: dynamic.size / 16 }, (_, i) => {
    const at = dynamic.offset + 16 * i;
    return { tag: file.readBigInt64LE(at), value: Number(file.readBigUInt64LE(at + 8)) };
  });
  const address = entries.find(({ tag }) => tag === STRING_TABLE)?.value ?? 0;
  const holder = segments.find(
    (one) => one.type === LOAD && one.address <= address && address < one.address + one.size,
  );
  const strings = holder === undefined ? 0 : address - holder.address + holder.offset;
  return entries
    .filter(({ tag }) => tag === NEEDED)
    .map(({ value }) => file.toString("latin1", strings + value, file.indexOf(0, strings + value)));
}
