/**
 * Writes a checkpoint folder's network as ONNX. The graph needs `input_ids` and `attention_mask` [batch, sequence]; parts
 * and cover levels are computed inside it. Its outputs `score` and `exec` [batch] are in [0, 1].
 */
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import {
  type ModelConfig,
  network,
  parameterSpecs,
  readConfig,
  readSafetensors,
  type Tensors,
} from "../model/index.ts";
import { packageVersion, writeAtomic } from "../util/files.ts";
import { OnnxOps, OPSET } from "./onnx-ops.ts";
import { encodeOnnx, FLOAT, INT64 } from "./proto.ts";

/**
 * Reads `config.json` and `model.safetensors` of a folder and writes `onnx/model.onnx` there; returns its path.
 * Throws `CodescoreError("model")` when the folder is no checkpoint or lacks parameters.
 */
export async function exportOnnx(folder: string): Promise<string> {
  const config = await readConfig(folder);
  const tensors = await readSafetensors(join(folder, "model.safetensors"));
  checkParameters(config, tensors, folder);
  const path = join(folder, "onnx", "model.onnx");
  await writeAtomic(path, buildOnnx(config, tensors, await packageVersion()));
  return path;
}

/** The bytes of the ONNX file of a network. */
export function buildOnnx(config: ModelConfig, tensors: Tensors, version: string): Uint8Array {
  const ops = new OnnxOps(tensors, config.layer_norm_eps);
  const ids = ops.node("Cast", ["input_ids"], { to: FLOAT }); // ids are compared and looked up; exact up to 2^24
  const mask = ops.node("Cast", ["attention_mask"], { to: FLOAT });
  const { scoreLogit, execLogit } = network(ops, config, { ids, mask });
  ops.node("Sigmoid", [scoreLogit], {}, "score");
  ops.node("Sigmoid", [execLogit], {}, "exec");
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
    ],
    opset: OPSET,
    producerVersion: version,
    metadata: {},
  });
}

function checkParameters(config: ModelConfig, tensors: Tensors, folder: string): void {
  for (const { name, shape } of parameterSpecs(config)) {
    const found = tensors.get(name);
    const came = found === undefined ? "nothing" : `[${found.shape}]`;
    if (came !== `[${shape}]`) {
      throw new CodescoreError("model", `${folder}: expected the parameter ${name} of shape [${shape}], got ${came}`);
    }
  }
}
