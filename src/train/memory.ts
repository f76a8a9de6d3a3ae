/** Estimates the memory of a training step, and the batch that fits after running out of it. */
import { spawnSync } from "node:child_process";
import { CodescoreError, messageOf } from "../errors.ts";
import { type ModelConfig, network, parameterSpecs } from "../model/index.ts";
import { memoryBytes } from "../util/memory.ts";
import { OutOfMemory } from "./engine/out-of-memory.ts";
import { shapeOps } from "./shapes.ts";

/** Properties of a run, besides the model, that determine the memory of a step. */
export interface StepMemoryOptions {
  /** Tokens of the longest sequence. */
  readonly length: number;
  readonly dropout: number;
  /** Decay of an average of the parameters. 0: no average. */
  readonly ema: number;
}

export interface StepMemory {
  /** Bytes independent of the batch: parameters, two moments and two gradients of each, and the average. */
  readonly fixed: number;
  /** Bytes of activations per row in a pass over one format. */
  readonly perRow: number;
  /** Bytes of the largest activation per row. */
  readonly largest: number;
}

/**
 * Peak memory of a step, from the shapes of all tensors that live until its gradient is done. Temporary values within an operation and an
 * engine's own reserves are not counted. A step recorded as a graph takes less.
 */
export function stepMemory(config: ModelConfig, { length, dropout, ema }: StepMemoryOptions): StepMemory {
  const parameters = parameterSpecs(config).reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0);
  let perRow = 0;
  let largest = 0;
  const ops = shapeOps(config, dropout, (size) => {
    perRow += 4 * size;
    largest = Math.max(largest, 4 * size);
  });
  const input = { shape: [1, length], learns: false };
  network(ops, config, { ids: input, mask: input, marks: input, levels: input });
  return { fixed: 4 * parameters * (ema > 0 ? 6 : 5), perRow, largest };
}

/** Out-of-memory messages of TensorFlow, JavaScript, and WebGPU when it creates a buffer. */
const NO_ROOM = /OOM when allocating|out of memory|array buffer allocation failed|invalid typed array length/i;

/** Out-of-memory messages of WebAssembly. It has 4 GiB, of which a quarter is lost between tensors and within operations. */
const NO_ROOM_IN_WASM = /memory access out of bounds|cannot enlarge memory|Aborted\(/i;
const WASM_ROOM = 3 * 2 ** 30;

/** Replaces an engine's out-of-memory error by one that names a batch that would fit. Returns other errors unchanged. */
export function withBatchThatFits(
  error: unknown,
  config: ModelConfig,
  options: StepMemoryOptions & { readonly batchTokens: number },
  memory: () => number = () => memoryOf(messageOf(error)),
): unknown {
  const inWasm = NO_ROOM_IN_WASM.test(messageOf(error));
  if (!(error instanceof OutOfMemory) && !inWasm && !NO_ROOM.test(messageOf(error))) return error;
  const room = error instanceof OutOfMemory ? error.room : { all: inWasm ? WASM_ROOM : memory() };
  const { batchTokens, length } = options;
  const { fixed, perRow, largest } = stepMemory(config, options);
  const rows = "one" in room ? room.one / largest : (room.all - fixed) / perRow;
  // If by the estimate the batch fits, something else used the memory. Then suggest half the batch.
  const tokens = Math.min(length * Math.floor(rows), Math.floor(batchTokens / 2));
  const needs = fixed + perRow * Math.max(1, Math.floor(batchTokens / length));
  const mend =
    tokens >= length
      ? `about --batch-tokens ${tokens} fits (with --accumulate ${Math.ceil(batchTokens / tokens)} an update has as many rows)`
      : `not even one sequence of ${length} tokens fits beside ${gigabytes(fixed)} for the model and its updates: use a smaller model or shorter sequences`;
  const more = inWasm
    ? "; WebAssembly can use 4 GiB, the engine that `codescore setup tensorflow` builds all memory"
    : "";
  return new CodescoreError(
    "infra",
    `not enough memory for a batch of ${batchTokens} tokens, which takes about ${gigabytes(needs)}: ${mend}${more} (${messageOf(error)})`,
    { cause: error },
  );
}

const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toPrecision(2)} GiB`;

/** Memory in bytes of the device that the message names: an NVIDIA card's own, otherwise the machine's or its container's. */
function memoryOf(message: string): number {
  if (/GPU/i.test(message)) {
    const query = ["--query-gpu=memory.total", "--format=csv,noheader,nounits"];
    const { status, stdout } = spawnSync("nvidia-smi", query, { encoding: "utf8" });
    if (status === 0) return 0.9 * Number.parseInt(stdout, 10) * 2 ** 20; // the driver keeps some
  }
  return memoryBytes();
}
