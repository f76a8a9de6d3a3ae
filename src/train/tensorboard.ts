/**
 * Event files for TensorBoard: TFRecords of `Event` messages with scalars (field numbers of TensorFlow's `event.proto` and
 * `summary.proto`; Apache License 2.0, the TensorFlow authors).
 */
import { appendFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import protobuf from "protobufjs";
import { whileWriting } from "../util/file-errors.ts";

const SCHEMA = `
syntax = "proto3";
package tensorboard;
message Event {
  double wall_time = 1; int64 step = 2;
  oneof what { string file_version = 3; Summary summary = 5; SessionLog session_log = 7; }
}
message Summary {
  message Value { string tag = 1; float simple_value = 2; }
  repeated Value value = 1;
}
message SessionLog { int32 status = 1; }
`;

const EventProto = protobuf.parse(SCHEMA, { keepCase: true }).root.lookupType("tensorboard.Event");

/** SessionLog.SessionStatus */
const START = 1;

export interface Event {
  /** Seconds since 1970. */
  readonly wallTime: number;
  readonly step?: number;
  readonly what: { readonly fileVersion: string } | { readonly start: true } | { readonly scalars: Scalars };
}

/** By tag. A slash separates group and name. */
export type Scalars = Readonly<Record<string, number>>;

export function encodeEvent({ wallTime, step, what }: Event): Uint8Array {
  const content =
    "fileVersion" in what
      ? { file_version: what.fileVersion }
      : "start" in what
        ? { session_log: { status: START } }
        : { summary: { value: Object.entries(what.scalars).map(([tag, value]) => ({ tag, simple_value: value })) } };
  return EventProto.encode(
    EventProto.fromObject({ wall_time: wallTime, ...(step === undefined ? {} : { step }), ...content }),
  ).finish();
}

/** A TFRecord: length, checksum of the length, data, checksum of the data. Little-endian. */
export function frameRecord(data: Uint8Array): Buffer {
  const head = Buffer.alloc(12);
  head.writeBigUInt64LE(BigInt(data.length));
  head.writeUInt32LE(maskedCrc32c(head.subarray(0, 8)), 8);
  const foot = Buffer.alloc(4);
  foot.writeUInt32LE(maskedCrc32c(data));
  return Buffer.concat([head, data, foot]);
}

/** TFRecord's masked checksum. The mask keeps it safe for data that contains checksums itself. */
function maskedCrc32c(data: Uint8Array): number {
  const crc = crc32c(data);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** CRC-32C, the cyclic redundancy check of RFC 3720 (Castagnoli's polynomial). zlib only has the other CRC-32. */
export function crc32c(data: Uint8Array): number {
  let crc = ~0;
  for (const byte of data) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ byte) & 0xff]!;
  return ~crc >>> 0;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

/**
 * Writes scalars into a new event file in `out/tensorboard`, one file per start of a run. A run that continues after `step` marks this, and
 * TensorBoard then drops later steps of earlier files. The file is created with the first scalar.
 */
export function openEvents(out: string, step: number): (step: number, scalars: Scalars) => Promise<void> {
  const folder = join(out, "tensorboard");
  const now = (): number => Date.now() / 1000;
  let path: string | null = null;
  const begin = async (): Promise<string> => {
    await mkdir(folder, { recursive: true });
    // TensorBoard reads a run's files in the order of their names. Other writers put the time there, but a count never goes backwards.
    const count = (await readdir(folder)).filter((name) => name.startsWith("events.out.tfevents.")).length;
    const name = join(folder, `events.out.tfevents.${String(count + 1).padStart(10, "0")}.codescore`);
    const opening: Event[] = [
      { wallTime: now(), what: { fileVersion: "brain.Event:2" } },
      { wallTime: now(), step: step + 1, what: { start: true } },
    ];
    await appendFile(name, Buffer.concat(opening.map((event) => frameRecord(encodeEvent(event)))));
    return name;
  };
  return async (at, scalars) => {
    await whileWriting(path ?? folder, async () => {
      path ??= await begin();
      await appendFile(path, frameRecord(encodeEvent({ wallTime: now(), step: at, what: { scalars } })));
    });
  };
}
