/** Event files byte by byte. In test/train/tensorboard.slow.test.ts TensorFlow reads a whole run. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { crc32c, encodeEvent, frameRecord, openEvents } from "../../src/train/tensorboard.ts";
import { scratch } from "./rows.ts";

const hex = (data: Uint8Array): string => Buffer.from(data).toString("hex");

it.each([
  [Buffer.from("123456789"), 0xe3069283], // the check value of CRC-32C
  // RFC 3720, appendix B.4
  [Buffer.alloc(32), 0x8a9136aa],
  [Buffer.alloc(32, 0xff), 0x62a8ab43],
  [Buffer.from(Array.from({ length: 32 }, (_, i) => i)), 0x46dd794e],
  [Buffer.from(Array.from({ length: 32 }, (_, i) => 31 - i)), 0x113fdb5c],
])("has the checksum of RFC 3720 (%#)", (data, crc) => {
  expect(crc32c(data)).toBe(crc);
});

// Recorded from tf.io.TFRecordWriter and event_pb2.Event(...).SerializeToString() of TensorFlow 2.21.
describe("TensorFlow's bytes", () => {
  it("of records", () => {
    expect(hex(frameRecord(Buffer.from("hello")))).toBe("0500000000000000eab2043e68656c6c6fbb1f1c19");
    expect(hex(frameRecord(new Uint8Array()))).toBe("000000000000000029039807d8ea82a2");
  });

  it("of events", () => {
    expect(hex(encodeEvent({ wallTime: 1.5, what: { fileVersion: "brain.Event:2" } }))).toBe(
      "09000000000000f83f1a0d627261696e2e4576656e743a32",
    );
    expect(hex(encodeEvent({ wallTime: 1.5, step: 3, what: { start: true } }))).toBe("09000000000000f83f10033a020801");
    expect(hex(encodeEvent({ wallTime: 1.5, step: 3, what: { scalars: { loss: 0.25 } } }))).toBe(
      "09000000000000f83f10032a0d0a0b0a046c6f7373150000803e",
    );
  });
});

it("begins a file for each start that has something to say, in an order that names keep", async () => {
  const out = scratch();
  openEvents(out, 0);
  for (const start of [0, 7, 9]) await openEvents(out, start)(start + 1, { loss: 1 });
  const names = readdirSync(join(out, "tensorboard")).sort();
  expect(names).toEqual([1, 2, 3].map((n) => `events.out.tfevents.000000000${n}.codescore`));
  const events = names.map((name) => readFileSync(join(out, "tensorboard", name)));
  // Version, start and scalar. The step of a start is the first one that is written again.
  const starts = events.map((bytes) => bytes.indexOf(Buffer.from([0x3a, 0x02, 0x08, 0x01])));
  expect(starts.map((at, i) => events[i]![at - 1])).toEqual([1, 8, 10]);
});
