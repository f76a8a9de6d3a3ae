/**
 * Locates the files in a zip archive from its central directory. Supports zip64. PyTorch stores the files uncompressed. Source: PKWARE's
 * APPNOTE, 4.3.7 (local header), 4.3.12 to 4.3.16 (central directory), 4.5.3 (zip64).
 */
import type { ByteFile } from "./bytes.ts";

export interface ZipEntry {
  /** Offset of the local header, whose length may differ from that of the central one. */
  readonly header: number;
  readonly size: number;
}

const END = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 65_535;
const END64_LOCATOR = 0x07064b50;
const END64 = 0x06064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
/** Marks a number that is stored in the zip64 field instead. */
const ELSEWHERE = 0xffffffff;

/** The archive's files by name. Throws an Error if the archive is damaged or compressed. */
export async function readZipDirectory(file: ByteFile): Promise<Map<string, ZipEntry>> {
  const { from, length } = await findDirectory(file);
  const directory = await file.read(from, length);
  const entries = new Map<string, ZipEntry>();
  for (let at = 0; at < length; ) {
    if (at + 46 > length || directory.readUInt32LE(at) !== CENTRAL) throw new Error("its zip directory is damaged");
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset));
    const name = directory.toString("utf8", at + 46, at + 46 + nameLength!);
    const method = directory.readUInt16LE(at + 10);
    if (method !== 0) {
      throw new Error(
        `${name} is compressed (method ${method}); torch.save does not compress: unpack it and save it again with PyTorch`,
      );
    }
    const extraStart = at + 46 + nameLength!;
    const wide = zip64Field(directory.subarray(extraStart, extraStart + extraLength!));
    const value = (offset: number): number => {
      const narrow = directory.readUInt32LE(at + offset);
      return narrow === ELSEWHERE && wide.length > 0 ? wide.shift()! : narrow;
    };
    const size = value(24);
    value(20); // the compressed size, equal here, comes second in the zip64 field
    entries.set(name, { header: value(42), size });
    at = extraStart + extraLength! + commentLength!;
  }
  return entries;
}

/** Offset of an entry's data. */
export async function zipDataStart(file: ByteFile, { header }: ZipEntry): Promise<number> {
  const local = await file.read(header, 30);
  if (local.readUInt32LE(0) !== LOCAL) throw new Error("its zip directory points to something that is not a file");
  return header + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
}

async function findDirectory(file: ByteFile): Promise<{ from: number; length: number }> {
  const tailLength = Math.min(file.size, END_BYTES + LONGEST_COMMENT);
  const tail = await file.read(file.size - tailLength, tailLength);
  let at = tailLength - END_BYTES;
  while (at >= 0 && tail.readUInt32LE(at) !== END) at--;
  if (at < 0) throw new Error("it is a zip archive without its directory, which comes last (cut off?)");
  const locator = at - 20;
  if (locator >= 0 && tail.readUInt32LE(locator) === END64_LOCATOR) {
    const end64 = await file.read(Number(tail.readBigUInt64LE(locator + 8)), 56);
    if (end64.readUInt32LE(0) !== END64) throw new Error("its zip64 directory is damaged");
    return { from: Number(end64.readBigUInt64LE(48)), length: Number(end64.readBigUInt64LE(40)) };
  }
  return { from: tail.readUInt32LE(at + 16), length: tail.readUInt32LE(at + 12) };
}

/** The 64-bit numbers of extra field 1: size, compressed size and offset, those that did not fit in 32 bits. */
function zip64Field(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const count = Math.min(3, Math.floor(extra.readUInt16LE(at + 2) / 8));
    return Array.from({ length: count }, (_, i) => Number(extra.readBigUInt64LE(at + 4 + 8 * i)));
  }
  return [];
}
