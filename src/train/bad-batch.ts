/** Reports a step whose loss or gradient is not finite. */
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import { counted } from "../util/counted.ts";
import { writeAtomic } from "../util/files.ts";
import type { Example } from "./examples.ts";

/** A step that was not made because its loss or gradient is not finite. The parameters are unchanged. */
export class NotFiniteError extends CodescoreError {
  readonly step: number;
  readonly loss: number;
  readonly gradientNorm: number;
  readonly batch: readonly Example[];

  constructor(step: number, loss: number, gradientNorm: number, batch: readonly Example[]) {
    const tasks = [...new Set(batch.map(({ taskId }) => taskId))];
    const named =
      tasks.slice(0, 8).join(", ") + (tasks.length > 8 ? `, and ${counted(tasks.length - 8, "more task")}` : "");
    super(
      "infra",
      `step ${step}: expected a finite loss, got ${loss} with a gradient of norm ${gradientNorm}, on ${counted(batch.length, "row")} of ${named}; a lower learning rate may help`,
    );
    this.name = "NotFiniteError";
    this.step = step;
    this.loss = loss;
    this.gradientNorm = gradientNorm;
    this.batch = batch;
  }
}

/**
 * Writes the rows of a failed step to `bad-batch.json` in the run's folder. Returns the error to throw, which names the file. Returns any
 * other error unchanged.
 */
export async function withBadBatch(out: string, error: unknown): Promise<unknown> {
  if (!(error instanceof NotFiniteError)) return error;
  const { step, loss, gradientNorm, batch } = error;
  const path = join(out, "bad-batch.json");
  const rows = batch.map(({ sampleId, taskId, passRatio, executable, weight, ids }) => ({
    sample_id: sampleId,
    task_id: taskId,
    pass_ratio: passRatio,
    executable,
    weight,
    tokens: Object.fromEntries(Object.entries(ids).map(([format, tokens]) => [format, tokens.length])),
  }));
  // JSON has no NaN and no infinity, so they are written as strings.
  const record = { step, loss: String(loss), gradient_norm: String(gradientNorm), rows };
  await writeAtomic(path, `${JSON.stringify(record, null, 2)}\n`);
  return new CodescoreError("infra", `${error.message}; its rows are in ${path}`, { cause: error });
}
