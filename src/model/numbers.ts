/** Number formats of checkpoint files, under safetensors' names, and their conversion to float32. Little-endian. */
import { CodescoreError } from "../errors.ts";

interface Format {
  readonly bytes: number;
  readonly at: (view: DataView, offset: number) => number;
}

const FORMATS = {
  F64: { bytes: 8, at: (view, offset) => view.getFloat64(offset, true) },
  F32: { bytes: 4, at: (view, offset) => view.getFloat32(offset, true) },
  F16: { bytes: 2, at: (view, offset) => fromHalf(view.getUint16(offset, true)) },
  BF16: { bytes: 2, at: (view, offset) => fromBrainFloat(view.getUint16(offset, true)) },
  I64: { bytes: 8, at: (view, offset) => Number(view.getBigInt64(offset, true)) },
  I32: { bytes: 4, at: (view, offset) => view.getInt32(offset, true) },
  I16: { bytes: 2, at: (view, offset) => view.getInt16(offset, true) },
  I8: { bytes: 1, at: (view, offset) => view.getInt8(offset) },
  U8: { bytes: 1, at: (view, offset) => view.getUint8(offset) },
  BOOL: { bytes: 1, at: (view, offset) => view.getUint8(offset) },
} as const satisfies Record<string, Format>;

export type NumberFormat = keyof typeof FORMATS;

export const NUMBER_FORMATS = Object.keys(FORMATS) as readonly NumberFormat[];

/** Bytes of one number. */
export const bytesOf = (format: NumberFormat): number => FORMATS[format].bytes;

/** The first `count` numbers of `bytes`, each rounded to float32. Throws an Error if there are fewer. */
export function toFloat32(bytes: Uint8Array, format: NumberFormat, count: number): Float32Array {
  const { bytes: width, at } = FORMATS[format];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (count * width > view.byteLength) {
    throw new Error(`expected ${count} ${format} numbers, got ${view.byteLength} bytes`);
  }
  if (format === "F32") return new Float32Array(Uint8Array.from(bytes.subarray(0, count * width)).buffer);
  const data = new Float32Array(count);
  for (let i = 0; i < count; i++) data[i] = at(view, i * width);
  return data;
}

function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const scratch = new DataView(new ArrayBuffer(4));

/** The bits are the upper half of a float32's bits. */
function fromBrainFloat(bits: number): number {
  scratch.setUint32(0, bits << 16);
  return scratch.getFloat32(0);
}

/**
 * Converts numbers to IEEE 754's binary16, rounded to nearest, ties to even. Throws `CodescoreError("model")` for a number that would round
 * beyond the maximum, 65,504.
 */
export function toHalf(data: Float32Array, name: string): Uint16Array {
  const bits = new Uint32Array(data.buffer, data.byteOffset, data.length);
  const sum = new Float32Array(1);
  const sumBits = new Uint32Array(sum.buffer);
  const halves = new Uint16Array(data.length);
  // A loop, because Uint16Array.from with a function takes many times as long, and models are large.
  for (let i = 0; i < bits.length; i++) {
    const bit = bits[i]!;
    const sign = (bit >>> 16) & 0x8000;
    const size = bit & 0x7fffffff;
    if (size >= 0x477ff000) {
      throw new CodescoreError(
        "model",
        `${name} contains ${data[i]}, which half precision cannot represent (65,504 at most); keep it in single precision`,
      );
    }
    if (size < 0x38800000) {
      // Below 2^-14 halves are multiples of 2^-24, as are single-precision numbers from 0.5 to 1, so adding 0.5 rounds correctly.
      sum[0] = Math.abs(data[i]!) + 0.5;
      halves[i] = sign | (sumBits[0]! - 0x3f000000);
    } else halves[i] = sign | ((size - 0x38000000 + 0xfff + ((size >>> 13) & 1)) >>> 13);
  }
  return halves;
}
