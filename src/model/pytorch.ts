/**
 * Reads PyTorch's `pytorch_model.bin`, a state dict written by torch.save. It is the zip of PyTorch 1.6 and later (`data.pkl`, `byteorder`,
 * one file per storage) or the older sequence of pickles, which much of the hub still uses. Never runs code from the file (`pickle.ts`).
 * Source: torch/serialization.py, `_save`, `_legacy_save`; torch/_utils.py, `_rebuild_*`.
 */
import { CodescoreError, messageOf } from "../errors.ts";
import { type ByteFile, withByteFile } from "./bytes.ts";
import { bytesOf, type NumberFormat, toFloat32 } from "./numbers.ts";
import type { Tensor, Tensors } from "./parameters.ts";
import { type PickleFunction, type PickleWorld, unpickle } from "./pickle.ts";
import { readZipDirectory, zipDataStart } from "./zip.ts";

interface Storage {
  readonly format: NumberFormat;
  readonly key: string;
  /** How many numbers it holds. */
  readonly count: number;
}

/** A tensor as it is saved: a view of a storage, which other tensors may share. Offset and strides count numbers, not bytes. */
interface View {
  readonly storage: Storage;
  readonly offset: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}

interface Checkpoint {
  readonly content: unknown;
  /** The byte range of a storage in the file. */
  locate(key: string): Promise<{ from: number; size: number }>;
}

const STORAGES: Readonly<Record<string, NumberFormat>> = {
  DoubleStorage: "F64",
  FloatStorage: "F32",
  HalfStorage: "F16",
  BFloat16Storage: "BF16",
  LongStorage: "I64",
  IntStorage: "I32",
  ShortStorage: "I16",
  CharStorage: "I8",
  ByteStorage: "U8",
  BoolStorage: "BOOL",
};

/** Content of the first pickle in the old format (`MAGIC_NUMBER` in torch/serialization.py). */
const LEGACY_MAGIC = 0x1950a86a20f9469cfc6cn;
/** Maximum bytes of pickles before the numbers in the old format. Those of thousands of parameters fit. */
const LEGACY_PICKLES = 2 ** 24;

const CONVERT =
  "convert it with a current PyTorch: `torch.save(torch.load(FILE, map_location='cpu'), 'pytorch_model.bin')`";

/** All tensors of a file, as float32. Throws `CodescoreError("model")` that names the file. */
export async function readPytorch(path: string): Promise<Tensors> {
  try {
    return await withByteFile(path, readTensors);
  } catch (error) {
    throw new CodescoreError("model", `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
}

async function readTensors(file: ByteFile): Promise<Tensors> {
  const start = await file.read(0, Math.min(file.size, 512));
  const zip = start.subarray(0, 2).toString("latin1") === "PK";
  if (!zip && start[0] !== 0x80) {
    const kind = start.toString("latin1", 257, 262) === "ustar" ? "a tar file of PyTorch before 0.2" : "something else";
    throw new Error(`expected a file of torch.save, got ${kind}; ${CONVERT}`);
  }
  const { content, locate } = await (zip ? openZip(file) : openLegacy(file));
  if (!(content instanceof Map)) throw new Error("expected a state dict (names to tensors); save `model.state_dict()`");
  const tensors: Tensors = new Map();
  for (const [name, view] of content) {
    if (!isView(view)) {
      throw new Error(
        `expected a state dict (names to tensors), but ${name} is not a tensor; save \`model.state_dict()\``,
      );
    }
    const storage = await locate(view.storage.key);
    tensors.set(String(name), await readView(file, storage, view, String(name)));
  }
  return tensors;
}

async function openZip(file: ByteFile): Promise<Checkpoint> {
  const entries = await readZipDirectory(file);
  // The folder has the name of the file that torch.save first wrote.
  const pickle = [...entries.keys()].find((name) => /^[^/]+\/data\.pkl$/.test(name));
  if (pickle === undefined) throw new Error("it is a zip archive without data.pkl, so torch.save did not write it");
  const folder = pickle.slice(0, -"data.pkl".length);
  const locate = async (name: string): Promise<{ from: number; size: number }> => {
    const entry = entries.get(folder + name);
    if (entry === undefined) throw new Error(`it lacks ${folder}${name}`);
    return { from: await zipDataStart(file, entry), size: entry.size };
  };
  const readAll = async (name: string): Promise<Buffer> => {
    const { from, size } = await locate(name);
    return file.read(from, size);
  };
  if (entries.has(`${folder}byteorder`)) checkEndian((await readAll("byteorder")).toString() === "little");
  const { value } = unpickle(await readAll("data.pkl"), 0, WORLD);
  return { content: value, locate: (key) => locate(`data/${key}`) };
}

async function openLegacy(file: ByteFile): Promise<Checkpoint> {
  const head = await file.read(0, Math.min(file.size, LEGACY_PICKLES));
  const storages = new Map<string, Storage>();
  const world: PickleWorld = {
    ...WORLD,
    load: (id) => {
      const storage = loadStorage(id);
      storages.set(storage.key, storage);
      return storage;
    },
  };
  let at = 0;
  const next = (): unknown => {
    const { value, end } = unpickle(head, at, world);
    at = end;
    return value;
  };
  if (next() !== LEGACY_MAGIC) throw new Error(`it is a pickle, but torch.save did not write it; ${CONVERT}`);
  next(); // the format's version, always 1001
  const system = next();
  checkEndian(system instanceof Map && system.get("little_endian") === true);
  const content = next();
  const keys = next();
  const places = new Map<string, { from: number; size: number }>();
  for (const key of Array.isArray(keys) ? keys : []) {
    const storage = storages.get(String(key));
    if (storage === undefined) throw new Error(`no tensor uses its storage ${key}, so the size of that is unknown`);
    const size = storage.count * bytesOf(storage.format);
    places.set(storage.key, { from: at + 8, size }); // after the count, an int64
    at += 8 + size;
  }
  const locate = async (key: string): Promise<{ from: number; size: number }> => {
    const place = places.get(key);
    if (place === undefined) throw new Error(`it lacks the storage ${key}`);
    return place;
  };
  return { content, locate };
}

function checkEndian(little: boolean): void {
  if (!little)
    throw new Error(`its numbers are big-endian; expected little-endian; ${CONVERT} on an x86 or ARM machine`);
}

const isStorage = (x: unknown): x is Storage => typeof x === "object" && x !== null && "format" in x;
const isView = (x: unknown): x is View => typeof x === "object" && x !== null && "strides" in x;

const rebuildTensor: PickleFunction = ([storage, offset, shape, strides]): View => {
  const sizes = [offset, ...(Array.isArray(shape) ? shape : [null]), ...(Array.isArray(strides) ? strides : [null])];
  if (!isStorage(storage) || !sizes.every((size) => Number.isSafeInteger(size) && size >= 0)) {
    throw new Error("its pickle has another value where a tensor is expected");
  }
  return { storage, offset: offset as number, shape: shape as number[], strides: strides as number[] };
};

/** The globals that the pickles of state dicts use. As of PyTorch 2, `torch.save` writes no others for parameters. */
const FUNCTIONS: Readonly<Record<string, PickleFunction>> = {
  "collections.OrderedDict": () => new Map(),
  "torch._utils._rebuild_tensor_v2": rebuildTensor,
  "torch._utils._rebuild_parameter": ([tensor]) => tensor,
};

const WORLD: PickleWorld = {
  find: (name) => {
    if (Object.hasOwn(FUNCTIONS, name)) return FUNCTIONS[name];
    const storage = name.replace(/^torch\./, "");
    if (name !== storage && Object.hasOwn(STORAGES, storage)) return STORAGES[storage];
    throw new Error(`its pickle imports ${name}, which no state dict needs; it was not executed`);
  },
  load: loadStorage,
};

/** A storage id: `("storage", type, key, location, numbers)`. The old format appends a view of another storage, or null. */
function loadStorage(id: unknown): Storage {
  const [kind, format, key, , count, view = null] = Array.isArray(id) ? id : [];
  if (
    kind !== "storage" ||
    !Object.values(STORAGES).includes(format) ||
    !Number.isSafeInteger(count) ||
    view !== null
  ) {
    throw new Error(`its pickle refers to ${JSON.stringify(id)}; expected a storage of numbers; ${CONVERT}`);
  }
  return { format, key: String(key), count };
}

/** The view's numbers in row-major order. */
async function readView(
  file: ByteFile,
  { from, size }: { from: number; size: number },
  { storage, offset, shape, strides }: View,
  name: string,
): Promise<Tensor> {
  if (shape.includes(0)) return { shape, data: new Float32Array(0) };
  const reach = 1 + shape.reduce((sum, length, axis) => sum + (length - 1) * strides[axis]!, 0);
  const width = bytesOf(storage.format);
  if ((offset + reach) * width > size || shape.length !== strides.length) {
    throw new Error(`${name} extends beyond its storage of ${size} bytes (cut off?)`);
  }
  const values = toFloat32(await file.read(from + offset * width, reach * width), storage.format, reach);
  return { shape, data: isContiguous(shape, strides) ? values : gather(values, shape, strides) };
}

function isContiguous(shape: readonly number[], strides: readonly number[]): boolean {
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (shape[axis] !== 1 && strides[axis] !== step) return false;
    step *= shape[axis]!;
  }
  return true;
}

function gather(values: Float32Array, shape: readonly number[], strides: readonly number[]): Float32Array {
  const data = new Float32Array(shape.reduce((a, b) => a * b, 1));
  const index = shape.map(() => 0);
  let at = 0;
  for (let i = 0; i < data.length; i++) {
    data[i] = values[at]!;
    // Moves to the next index, last axis first, as an odometer counts.
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      index[axis]! += 1;
      at += strides[axis]!;
      if (index[axis]! < shape[axis]!) break;
      at -= strides[axis]! * shape[axis]!;
      index[axis] = 0;
    }
  }
  return data;
}
