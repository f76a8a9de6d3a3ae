/**
 * Faster kernels for the WebAssembly engine that only move numbers (seen in tfjs-backend-wasm 4.22). A training step copies thousands of
 * tensors, so these took a fifth of its time:
 * - Identity copies its tensor, though tensors do not change. Here both share the memory, as after Reshape.
 * - Slice copies the whole tensor out of the engine's heap and back (`kernels/Slice.ts`). Here a contiguous slice copies its range within it.
 * - GatherV2 computes the place of every single number. Here rows of a table are copied whole.
 */
import * as tf from "@tensorflow/tfjs";

interface WasmBackend {
  readonly wasm: { readonly HEAPU8: Uint8Array };
  readonly dataIdMap: { get(dataId: object): { readonly memoryOffset: number } };
  incRef(dataId: object): void;
  makeOutput(shape: number[], dtype: tf.DataType): tf.TensorInfo;
}

/** Computes the output, or returns null if the engine's own kernel must. */
type Mover = (backend: WasmBackend, inputs: tf.NamedTensorInfoMap, attrs: object) => tf.TensorInfo | null;

/** The kernels that are already replaced. */
const replaced = new WeakSet<tf.KernelFunc>();

/** Replaces the kernels. Calling it again does no harm. */
export function replaceWasmKernels(): void {
  for (const [name, move] of Object.entries({ Identity: identity, Slice: slice, GatherV2: gather })) {
    const original = tf.getKernel(name, "wasm");
    if (original === undefined || replaced.has(original.kernelFunc)) continue;
    const kernelFunc: tf.KernelFunc = (call) =>
      move(call.backend as unknown as WasmBackend, call.inputs as tf.NamedTensorInfoMap, call.attrs as object) ??
      original.kernelFunc(call);
    replaced.add(kernelFunc);
    tf.unregisterKernel(name, "wasm");
    tf.registerKernel({ ...original, kernelFunc });
  }
}

const identity: Mover = (backend, { x }) => {
  const { dataId, shape, dtype } = x!;
  if (dtype === "string") return null;
  backend.incRef(dataId);
  return { dataId, shape, dtype };
};

const slice: Mover = (backend, inputs, attrs) => {
  const x = inputs.x!;
  const { begin, size } = attrs as { begin: number | number[]; size: number | number[] };
  const [from, extent] = tf.slice_util.parseSliceParams(x as tf.Tensor, begin, size) as [number[], number[]];
  const count = tf.util.sizeFromShape(extent);
  if (x.dtype === "string" || count === 0 || !tf.slice_util.isSliceContinous(x.shape, from, extent)) return null;
  const offset = tf.slice_util.computeFlatOffset(from, tf.util.computeStrides(x.shape));
  const out = backend.makeOutput(extent, x.dtype);
  const bytes = tf.util.bytesPerElement(x.dtype);
  const start = placeOf(backend, x) + offset * bytes;
  backend.wasm.HEAPU8.copyWithin(placeOf(backend, out), start, start + count * bytes);
  return out;
};

const gather: Mover = (backend, inputs, attrs) => {
  const [x, indices] = [inputs.x!, inputs.indices!];
  const { axis, batchDims } = attrs as { axis: number; batchDims: number };
  const [rows, ...row] = x.shape as [number, ...number[]];
  const bytes = tf.util.sizeFromShape(row) * (x.dtype === "string" ? 0 : tf.util.bytesPerElement(x.dtype));
  if (axis !== 0 || batchDims !== 0 || indices.dtype !== "int32" || x.shape.length < 2 || bytes < LONG) return null;
  const out = backend.makeOutput([...indices.shape, ...row], x.dtype);
  const [table, to] = [placeOf(backend, x), placeOf(backend, out)];
  // The output may have moved the heap, so it is read only now.
  const heap = backend.wasm.HEAPU8;
  const wanted = new Int32Array(heap.buffer, placeOf(backend, indices), tf.util.sizeFromShape(indices.shape));
  for (let i = 0; i < wanted.length; i++) {
    const index = wanted[i]!;
    if (index < 0 || index >= rows) throw new RangeError(`expected an index from 0 to ${rows - 1}, got ${index}`);
    heap.copyWithin(to + i * bytes, table + index * bytes, table + (index + 1) * bytes);
  }
  return out;
};

/** Bytes of a row that are copied faster than the engine computes their places. */
const LONG = 64;

const placeOf = (backend: WasmBackend, { dataId }: tf.TensorInfo): number => backend.dataIdMap.get(dataId).memoryOffset;
