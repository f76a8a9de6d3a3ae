/** Measures the ranges of the linear layers' inputs on some rows. They give the scales of the 8-bit form. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { encodeOptions, type ModelConfig, type Tensors } from "../model/index.ts";
import { readProblems } from "../problems/index.ts";
import { type Encoded, formatOf, loadTokenizer, makeEncoder } from "../tokenize/index.ts";
import type { ScoreInput } from "../types.ts";
import { packageRoot } from "../util/files.ts";
import { silenceOnnxruntime } from "../util/telemetry.ts";
import { buildGraph } from "./graph.ts";
import type { Range } from "./int8-ops.ts";
import { OnnxOps } from "./onnx-ops.ts";

/** Maximum rows to run, spread evenly over the given ones. With more, few layers' ranges still grow. */
const ROWS = 128;

class WatchedOps extends OnnxOps {
  /** Linear layer -> name of its input. */
  readonly inputs = new Map<string, string>();

  override linear(x: string, name: string, bias = true): string {
    this.inputs.set(name, x);
    return super.linear(x, name, bias);
  }
}

/**
 * Runs the model on rows, one at a time, and records the range of each linear layer's input, by layer.
 * @param folder folder of its tokenizer
 * @param rows if absent, pairs of solutions of the starter problems
 */
export async function activationRanges(
  folder: string,
  config: ModelConfig,
  tensors: Tensors,
  rows?: readonly ScoreInput[],
): Promise<Map<string, Range>> {
  const { InferenceSession, Tensor } = await openOnnxruntime();
  const encode = await makeEncoder(await loadTokenizer(folder), encodeOptions(config));
  const ops = new WatchedOps(tensors, config);
  const bytes = buildGraph(ops, config, "", () =>
    [...ops.inputs].flatMap(([layer, x]) => [
      ops.node("ReduceMin", [x], { keepdims: 0 }, `${layer}.min`),
      ops.node("ReduceMax", [x], { keepdims: 0 }, `${layer}.max`),
    ]),
  );
  const session = await InferenceSession.create(bytes, { logSeverityLevel: 3 });
  const ranges = new Map([...ops.inputs.keys()].map((layer) => [layer, { min: 0, max: 0 }]));
  for (const row of spread(rows ?? (await starterRows()), ROWS)) {
    const { ids, marks }: Encoded = encode(row, formatOf(row));
    const tensor = (values: readonly number[]) =>
      new Tensor("int64", BigInt64Array.from(values, BigInt), [1, values.length]);
    const mask = tensor(ids.map((_, i) => 1 + (marks?.[i] ?? 0)));
    const outputs = await session.run({ input_ids: tensor(ids), attention_mask: mask });
    const value = (name: string): number => Number(outputs[name]!.data[0]);
    for (const [layer, { min, max }] of ranges) {
      ranges.set(layer, { min: Math.min(min, value(`${layer}.min`)), max: Math.max(max, value(`${layer}.max`)) });
    }
  }
  await session.release();
  return ranges;
}

/** Opens the same build of onnxruntime that scoring uses here. */
async function openOnnxruntime(): Promise<typeof import("onnxruntime-common")> {
  silenceOnnxruntime();
  const loader = pathToFileURL(join(packageRoot, "src", "util", "onnxruntime.mjs")).href;
  const { loadOnnxruntime } = await import(loader);
  return (await loadOnnxruntime("cpu")).runtime;
}

/** Each starter problem's solution as candidate: once its own, and once the next problem's. */
async function starterRows(): Promise<ScoreInput[]> {
  const problems = [...(await readProblems([join(packageRoot, "datasets", "starter")])).values()];
  const solutions = problems.flatMap(({ references, description }) =>
    references.slice(0, 1).map((reference) => ({ reference, description })),
  );
  return solutions.flatMap((row, i) => [
    { ...row, candidate: row.reference },
    { ...row, candidate: solutions[(i + 1) % solutions.length]!.reference },
  ]);
}

function spread<T>(rows: readonly T[], count: number): T[] {
  const step = Math.max(1, rows.length / count);
  return Array.from({ length: Math.min(count, rows.length) }, (_, i) => rows[Math.floor(i * step)]!);
}
