/**
 * The network as an ONNX file. Inputs `input_ids` and `attention_mask` [batch, sequence] (int64). The mask is 0 on padding and 1 on tokens,
 * or 1 + its static mark on a token that has one (`languages/python/check/marks.ts`), so that a caller without marks can pass a plain mask.
 * (An initializer with an input's name would make a third input optional, but ONNX Runtime for Node.js then ignores the values fed to it.)
 * Outputs `score` and `exec` [batch] (float) in [0, 1].
 */
import { type ModelConfig, network } from "../model/index.ts";
import { type OnnxOps, OPSET } from "./onnx-ops.ts";
import { encodeOnnx, FLOAT, INT64 } from "./proto.ts";

/**
 * Builds the bytes of an .onnx file.
 * @param ops operations that write the network in their form; not used before
 * @param watch adds nodes for more outputs, scalars, and returns their names
 */
export function buildGraph(
  ops: OnnxOps,
  config: ModelConfig,
  version: string,
  watch: () => readonly string[] = () => [],
): Uint8Array {
  const ids = ops.node("Cast", ["input_ids"], { to: FLOAT }); // ids are compared and looked up as floats; exact up to 2^24
  const given = ops.node("Cast", ["attention_mask"], { to: FLOAT });
  const { static_marks: withMarks } = config.codescore;
  const mask = withMarks ? ops.atMost(given, 1) : given;
  const marks = withMarks ? ops.node("Sub", [given, mask]) : undefined;
  const { scoreLogit, execLogit } = network(ops, config, { ids, mask, marks });
  ops.node("Sigmoid", [scoreLogit], {}, "score");
  ops.node("Sigmoid", [execLogit], {}, "exec");
  const watched = watch();
  const used = new Set(ops.nodes.flatMap(({ inputs }) => inputs));
  const sequence = ["batch", "sequence"];
  return encodeOnnx({
    nodes: ops.nodes,
    initializers: [...ops.initializers.values()].filter(({ name }) => used.has(name)),
    inputs: [
      { name: "input_ids", type: INT64, dims: sequence },
      { name: "attention_mask", type: INT64, dims: sequence },
    ],
    outputs: [
      { name: "score", type: FLOAT, dims: ["batch"] },
      { name: "exec", type: FLOAT, dims: ["batch"] },
      ...watched.map((name) => ({ name, type: FLOAT, dims: [] }) as const),
    ],
    opset: OPSET,
    producerVersion: version,
    metadata: {},
  });
}
