/** The steps of a pretraining run: update, log, evaluate, save. */
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { writeSafetensors } from "../../model/index.ts";
import { startProgress } from "../../util/progress.ts";
import type { AdamW } from "../adamw.ts";
import { parametersOnHost, type RunMark, saveRun } from "../checkpoint.ts";
import { type Speed, SpeedMeter, speedNote } from "../flops.ts";
import { openLog } from "../log.ts";
import { SAVE_EVERY_MS } from "../loop.ts";
import { rateAt } from "../schedule.ts";
import type { Trainee } from "../step.ts";
import type { MlmBatches } from "./batches.ts";
import { MLM_HEAD } from "./mlm.ts";
import type { ResolvedPretrainOptions } from "./options.ts";
import { evaluateMlm, type MlmDev, type MlmLogLine, mlmStep } from "./step.ts";

export interface PretrainState extends RunMark {
  /** Null before the first evaluation. */
  readonly best: MlmDev | null;
  readonly bestStep: number;
}

export interface PretrainRun {
  readonly options: ResolvedPretrainOptions;
  readonly trainee: Trainee;
  readonly optimizer: AdamW;
  readonly batches: MlmBatches;
}

/** Trains from a state to the last step. If the run's signal stops it, saves everything and throws `CodescoreError("infra")`. */
export async function pretrainLoop(
  { options, trainee, optimizer, batches }: PretrainRun,
  start: PretrainState,
): Promise<{ state: PretrainState; speed: Speed | null }> {
  const { out, steps, quiet } = options;
  const log = await openLog<MlmLogLine>(out, start.step);
  const progress = startProgress({ label: "pretrain", total: steps, unit: "steps", start: start.step, quiet });
  const meter = new SpeedMeter(trainee.config);
  let state = start;
  let saved = Date.now();
  for (let step = start.step + 1; step <= steps; step++) {
    const began = performance.now();
    const learningRate = options.learningRate * rateAt("cosine", step / steps, options.warmup);
    const batch = batches.at(step);
    const result = await mlmStep(trainee, optimizer, batch, { ...options, learningRate, step });
    const seconds = (performance.now() - began) / 1000;
    const rows = batch.sequences.length;
    const tokens = rows * Math.max(...batch.sequences.map((ids) => ids.length));
    const dev = step % options.evaluateEvery === 0 || step === steps ? await evaluateMlm(trainee, batches.dev) : null;
    const line: MlmLogLine = { step, ...result, learningRate, rows, tokens, seconds, ...(dev ? { dev } : {}) };
    if (dev !== null && (state.best === null || dev.loss < state.best.loss)) {
      state = { ...state, best: dev, bestStep: step };
      const model = [...trainee.parameters].filter(([name]) => !name.startsWith(MLM_HEAD));
      await writeSafetensors(join(out, "model.safetensors"), await parametersOnHost(new Map(model)));
    }
    state = { ...state, step };
    meter.add(line);
    await log(line);
    await options.onStep?.(line);
    const stopped = options.signal?.aborted === true;
    if (dev !== null || stopped || Date.now() - saved > SAVE_EVERY_MS) {
      await saveRun(out, { parameters: trainee.parameters, averages: null, optimizer }, state);
      saved = Date.now();
    }
    const best = state.best === null ? "no dev loss yet" : `best dev loss ${state.best.loss.toFixed(3)}`;
    progress.tick(1, [`loss ${result.loss.toFixed(3)}`, speedNote(meter.speed), best].join(", "));
    if (stopped) {
      progress.done();
      throw new CodescoreError("infra", `stopped at step ${step} of ${steps}; run the same command again to continue`);
    }
  }
  progress.done();
  return { state, speed: meter.speed };
}
