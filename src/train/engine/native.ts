/**
 * Calls TensorFlow's own operations by name, on the native engine. For operations that TensorFlow.js lacks, or whose implementation there
 * reads values.
 */
import * as tf from "@tensorflow/tfjs";

interface NativeBackend {
  readonly binding: Readonly<Record<"TF_ATTR_TYPE" | "TF_ATTR_BOOL" | "TF_FLOAT" | "TF_INT32", number>>;
  executeSingleOutput(
    name: string,
    attributes: { readonly name: string; readonly type: number; readonly value: unknown }[],
    inputs: tf.Tensor[],
  ): tf.Tensor;
}

export const isNative = (): boolean => tf.getBackend() === "tensorflow";

/** Runs an operation with one output. Attributes are types or booleans. */
function run(
  name: string,
  attributes: Readonly<Record<string, "float32" | "int32" | boolean>>,
  inputs: tf.Tensor[],
): tf.Tensor {
  const backend = tf.backend() as unknown as NativeBackend;
  const { TF_ATTR_TYPE, TF_ATTR_BOOL, TF_FLOAT, TF_INT32 } = backend.binding;
  const list = Object.entries(attributes).map(([attribute, value]) =>
    typeof value === "boolean"
      ? { name: attribute, type: TF_ATTR_BOOL, value }
      : { name: attribute, type: TF_ATTR_TYPE, value: value === "float32" ? TF_FLOAT : TF_INT32 },
  );
  return backend.executeSingleOutput(name, list, inputs);
}

/** A plain matrix product. TensorFlow.js turns every product into a batched one, which is slower in oneDNN. */
export const matMul2d = (a: tf.Tensor, b: tf.Tensor, transposeA: boolean, transposeB: boolean): tf.Tensor =>
  run("MatMul", { T: "float32", transpose_a: transposeA, transpose_b: transposeB }, [a, b]);

/** x [n, width] plus a bias [width]. */
export const addBias = (x: tf.Tensor, bias: tf.Tensor): tf.Tensor => run("BiasAdd", { T: "float32" }, [x, bias]);

/** The sum of dy [n, width] over its rows. */
export const sumRows = (dy: tf.Tensor): tf.Tensor => run("BiasAddGrad", { T: "float32" }, [dy]);

/** Rows of a table: indices [...] -> [..., width]. TensorFlow.js' own version reads the indices to check them, which a graph cannot. */
export const gatherRows = (table: tf.Tensor, indices: tf.Tensor): tf.Tensor =>
  !isNative()
    ? tf.gather(table, indices as tf.Tensor1D)
    : run("GatherV2", { Tparams: "float32", Tindices: "int32", Taxis: "int32" }, [
        table,
        indices,
        tf.scalar(0, "int32"),
      ]);

/** Sums the rows of dy [n, width] by index [n] -> [count, width]. */
export const sumRowsByIndex = (dy: tf.Tensor, indices: tf.Tensor, count: number): tf.Tensor =>
  run("UnsortedSegmentSum", { T: "float32", Tindices: "int32", Tnumsegments: "int32" }, [
    dy,
    indices,
    tf.scalar(count, "int32"),
  ]);

/** Uniform random numbers in [0, 1) of a shape, determined by a seed [2] of int32. */
export const uniform = (shape: readonly number[], seed: tf.Tensor): tf.Tensor =>
  run("StatelessRandomUniform", { T: "int32", dtype: "float32", Tseed: "int32" }, [
    tf.tensor1d([...shape], "int32"),
    seed,
  ]);
