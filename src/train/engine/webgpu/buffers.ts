/** Reuses the GPU's buffers. To create one costs more than most operations. */
import type { WebGPUBackend } from "@tensorflow/tfjs-backend-webgpu";

/** Maximum bytes of all buffers, used and freed, as a multiple of the most bytes that were ever in use. */
const POOL = 1.5;

/** A freed buffer serves a tensor of at least this share of its size. */
const FIT = 0.6;

/** Below this size, any freed buffer serves. */
const SMALL = 4096;

/** The usage of tensors. Buffers of other usages are read or written as a whole, so they must have the right size. */
const TENSOR = 4 | 8 | 128; // COPY_SRC, COPY_DST, STORAGE

/**
 * The backend's buffer manager. The backend's own reuses a buffer only for a tensor of exactly its size. Batches of many lengths then
 * create thousands of buffers in each step. This one takes the smallest freed buffer that is large enough and not much too large. The
 * longest unused ones are destroyed when there are too many.
 */
export class BufferPool {
  numBytesUsed = 0;
  numBytesAllocated = 0;
  readonly #device: GPUDevice;
  /** Freed buffers by usage, sorted by size, then by the time when they were freed. */
  readonly #free = new Map<number, Freed[]>();
  readonly #used = new Map<GPUBuffer, number>();
  #most = 0;
  #clock = 0;

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  acquireBuffer(size: number, usage: number, mappedAtCreation = false, reuse = true): GPUBuffer {
    const freed = reuse ? this.#take(size, usage) : undefined;
    this.#most = Math.max(this.#most, this.numBytesUsed + (freed?.size ?? size));
    if (freed === undefined) this.#shrink(size);
    const buffer = freed?.buffer ?? this.#device.createBuffer({ size, usage, mappedAtCreation });
    if (freed === undefined) this.numBytesAllocated += size;
    this.#used.set(buffer, freed?.size ?? size);
    this.numBytesUsed += freed?.size ?? size;
    return buffer;
  }

  releaseBuffer(buffer: GPUBuffer, reuse = true): void {
    const size = this.#used.get(buffer);
    if (size === undefined) throw new RangeError("a buffer is released twice");
    this.#used.delete(buffer);
    this.numBytesUsed -= size;
    if (reuse) {
      const list = this.#free.get(buffer.usage) ?? [];
      this.#free.set(buffer.usage, list);
      list.splice(placeOf(list, size + 1), 0, { buffer, size, freed: this.#clock++ });
    } else {
      buffer.destroy();
      this.numBytesAllocated -= size;
    }
  }

  #take(size: number, usage: number): Freed | undefined {
    const list = this.#free.get(usage) ?? [];
    let place = placeOf(list, size);
    const smallest = list[place];
    if (smallest === undefined) return undefined;
    if (size < (usage === TENSOR ? FIT * smallest.size - SMALL : smallest.size)) return undefined;
    while (list[place + 1]?.size === smallest.size) place += 1; // the one freed last
    return list.splice(place, 1)[0];
  }

  /** Destroys freed buffers until another of `size` bytes may be created. */
  #shrink(size: number): void {
    let over = this.numBytesAllocated + size - POOL * this.#most;
    if (over <= 0) return;
    const oldest = [...this.#free.values()].flat().sort((a, b) => a.freed - b.freed);
    const gone = new Set<Freed>();
    for (const one of oldest) {
      if (over <= 0) break;
      one.buffer.destroy();
      gone.add(one);
      this.numBytesAllocated -= one.size;
      over -= one.size;
    }
    for (const [usage, list] of this.#free) {
      this.#free.set(
        usage,
        list.filter((one) => !gone.has(one)),
      );
    }
  }

  dispose(): void {
    for (const { buffer } of [...this.#free.values()].flat()) buffer.destroy();
    for (const buffer of this.#used.keys()) buffer.destroy();
    this.#free.clear();
    this.#used.clear();
    this.numBytesUsed = 0;
    this.numBytesAllocated = 0;
  }
}

interface Freed {
  readonly buffer: GPUBuffer;
  readonly size: number;
  /** Order in which buffers were freed. */
  readonly freed: number;
}

/** The first place in a list sorted by size whose size is at least `size`. */
function placeOf(list: readonly Freed[], size: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.size < size) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The backend's parts that its types hide. */
interface Internals {
  bufferManager: BufferPool;
  makeUniforms(values: readonly Uniform[]): Bound;
  readonly uniformPendingDisposal: GPUBuffer[];
  readonly tensorMap: { get(id: object): TensorData | undefined };
  uploadToGPU(id: object): void;
}

interface TensorData {
  readonly shape: number[];
  readonly dtype: string;
  values: ArrayLike<number> | null;
  resource?: GPUBuffer | null;
}

interface Uniform {
  readonly type: string;
  readonly data: readonly number[];
}

interface Bound {
  readonly offset: number;
  readonly size: number;
  readonly buffer: GPUBuffer;
}

/** Uniforms to keep. A step of 24 layers has about 10,000. */
const UNIFORMS = 16384;

/** How often uniforms must have been seen to be kept. The seeds of dropout are used twice, and never again. */
const OFTEN = 3;

/** Lets the backend reuse buffers of tensors, buffers of uniforms, and the layouts of pipelines. */
export function reuseBuffers(backend: WebGPUBackend): void {
  const internals = backend as unknown as Internals;
  const { device } = backend;
  internals.bufferManager = new BufferPool(device);

  // The backend would create a buffer for each upload. The queue has memory of its own for that.
  const uploadToGPU = internals.uploadToGPU.bind(backend);
  internals.uploadToGPU = (id) => {
    const data = internals.tensorMap.get(id);
    if (!data?.values || data.resource) return uploadToGPU(id);
    const values = data.dtype === "float32" ? Float32Array.from(data.values) : Int32Array.from(data.values);
    data.resource = internals.bufferManager.acquireBuffer(values.byteLength, TENSOR);
    device.queue.writeBuffer(data.resource, 0, values);
    data.values = null;
  };

  // A buffer may be larger than its tensor, so reading it gives more values.
  const read = backend.read.bind(backend);
  backend.read = async (id) => {
    const values = await read(id);
    const data = internals.tensorMap.get(id);
    if (data === undefined || !ArrayBuffer.isView(values)) return values;
    const size = data.shape.reduce((a, b) => a * b, 1);
    const cut = (values as Float32Array).length > size ? (values as Float32Array).slice(0, size) : values;
    data.values = cut as Float32Array;
    return cut;
  };

  const kept = new Map<string, Bound>();
  const seen = new Map<string, number>();
  const makeUniforms = internals.makeUniforms.bind(backend);
  internals.makeUniforms = (values) => {
    const key = values.map(({ type, data }) => `${type[0]}${data.join()}`).join(" ");
    const known = kept.get(key);
    if (known !== undefined) return known;
    const times = (seen.get(key) ?? 0) + 1;
    if (seen.size === 4 * UNIFORMS) seen.clear();
    seen.set(key, times);
    if (times < OFTEN) return makeUniforms(values);
    seen.delete(key);
    if (kept.size === UNIFORMS) {
      internals.uniformPendingDisposal.push(...[...kept.values()].map(({ buffer }) => buffer));
      kept.clear();
    }
    const made = makeUniforms(values);
    internals.uniformPendingDisposal.pop(); // the backend would free it with the next submission
    kept.set(key, made);
    return made;
  };

  const createComputePipeline = device.createComputePipeline.bind(device);
  device.createComputePipeline = (descriptor) => {
    const pipeline = createComputePipeline(descriptor);
    const layout = pipeline.getBindGroupLayout(0);
    pipeline.getBindGroupLayout = () => layout;
    return pipeline;
  };
}
