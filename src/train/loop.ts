/** The steps of a training run: update, log, evaluate, save. */
import { join } from "node:path";
import type * as tf from "@tensorflow/tfjs";
import { CodescoreError } from "../errors.ts";
import { writeSafetensors } from "../model/index.ts";
import { startProgress } from "../util/progress.ts";
import type { AdamW } from "./adamw.ts";
import { withBadBatch } from "./bad-batch.ts";
import { parametersOnHost, type RunState, saveRun } from "./checkpoint.ts";
import { type DevResult, evaluateOnDev } from "./develop.ts";
import { average } from "./ema.ts";
import type { Example } from "./examples.ts";
import { type Speed, SpeedMeter, speedNote } from "./flops.ts";
import { type LogLine, openLog, scalarsOf } from "./log.ts";
import type { ResolvedTrainOptions } from "./options.ts";
import { afterEvaluation, rateAt } from "./schedule.ts";
import type { BatchSequence } from "./sequence.ts";
import { type Trainee, trainStep } from "./step.ts";
import { openEvents } from "./tensorboard.ts";

export interface Run {
  readonly options: ResolvedTrainOptions;
  readonly trainee: Trainee;
  /** Averages of the parameters. They are evaluated and become the model. Null without averaging. */
  readonly averages: Map<string, tf.Variable> | null;
  readonly optimizer: AdamW;
  readonly batches: BatchSequence;
  readonly devSet: readonly Example[];
}

/** Maximum milliseconds between saves. A `kill -9` loses at most this much work, plus the current step. */
export const SAVE_EVERY_MS = 20_000;

/** Whether early stopping ends the run: none of the last `earlyStop` evaluations was better. */
export const isExhausted = ({ withoutGain }: RunState, { earlyStop }: ResolvedTrainOptions): boolean =>
  earlyStop > 0 && withoutGain >= earlyStop;

/**
 * Trains from a state to the last step, or until early stopping. `speed` is null if no step was made. Throws `CodescoreError("infra")` if
 * the run's signal stops it, after everything is saved, and if a loss is not finite, with the path of the batch.
 */
export async function trainLoop(run: Run, start: RunState): Promise<{ state: RunState; speed: Speed | null }> {
  const { options, trainee, averages, optimizer } = run;
  const model: Trainee = { ...trainee, parameters: averages ?? trainee.parameters };
  const log = await openLog(options.out, start.step);
  const events = openEvents(options.out, start.step);
  const { steps, quiet } = options;
  const progress = startProgress({ label: "train", total: steps, unit: "steps", start: start.step, quiet });
  const meter = new SpeedMeter(trainee.config);
  let state = start;
  let saved = Date.now();
  for (let step = start.step + 1; step <= steps && !isExhausted(state, options); step++) {
    const began = performance.now();
    const share = rateAt(options.schedule, step / steps, options.warmup);
    const learningRate = options.learningRate * share * state.plateau.scale;
    const first = (step - 1) * options.accumulate;
    const batches = Array.from({ length: options.accumulate }, (_, i) => run.batches.at(first + i));
    const result = await trainStep(trainee, optimizer, batches, { ...options, learningRate, step }).catch(
      async (error: unknown) => {
        throw await withBadBatch(options.out, error);
      },
    );
    if (averages !== null) average(averages, trainee.parameters, options.ema, step);
    const seconds = (performance.now() - began) / 1000;
    const evaluated = step % options.evaluateEvery === 0 || step === steps;
    const dev = evaluated ? await evaluateOnDev(model, run.devSet, options.formats, options.batchTokens) : null;
    const rows = batches.flat().length;
    const line: LogLine = { step, ...result, learningRate, rows, seconds, ...(dev ? { dev } : {}) };
    if (evaluated) {
      const better = state.bestStep === 0 || rank(dev) > rank(state.best) || dev === null;
      if (options.schedule === "plateau") {
        state = { ...state, plateau: afterEvaluation(state.plateau, better, options.plateauPatience) };
      }
      if (better) {
        state = { ...state, best: dev, bestStep: step, withoutGain: 0 };
        await writeSafetensors(join(options.out, "model.safetensors"), await parametersOnHost(model.parameters));
      } else state = { ...state, withoutGain: state.withoutGain + 1 };
    }
    state = { ...state, step };
    meter.add(line);
    await log(line);
    await events(step, scalarsOf(line));
    await options.onStep?.(line, options.out);
    const stopped = options.signal?.aborted === true;
    if (evaluated || stopped || Date.now() - saved > SAVE_EVERY_MS) {
      await saveRun(options.out, { parameters: trainee.parameters, averages, optimizer }, state);
      saved = Date.now();
    }
    progress.tick(
      1,
      [`loss ${result.loss.toFixed(3)}`, speedNote(meter.speed), bestNote(state, run.devSet.length > 0)].join(", "),
    );
    if (stopped) {
      progress.done();
      throw new CodescoreError("infra", `stopped at step ${step} of ${steps}; run the same command again to continue`);
    }
  }
  progress.done();
  return { state, speed: meter.speed };
}

/** An undefined correlation (all scores equal) ranks below every defined one. */
const rank = (dev: DevResult | null): number => dev?.spearman ?? Number.NEGATIVE_INFINITY;

export const bestNote = ({ best }: Pick<RunState, "best">, hasDev: boolean): string => {
  if (!hasDev) return "no dev set";
  return best === null || best.spearman === null ? "no dev r_s yet" : `best dev r_s ${best.spearman.toFixed(3)}`;
};
