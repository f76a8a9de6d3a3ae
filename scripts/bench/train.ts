/**
 * Measures examples and GFLOP per second of a training step and of prediction, with each TensorFlow.js engine available here, and with
 * PyTorch on the same shapes in the same run. Run it on an idle machine.
 *
 * usage: npx vite-node scripts/bench/train.ts [--torch TORCH_UNICE.py --python PYTHON] [--device tensorflow|webgpu|wasm]
 *          [--layers 6 --hidden 384 --heads 6 --ffn 1536 --vocab 16000 --batch 16 --length 256 --steps 6] [--profile]
 * TORCH_UNICE.py prints PyTorch's figures for these shapes. `--profile` adds the time of each operation of an eager step.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import * as tf from "@tensorflow/tfjs";
import { checkConfig, initialise } from "../../src/model/index.ts";
import { AdamW } from "../../src/train/adamw.ts";
import { parametersOnDevice } from "../../src/train/checkpoint.ts";
import { type Device, openDevice } from "../../src/train/engine/device.ts";
import { Graphs } from "../../src/train/engine/graphs.ts";
import type { Example } from "../../src/train/examples.ts";
import { matrixParameters } from "../../src/train/flops.ts";
import { predict, type StepOptions, type Trainee, trainStep } from "../../src/train/step.ts";
import { Random } from "../../src/util/random.ts";

const shapes = { layers: 6, hidden: 384, heads: 6, ffn: 1536, vocab: 16000, batch: 16, length: 256, steps: 6 };
type Shape = keyof typeof shapes;
const names = Object.keys(shapes) as Shape[];
const { values } = parseArgs({
  options: {
    ...(Object.fromEntries(names.map((name) => [name, { type: "string" }])) as Record<Shape, { type: "string" }>),
    torch: { type: "string" },
    python: { type: "string", default: "python3" },
    device: { type: "string", default: "tensorflow" },
    profile: { type: "boolean", default: false },
  },
});
for (const name of names) if (values[name] !== undefined) shapes[name] = Number(values[name]);
const { layers, hidden, heads, ffn, vocab, batch, length, steps } = shapes;

if (values.torch !== undefined) {
  const given = names.flatMap((name) => [`--${name}`, String(shapes[name])]);
  const { stdout, stderr, status } = spawnSync(values.python, [values.torch, ...given], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${values.torch} failed: ${stderr}`);
  for (const line of stdout.trim().split("\n")) console.log(`PyTorch                        ${line}`);
}

console.log((await openDevice(values.device as Device)).note);
const config = checkConfig(
  {
    vocab_size: vocab,
    hidden_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    intermediate_size: ffn,
    max_position_embeddings: 1026,
    codescore: { pool: "first", channels: false, head_sizes: [3072, 1024], normalise: "none", empty_parts: "omit" },
  },
  "the benchmark's config",
);
const random = new Random(1);
const examples = Array.from(
  { length: batch },
  (_, i): Example => ({
    sampleId: `${i}`,
    taskId: `${i}`,
    kind: "llm",
    passRatio: random.float(),
    executable: random.chance(0.8) ? 1 : 0,
    weight: 1,
    ids: { ref: Array.from({ length }, () => random.int(3, vocab - 1)) },
  }),
);
const options: Omit<StepOptions, "step"> = {
  formats: ["ref"],
  dropout: 0,
  layerDropout: 0,
  clipNorm: 1,
  learningRate: 1e-4,
  loss: "mse",
  labelSmoothing: 0,
  rankingWeight: 0,
  rankingMargin: 0,
  contrastWeight: 0,
};

await measure("operation by operation", undefined);
if (tf.getBackend() === "tensorflow") {
  for (const bf16 of [false, true]) {
    await measure(`recorded, ${bf16 ? "bf16" : "f32"}`, new Graphs({ bf16, batchTokens: batch * length }));
  }
}

async function measure(name: string, graphs: Graphs | undefined): Promise<void> {
  const parameters = parametersOnDevice(initialise(config, 1));
  const trainee: Trainee = { config, parameters, ...(graphs && { graphs }) };
  const optimizer = new AdamW({ weightDecay: 0.01 });
  let step = 0;
  const train = () => {
    step += 1;
    return trainStep(trainee, optimizer, [examples], { ...options, step });
  };
  await report(`${name}: train`, 6, train);
  await report(`${name}: infer`, 2, () => predict(trainee, examples, "ref", batch * length));
  if (values.profile && graphs === undefined) await profile(train);
  tf.dispose([...parameters.values()]);
  optimizer.dispose();
  graphs?.dispose();
}

/** Counts like torch_unice.py: 6 floating-point operations (2 for inference) per matrix parameter and token. */
async function report(name: string, factor: number, work: () => Promise<unknown>): Promise<void> {
  await work();
  await work();
  const began = performance.now();
  for (let i = 0; i < steps; i++) await work();
  const seconds = (performance.now() - began) / 1000 / steps;
  const gigaflops = (factor * matrixParameters(config) * batch * length) / seconds / 1e9;
  console.log(
    `${name.padEnd(30)} ${(batch / seconds).toFixed(1).padStart(8)} examples/s ${gigaflops.toFixed(0).padStart(8)} GFLOP/s`,
  );
}

async function profile(work: () => Promise<unknown>): Promise<void> {
  const { kernels } = await tf.profile(async () => {
    await work();
    return [];
  });
  const times = new Map<string, { calls: number; ms: number }>();
  for (const { name, kernelTimeMs } of kernels) {
    const known = times.get(name) ?? { calls: 0, ms: 0 };
    times.set(name, { calls: known.calls + 1, ms: known.ms + Number(await kernelTimeMs) });
  }
  const sorted = [...times].sort(([, a], [, b]) => b.ms - a.ms);
  for (const [name, { calls, ms }] of sorted.slice(0, 20)) {
    console.log(`    ${name.padEnd(24)} ${String(calls).padStart(5)} calls ${ms.toFixed(1).padStart(9)} ms`);
  }
}
