/**
 * Records the operations of a function on the native engine, and runs them again as one TensorFlow graph. TensorFlow.js calls TensorFlow
 * one operation at a time, a thousand per step, and each waits for the one before. In a graph TensorFlow sees all operations: it fuses and
 * reorders them, runs independent ones in parallel and reuses memory. Matrix products can also be computed by oneDNN in bfloat16. The graph
 * is loaded as a SavedModel, the only way to a graph in tfjs-node's binding.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs";
import { CodescoreError } from "../../errors.ts";
import { type AttributeValue, encodeSavedModel, type GraphNode } from "./graphdef.ts";

/** The parts of tfjs-node's backend and binding that this file uses (tfjs-node 4.22, `nodejs_kernel_backend.ts`). */
interface Meta {
  readonly id: number;
  readonly shape: number[];
  readonly dtype: number;
}

interface OpAttribute {
  readonly name: string;
  readonly type: number;
  readonly value: unknown;
}

interface Binding {
  executeOp(name: string, attributes: OpAttribute[], inputs: number[], outputs: number): Meta[];
  createTensor(shape: number[], dtype: number, values: ArrayBufferView): number;
  tensorDataSync(id: number): unknown;
  loadSavedModel(folder: string, tags: string): number;
  runSavedModel(model: number, inputs: number[], inputNames: string, outputNames: string): Meta[];
  deleteSavedModel(model: number): void;
  readonly TF_ATTR_STRING: number;
  readonly TF_ATTR_INT: number;
  readonly TF_ATTR_FLOAT: number;
  readonly TF_ATTR_BOOL: number;
  readonly TF_ATTR_TYPE: number;
  readonly TF_ATTR_SHAPE: number;
}

interface NativeBackend {
  binding: Binding;
  getInputTensorIds(tensors: readonly tf.Tensor[]): number[];
  createOutputTensor(meta: Meta): tf.Tensor;
}

/** TensorFlow's type numbers (types.proto). */
const FLOAT = 1;
const INT32 = 3;
const BFLOAT16 = 14;

const PRODUCTS = new Set(["MatMul", "BatchMatMulV2"]);

export interface GraphOptions {
  /** Rounds the factors of matrix products to bfloat16 (8 bits of precision), and sums in float32. */
  readonly bf16: boolean;
}

export class Graph {
  readonly #backend: NativeBackend;
  readonly #model: number;
  readonly #inputs: string;
  readonly #outputs: string;

  /**
   * Runs `work` once to record it. Everything that differs between runs must come from `inputs`, whose shapes are fixed and which `work`
   * uses directly. All other numbers become constants of the graph. Throws `CodescoreError("infra")` if `work` reads values, or uses a
   * tensor that is neither an input nor its own.
   */
  constructor(inputs: readonly tf.Tensor[], work: () => tf.Tensor[], { bf16 }: GraphOptions) {
    this.#backend = tf.backend() as unknown as NativeBackend;
    const { nodes, outputs } = record(this.#backend, inputs, work, bf16);
    this.#inputs = inputs.map((_, i) => `input_${i}:0`).join(",");
    this.#outputs = outputs.join(",");
    const folder = mkdtempSync(join(tmpdir(), "codescore-graph-"));
    try {
      writeFileSync(join(folder, "saved_model.pb"), encodeSavedModel(nodes));
      this.#model = this.#backend.binding.loadSavedModel(folder, "train");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Computes the outputs for other inputs with the recorded shapes, in the same order. */
  run(inputs: readonly tf.Tensor[]): tf.Tensor[] {
    const { binding } = this.#backend;
    const ids = this.#backend.getInputTensorIds(inputs);
    return binding
      .runSavedModel(this.#model, ids, this.#inputs, this.#outputs)
      .map((meta) => this.#backend.createOutputTensor(meta));
  }

  dispose(): void {
    this.#backend.binding.deleteSavedModel(this.#model);
  }
}

function record(
  backend: NativeBackend,
  inputs: readonly tf.Tensor[],
  work: () => tf.Tensor[],
  bf16: boolean,
): { nodes: GraphNode[]; outputs: string[] } {
  const { binding } = backend;
  const nodes: GraphNode[] = [];
  const known = new Map<number, string>(); // tensor id -> node:output
  const shortened = new Map<string, string>(); // node:output -> the same value in bfloat16
  const add = (
    op: string,
    from: readonly string[],
    attributes: Record<string, AttributeValue>,
    name?: string,
  ): string => {
    const unique = name ?? `n${nodes.length}`;
    nodes.push({ name: unique, op, inputs: from, attributes });
    return unique;
  };
  const cast = (value: string, from: number, to: number): string =>
    `${add("Cast", [value], { SrcT: { type: from }, DstT: { type: to } })}:0`;
  const short = (value: string): string => {
    const known = shortened.get(value) ?? cast(value, FLOAT, BFLOAT16);
    shortened.set(value, known);
    return known;
  };
  backend.getInputTensorIds(inputs).forEach((id, i) => {
    const { shape, dtype } = inputs[i]!;
    const type = dtype === "float32" ? FLOAT : INT32;
    known.set(id, `${add("Placeholder", [], { dtype: { type }, shape: { shape } }, `input_${i}`)}:0`);
  });
  const recorder: Binding = Object.create(binding, {
    executeOp: {
      value: (op: string, given: OpAttribute[], ids: number[], count: number): Meta[] => {
        const results = binding.executeOp(op, given, ids, count);
        const from = ids.map((id) => {
          const source = known.get(id);
          if (source === undefined) {
            throw new CodescoreError("infra", `a recorded ${op} takes a tensor that is not an input of the recording`);
          }
          return source;
        });
        const attributes = Object.fromEntries(
          given.map((attribute) => [attribute.name, attributeValue(binding, attribute)]),
        );
        // tfjs-node leaves the types of this operation to be inferred, but a graph needs them.
        if (op === "ExpandDims") Object.assign(attributes, { T: { type: results[0]!.dtype }, Tdim: { type: INT32 } });
        // The bias of a product is added in bfloat16 too, because TensorFlow fuses the two.
        const isShort = PRODUCTS.has(op) || (op === "BiasAdd" && shortened.has(from[0]!));
        if (bf16 && isShort && results[0]!.dtype === FLOAT) {
          const value = `${add(op, from.map(short), { ...attributes, T: { type: BFLOAT16 } })}:0`;
          const long = cast(value, BFLOAT16, FLOAT);
          shortened.set(long, value);
          known.set(results[0]!.id, long);
          return results;
        }
        const name = add(op, from, attributes);
        for (const [i, { id }] of results.entries()) known.set(id, `${name}:${i}`);
        return results;
      },
    },
    createTensor: {
      value: (shape: number[], dtype: number, values: ArrayBufferView): number => {
        const id = binding.createTensor(shape, dtype, values);
        const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength).slice();
        known.set(id, `${add("Const", [], { dtype: { type: dtype }, value: { tensor: { dtype, shape, bytes } } })}:0`);
        return id;
      },
    },
    tensorDataSync: {
      value: () => {
        throw new CodescoreError("infra", "a recorded function reads the values of a tensor");
      },
    },
  });
  backend.binding = recorder;
  try {
    const outputs = tf.tidy(() =>
      backend.getInputTensorIds(work()).map((id) => `${add("Identity", [known.get(id)!], { T: { type: FLOAT } })}:0`),
    );
    return { nodes, outputs };
  } finally {
    backend.binding = binding;
  }
}

function attributeValue(binding: Binding, { name, type, value }: OpAttribute): AttributeValue {
  switch (type) {
    case binding.TF_ATTR_TYPE:
      return { type: value as number };
    case binding.TF_ATTR_BOOL:
      return { bool: value as boolean };
    case binding.TF_ATTR_INT:
      return Array.isArray(value) ? { ints: value as number[] } : { int: value as number };
    case binding.TF_ATTR_FLOAT:
      return { float: value as number };
    case binding.TF_ATTR_STRING:
      return { string: value as string };
    case binding.TF_ATTR_SHAPE:
      return { shape: value as number[] };
    default:
      throw new CodescoreError("infra", `a recorded operation has the attribute ${name} of an unknown kind`);
  }
}
