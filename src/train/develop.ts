/** How good the parameters are on the dev problems. */
import { kendallTauB, meanAbsoluteError, rocAuc, spearman } from "../metrics/index.ts";
import type { InputFormat } from "../types.ts";
import type { Example } from "./examples.ts";
import { predict, type Trainee } from "./step.ts";

export interface DevResult {
  readonly rows: number;
  readonly spearman: number;
  readonly kendallTau: number;
  readonly mae: number;
  /** AUC of the Exec head against Executability; null when all rows are alike. */
  readonly execAuc: number | null;
}

/** Scores the dev rows in the richest format each has; null without dev rows. */
export function evaluateOnDev(
  trainee: Trainee,
  dev: readonly Example[],
  formats: readonly InputFormat[],
  batchTokens: number,
): DevResult | null {
  const richest = [...formats].sort((a, b) => b.length - a.length); // ref+nl, ref, nl
  const scores: number[] = [];
  const execs: number[] = [];
  const rows: Example[] = [];
  for (const format of richest) {
    const those = dev.filter((row) => richest.find((f) => row.ids[f] !== undefined) === format);
    for (const { score, exec } of predict(trainee, those, format, batchTokens)) {
      scores.push(score);
      execs.push(exec);
    }
    rows.push(...those);
  }
  if (rows.length < 2) return null;
  const labels = rows.map(({ passRatio }) => passRatio);
  const executable = rows.map(({ executable }) => executable === 1);
  const execAuc = rocAuc(execs, executable);
  return {
    rows: rows.length,
    spearman: spearman(scores, labels),
    kendallTau: kendallTauB(scores, labels),
    mae: meanAbsoluteError(scores, labels),
    execAuc: Number.isNaN(execAuc) ? null : execAuc,
  };
}
