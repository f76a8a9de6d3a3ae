/** How much memory a training step takes, and which batch fits where it was too little. */
import { spawnSync } from "node:child_process";
import { totalmem } from "node:os";
import { CodescoreError, messageOf } from "../errors.ts";
import { type ModelConfig, network, parameterSpecs } from "../model/index.ts";
import { OutOfMemory } from "./engine/out-of-memory.ts";
import { shapeOps } from "./shapes.ts";

/** What decides how much a step takes beside the model. */
export interface StepMemoryOptions {
  /** Tokens of the longest sequence. */
  readonly length: number;
  readonly dropout: number;
  /** Decay of an average of the parameters; with 0 there is none. */
  readonly ema: number;
}

export interface StepMemory {
  /** Bytes whatever the batch: parameters, two moments and two gradients of each, and the average. */
  readonly fixed: number;
  /** Bytes of activations for each row in a pass over one format. */
  readonly perRow: number;
  /** Bytes of the largest of these for each row. */
  readonly largest: number;
}

/**
 * The most that a step holds at a time, from the shapes of all that lives to the end of its gradient. Temporary values
 * within an operation are not counted, nor what an engine keeps aside; a step recorded as a graph takes less.
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
  network(ops, config, { ids: input, mask: input, marks: input });
  return { fixed: 4 * parameters * (ema > 0 ? 6 : 5), perRow, largest };
}

/** How the engines say it: TensorFlow, JavaScript, WebGPU when it makes a buffer; */
const NO_ROOM = /OOM when allocating|out of memory|array buffer allocation failed|invalid typed array length/i;

/** and WebAssembly, which has 4 GiB, of which a quarter is lost between tensors and within operations. */
const NO_ROOM_IN_WASM = /memory access out of bounds|cannot enlarge memory|Aborted\(/i;
const WASM_ROOM = 3 * 2 ** 30;

/** Replaces an engine's out-of-memory error by one that names the batch that would fit. Other errors come back as they are. */
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
  // Where the estimate says that it should have fitted, something else took the room: half of it, then.
  const tokens = Math.min(length * Math.floor(rows), Math.floor(batchTokens / 2));
  const needs = fixed + perRow * Math.max(1, Math.floor(batchTokens / length));
  const mend =
    tokens >= length
      ? `about --batch-tokens ${tokens} fits (with --accumulate ${Math.ceil(batchTokens / tokens)} an update sees as many rows)`
      : `not even one sequence of ${length} tokens fits beside ${gigabytes(fixed)} for the model and its updates: take a smaller model or shorter sequences`;
  const more = inWasm
    ? "; WebAssembly has 4 GiB, the engine that `codescore setup tensorflow` builds all there is"
    : "";
  return new CodescoreError(
    "infra",
    `too little memory for a batch of ${batchTokens} tokens, which takes about ${gigabytes(needs)}: ${mend}${more} (${messageOf(error)})`,
    { cause: error },
  );
}

const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toPrecision(2)} GiB`;

/** What the device that the message names has: an NVIDIA card's own memory, else the machine's or its container's. */
function memoryOf(message: string): number {
  if (/GPU/i.test(message)) {
    const query = ["--query-gpu=memory.total", "--format=csv,noheader,nounits"];
    const { status, stdout } = spawnSync("nvidia-smi", query, { encoding: "utf8" });
    if (status === 0) return 0.9 * Number.parseInt(stdout, 10) * 2 ** 20; // the driver keeps some
  }
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
