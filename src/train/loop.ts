/** The steps of a run: update, log, evaluate, save. */
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import { writeSafetensors } from "../model/index.ts";
import { startProgress } from "../util/progress.ts";
import type { AdamW } from "./adamw.ts";
import { parametersOnHost, type RunState, saveRun } from "./checkpoint.ts";
import { type DevResult, evaluateOnDev } from "./develop.ts";
import { type Example, epochBatches } from "./examples.ts";
import { type LogLine, openLog } from "./log.ts";
import type { ResolvedTrainOptions } from "./options.ts";
import { type Trainee, trainStep } from "./step.ts";

export interface Run {
  readonly options: ResolvedTrainOptions;
  readonly trainee: Trainee;
  readonly optimizer: AdamW;
  readonly trainSet: readonly Example[];
  readonly devSet: readonly Example[];
}

/** What a `kill -9` may cost at most, on top of the step it falls in. */
const SAVE_EVERY_MS = 20_000;

/** Trains from a state to the last step. Throws `CodescoreError("infra")`, all saved, when the run's signal stops it. */
export async function trainLoop(run: Run, start: RunState): Promise<RunState> {
  const { options, trainee, optimizer } = run;
  const log = await openLog(options.out, start.step);
  const { steps, quiet } = options;
  const progress = startProgress({ label: "train", total: steps, unit: "steps", start: start.step, quiet });
  const speed = meter();
  const batchAt = batchSequence(run);
  let state = start;
  let saved = Date.now();
  for (let step = start.step + 1; step <= steps; step++) {
    const began = performance.now();
    const learningRate = options.learningRate * schedule(step / steps, options.warmup);
    const batch = batchAt(step - 1);
    const result = trainStep(trainee, optimizer, batch, { ...options, learningRate, step });
    const seconds = (performance.now() - began) / 1000;
    const evaluated = step % options.evaluateEvery === 0 || step === steps;
    const dev = evaluated ? evaluateOnDev(trainee, run.devSet, options.formats, options.batchTokens) : null;
    const line: LogLine = { step, ...result, learningRate, rows: batch.length, seconds, ...(dev ? { dev } : {}) };
    if (evaluated && (state.bestStep === 0 || rank(dev) > rank(state.best) || dev === null)) {
      state = { ...state, best: dev, bestStep: step };
      await writeSafetensors(join(options.out, "model.safetensors"), parametersOnHost(trainee.parameters));
    }
    state = { ...state, step };
    await log(line);
    options.onStep?.(line);
    const stopped = options.signal?.aborted === true;
    if (evaluated || stopped || Date.now() - saved > SAVE_EVERY_MS) {
      await saveRun(options.out, trainee.parameters, optimizer, state);
      saved = Date.now();
    }
    progress.tick(
      1,
      [`loss ${result.loss.toFixed(3)}`, speed(batch.length, result.tokens), bestNote(state)].join(", "),
    );
    if (stopped) {
      progress.done();
      throw new CodescoreError("infra", `stopped at step ${step} of ${steps}; the same command goes on from there`);
    }
  }
  progress.done();
  return state;
}

/** The batch of each step, as epochs follow each other. */
function batchSequence({ options, trainSet }: Run): (index: number) => Example[] {
  let epoch = 0;
  let first = 0; // index of the epoch's first batch
  let batches = epochBatches(trainSet, options.batchTokens, options.seed, epoch);
  return (index) => {
    while (index - first >= batches.length) {
      first += batches.length;
      epoch += 1;
      batches = epochBatches(trainSet, options.batchTokens, options.seed, epoch);
    }
    return batches[index - first]!.map((row) => trainSet[row]!);
  };
}

/** Rises linearly over the warm-up, then falls to zero along a cosine; `at` in (0, 1]. */
const schedule = (at: number, warmup: number): number =>
  at < warmup ? at / warmup : 0.5 * (1 + Math.cos((Math.PI * (at - warmup)) / (1 - warmup)));

/** A correlation that is not defined (all scores alike) is worse than any. */
const rank = (dev: DevResult | null): number =>
  dev !== null && Number.isFinite(dev.spearman) ? dev.spearman : Number.NEGATIVE_INFINITY;

const bestNote = ({ best }: RunState): string =>
  best === null || !Number.isFinite(best.spearman) ? "no dev r_s yet" : `best dev r_s ${best.spearman.toFixed(3)}`;

/** Rows and tokens a second since the start of the run. */
function meter(): (rows: number, tokens: number) => string {
  const began = Date.now();
  const seen = { rows: 0, tokens: 0 };
  return (rows, tokens) => {
    seen.rows += rows;
    seen.tokens += tokens;
    const seconds = Math.max((Date.now() - began) / 1000, 1e-3);
    return `${(seen.rows / seconds).toFixed(0)} rows/s, ${(seen.tokens / seconds).toFixed(0)} tokens/s`;
  };
}
