/** The stages of a box. Each prints what it does and how it ended. */
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { counted } from "../../util/counted.ts";
import { exists, readJson, writeAtomic } from "../../util/files.ts";
import { locked } from "../../util/lock.ts";
import { duration } from "../../util/progress.ts";
import { type Device, type OpenedDevice, openDevice, SOFTWARE } from "../engine/device.ts";
import { findGpu, withoutGpu } from "../engine/webgpu.ts";
import type { LogLine } from "../log.ts";
import { runPrepared } from "../run.ts";
import { type Bench, benchSteps, matmulGigaflops } from "./bench.ts";
import { collect, lastAsBest } from "./collect.ts";
import { announceNvidia, nvidiaCards, systemLine, vulkanLines } from "./machine.ts";
import { type OpenedPack, openPack, optionsOf } from "./open.ts";
import { peakTeraflops } from "./peaks.ts";
import { PARTS, type RunFile } from "./run-file.ts";
import type { Settings } from "./settings.ts";
import { largestDifference, lossFalls, type SmokeStep, smokeSteps } from "./smoke.ts";
import { torchSpeed } from "./torch.ts";

export const STAGES = ["check", "smoke", "bench", "train", "collect"] as const;
export type Stage = (typeof STAGES)[number];

/** Maximum relative difference of losses and gradient norms. Measured in docs/gpu-box.md. */
const TOLERANCE = 1e-2;

/** Part of the given time that is reserved for the last step, its checkpoint and the results: this share, but at most this many seconds. */
const RESERVE = { share: 0.1, most: 90 };

interface Box {
  readonly folder: string;
  readonly settings: Settings;
  readonly run: RunFile;
  readonly say: (line: string) => void;
  /** The folder of each model to train, and its seed. */
  readonly models: readonly { readonly out: string; readonly seed: number }[];
}

/** Runs all stages, or only the named one. Every stage except `collect` needs `check`, which then runs first. Returns the exit code. */
export async function runStages(folder: string, settings: Settings, only: Stage | null): Promise<number> {
  const began = Date.now();
  const run = (await readJson(join(folder, PARTS.run))) as RunFile;
  mkdirSync(settings.output, { recursive: true });
  const log = join(settings.output, "box.log");
  const say = (line: string): void => {
    process.stdout.write(`${line}\n`);
    appendFileSync(log, `${line}\n`);
  };
  const at = join(settings.output, run.name);
  const models =
    run.seeds === null
      ? [{ out: at, seed: run.options.seed }]
      : run.seeds.map((seed) => ({ out: join(at, `seed-${seed}`), seed }));
  const box: Box = { folder, settings, run, say, models };
  const wanted = (stage: Stage): boolean => only === null || only === stage;
  return locked(at, async () => {
    let ended: Ended = "finished";
    if (only !== "collect") {
      const pack = await openPack(folder);
      const device = await check(box, pack);
      try {
        if (wanted("smoke")) await smoke(box, pack);
        if (wanted("bench")) await bench(box, pack, device, only === "bench");
        if (wanted("train")) ended = await trainAll(box, pack, device, began);
      } finally {
        device.close();
      }
    }
    if (ended === "SIGINT" || ended === "SIGTERM") return ended === "SIGINT" ? 130 : 143; // whoever sent the signal may not wait for results
    if (wanted("collect")) await gather(box);
    if (ended !== "finished") say("not finished: run the same command again to continue from the last step");
    say(`done in ${duration((Date.now() - began) / 1000)}`);
    return 0;
  });
}

const heading = ({ say }: Box, stage: Stage): void => say(`== ${stage}`);

async function check(box: Box, { run, prepared, bytes }: OpenedPack): Promise<OpenedDevice> {
  const { say, settings, folder } = box;
  heading(box, "check");
  say(`system   ${systemLine()}`);
  say(`cards    ${(await nvidiaCards()) ?? "nvidia-smi finds none"}`);
  const rows = prepared.trainSets.flat().length;
  say(`data     ${counted(rows, "row")} for training, ${prepared.devSet.length} for dev; ${bytes} bytes, as packed`);
  const { num_hidden_layers: layers, hidden_size: width, vocab_size: vocabulary } = prepared.config;
  const { steps, batchTokens, formats } = run.options;
  say(
    `model    ${layers} x ${width}, vocabulary ${vocabulary}; ${counted(steps, "step")} of ${batchTokens} tokens in ${formats}`,
  );
  const device = await openEngine(settings.device ?? (run.options.device === "auto" ? null : run.options.device), box);
  say(`engine   ${device.note}`);
  await writeNote(box, "check", { system: systemLine(), engine: device.note, folder });
  return device;
}

/** Opens the requested engine, otherwise WebGPU on a GPU. Never chooses a slower one by itself. */
async function openEngine(asked: Device | null, { folder, say }: Box): Promise<OpenedDevice> {
  if (asked === "tensorflow") {
    throw new CodescoreError("usage", "a pack has no TensorFlow: CODESCORE_DEVICE may be webgpu, wasm or cpu");
  }
  if (asked === "wasm" || asked === "cpu") return openDevice(asked);
  const announced = await announceNvidia(folder);
  if (announced !== null) say(`         ${announced}`);
  const gpu = await findGpu();
  if (gpu !== null && (asked === "webgpu" || !gpu.software)) return openDevice("webgpu");
  for (const line of vulkanLines()) say(`         ${line}`);
  const found = gpu === null ? withoutGpu(process.platform) : `WebGPU finds no GPU but ${gpu.name}, ${SOFTWARE}`;
  throw new CodescoreError("environment", `${found}. Set CODESCORE_DEVICE=webgpu or wasm to run without a GPU, slowly`);
}

async function smoke(box: Box, { run, prepared }: OpenedPack): Promise<void> {
  heading(box, "smoke");
  const steps = await smokeSteps(optionsOf(run, box.settings.output), prepared);
  const recorded = run.smoke.steps;
  const difference = largestDifference(steps, recorded);
  const losses = (those: readonly SmokeStep[]): string => those.map(({ loss }) => loss.toFixed(5)).join(" ");
  box.say(`losses   ${losses(steps)}`);
  box.say(`recorded ${losses(recorded)} (${run.smoke.engine})`);
  box.say(`largest difference of losses and gradients: ${(100 * difference).toPrecision(2)}%`);
  await writeNote(box, "smoke", { steps, recorded, difference });
  if (!(difference <= TOLERANCE)) {
    throw new CodescoreError(
      "infra",
      `this engine's results differ from those at packing by more than ${100 * TOLERANCE}%; try another driver`,
    );
  }
  if (lossFalls(recorded) && !lossFalls(steps)) throw new CodescoreError("infra", "the loss does not decrease");
}

/** Measures once per output folder and engine, or again if requested. */
async function bench(box: Box, { run, prepared }: OpenedPack, device: OpenedDevice, again: boolean): Promise<void> {
  const { say, settings } = box;
  heading(box, "bench");
  const path = join(settings.output, "bench.json");
  if (!again && (await exists(path)) && ((await readJson(path)) as { engine?: string }).engine === device.note) {
    say("already measured (`sh run.sh bench` measures again)");
    return;
  }
  const options = optionsOf(run, settings.output);
  const ours = await benchSteps(options, prepared, settings.benchSeconds);
  const isSlow = device.name !== "webgpu" || device.note.includes(SOFTWARE);
  const product = await matmulGigaflops(isSlow ? 256 : 4096, Math.min(2, settings.benchSeconds));
  const peak = settings.peakTeraflops ?? peakTeraflops((await nvidiaCards()) ?? device.note);
  const { tokensPerSecond, gigaflopsPerSecond } = ours.speed;
  const ofPeak = peak === null ? null : gigaflopsPerSecond / 1000 / peak;
  say(
    `here     ${tokensPerSecond.toFixed(0)} tokens/s, ${gigaflopsPerSecond.toFixed(1)} GFLOP/s, ${share(ofPeak, peak)}`,
  );
  say(`         one matrix product: ${product.toFixed(0)} GFLOP/s`);
  const whole = ours.secondsPerStep * options.steps * box.models.length;
  say(`         ${ours.secondsPerStep.toFixed(3)} s per step: the run takes about ${duration(whole)}, without dev`);
  const torch = await besideTorch(box, ours, prepared.config);
  await writeNote(box, "bench", {
    engine: device.note,
    ...ours,
    matmulGigaflops: product,
    peakTeraflops: peak,
    ofPeak,
    torch,
  });
}

const share = (ofPeak: number | null, peak: number | null): string =>
  ofPeak === null
    ? "of an unknown peak (set CODESCORE_PEAK_TFLOPS)"
    : `${(100 * ofPeak).toFixed(1)}% of the card's peak in float32, ${peak} TFLOP/s in its data sheet`;

async function besideTorch({ say, settings, folder }: Box, ours: Bench, config: OpenedPack["prepared"]["config"]) {
  const script = join(folder, PARTS.torchPeer);
  const { python, benchSeconds } = settings;
  const torch = await torchSpeed({ python, script, seconds: Math.min(10, benchSeconds) }, config, ours.passes);
  if (typeof torch === "string") {
    say(`PyTorch  not measured: ${torch}`);
    return torch;
  }
  say(`PyTorch  ${torch.name}`);
  for (const { precision, tokensPerSecond, matmulGigaflops: product } of torch.speeds) {
    const times = (tokensPerSecond / ours.speed.tokensPerSecond).toPrecision(2);
    const rates = `${tokensPerSecond.toFixed(0)} tokens/s, ${times} times ours`;
    say(`         ${precision.padEnd(4)} ${rates}; one matrix product: ${product.toFixed(0)} GFLOP/s`);
  }
  return torch;
}

type Ended = "finished" | "time limit reached" | "SIGINT" | "SIGTERM";

/** Trains one model after the other, until all are finished, the time limit is reached, or a signal arrives. */
async function trainAll(box: Box, { run, prepared }: OpenedPack, device: OpenedDevice, began: number): Promise<Ended> {
  const { say, settings, models } = box;
  heading(box, "train");
  const stop = new AbortController();
  let ended: Ended = "time limit reached";
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      ended = signal;
      stop.abort();
    });
  }
  if (settings.minutes !== null) {
    const given = settings.minutes * 60;
    const until = began + 1000 * (given - Math.min(RESERVE.share * given, RESERVE.most));
    setTimeout(() => stop.abort(), Math.max(0, until - Date.now())).unref();
  }
  for (const { out, seed } of models) {
    const onStep = ({ step, loss, dev }: LogLine): void => {
      if (dev) say(`step ${step}: loss ${loss.toFixed(4)}, dev r_s ${dev.spearman?.toFixed(4) ?? "-"}`);
    };
    const options = { ...optionsOf(run, out), seed, signal: stop.signal, onStep };
    try {
      const { steps, best, bestStep, speed } = await runPrepared(options, prepared, device);
      const rate = speed === null ? "" : `, ${speed.tokensPerSecond.toFixed(0)} tokens/s`;
      say(
        `${out}: ${counted(steps, "step")}${rate}; best dev r_s ${best?.spearman?.toFixed(4) ?? "-"} at step ${bestStep}`,
      );
    } catch (error) {
      if (!stop.signal.aborted || !(error instanceof CodescoreError)) throw error;
      say(`${ended}: ${error.message}`);
      return ended;
    }
  }
  return "finished";
}

async function gather(box: Box): Promise<void> {
  const { say, settings, models, run } = box;
  heading(box, "collect");
  const there: string[] = [];
  for (const { out } of models) {
    const step = await lastAsBest(out);
    if (step !== null) say(`${out}: stopped before its first evaluation on dev; its model is that of step ${step}`);
    if (await exists(join(out, "model.safetensors"))) there.push(out);
  }
  if (there.length === 0)
    throw new CodescoreError("input", `no model in ${settings.output}: run the stage train first`);
  const to = join(settings.output, "results");
  const notes = ["box.log", "check.json", "smoke.json", "bench.json"].map((name) => join(settings.output, name));
  const { files, bytes } = await collect(there, notes, to, { top: run.name, resumable: settings.resumable });
  say(`wrote ${counted(files.length, "file")}, ${bytes} bytes, to ${to}; to join them elsewhere:`);
  say(`  sha256sum -c SHA256SUMS && cat ${run.name}.tar.gz.* | tar xz`);
}

const writeNote = ({ settings }: Box, stage: Stage, content: object): Promise<void> =>
  writeAtomic(join(settings.output, `${stage}.json`), `${JSON.stringify(content, null, 2)}\n`);
