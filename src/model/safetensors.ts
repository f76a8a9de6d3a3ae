/**
 * Hugging Face's safetensors format: a JSON header and raw little-endian data. Reads all common number formats into float32. Writes F32, or
 * F16 for distribution. It needs no native dependency, and Python, Rust and transformers.js can read it.
 */
import { readFile } from "node:fs/promises";
import { CodescoreError, messageOf } from "../errors.ts";
import { checkModelFile, exists, LARGEST, writeAtomic } from "../util/files.ts";
import { whereLeftOut } from "../util/shipped.ts";
import { NUMBER_FORMATS, toFloat32, toHalf } from "./numbers.ts";
import type { Tensor, Tensors } from "./parameters.ts";

interface Entry {
  readonly dtype: string;
  readonly shape: number[];
  readonly data_offsets: [number, number];
}

/** Reads all tensors of a file. Throws `CodescoreError("model")` that names the file. */
export async function readSafetensors(path: string): Promise<Tensors> {
  await checkModelFile(path, LARGEST.weights);
  try {
    return parseSafetensors(await readFile(path)).tensors;
  } catch (error) {
    const where = (await exists(path)) ? "" : whereLeftOut(path);
    throw new CodescoreError("model", `cannot read ${path}: ${messageOf(error)}${where}`, { cause: error });
  }
}

/** Throws if the bytes are not a safetensors file. */
export function parseSafetensors(bytes: Buffer): { tensors: Tensors; metadata: Readonly<Record<string, string>> } {
  const headerLength = Number(bytes.readBigUInt64LE(0));
  if (headerLength > bytes.length - 8) throw new Error("the file is shorter than its header says (cut off?)");
  const { __metadata__: metadata = {}, ...entries } = JSON.parse(bytes.toString("utf8", 8, 8 + headerLength));
  const tensors: Tensors = new Map();
  for (const [name, entry] of Object.entries(entries as Record<string, Entry>)) {
    tensors.set(name, readTensor(bytes.subarray(8 + headerLength), name, entry));
  }
  return { tensors, metadata };
}

function readTensor(body: Buffer, name: string, { dtype, shape, data_offsets: [from, to] }: Entry): Tensor {
  if (to > body.length) throw new Error(`tensor ${name} ends at byte ${to} of ${body.length} (cut off?)`);
  const format = NUMBER_FORMATS.find((name) => name === dtype);
  if (format === undefined) throw new Error(`tensor ${name} is ${dtype}; expected one of ${NUMBER_FORMATS.join(", ")}`);
  const count = shape.reduce((a, b) => a * b, 1);
  return { shape, data: toFloat32(body.subarray(from, to), format, count) };
}

/** Writes the whole file or nothing. */
export async function writeSafetensors(
  path: string,
  tensors: Tensors,
  metadata: Record<string, string> = {},
  dtype: "F32" | "F16" = "F32",
): Promise<void> {
  const header: Record<string, Entry | Record<string, string>> = { __metadata__: { format: "pt", ...metadata } };
  let offset = 0;
  const bodies: Buffer[] = [];
  for (const [name, { shape, data }] of tensors) {
    const { buffer, byteOffset, byteLength } = dtype === "F16" ? toHalf(data, name) : data;
    header[name] = { dtype, shape: [...shape], data_offsets: [offset, offset + byteLength] };
    bodies.push(Buffer.from(buffer, byteOffset, byteLength));
    offset += byteLength;
  }
  let json = JSON.stringify(header);
  json += " ".repeat((8 - (Buffer.byteLength(json) % 8)) % 8);
  const text = Buffer.from(json);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  await writeAtomic(path, [length, text, ...bodies]);
}
