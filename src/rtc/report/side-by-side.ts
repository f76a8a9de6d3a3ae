/**
 * Finished runs side by side, as in the tables of the papers: chains by model (Min et al. 2024, Table 1), edits by model
 * (Allamanis et al. 2024, Table 3), and the share of responses that survive the round trip, by model and patchflow, without and
 * with the consistency prompt (Sharma 2024, "Evaluation").
 */
import type { EditingSummary } from "../editing/editing.ts";
import type { IdentitySummary } from "../identity/summary.ts";
import type { PatchedSummary } from "../patched/patched.ts";
import type { Estimate } from "../trip/arithmetic.ts";
import type { SimilaritySummary } from "../trip/summary.ts";
import { type AnySummary, isIdentity } from "./finished.ts";

/** A finished run of one model. */
export interface ModelRun {
  readonly name: string;
  readonly summary: AnySummary;
  /** Ids of the run's problems. @default not compared with those of the other runs */
  readonly ids?: ReadonlySet<string>;
}

/** The chains of a model, up to the last step that every run has. */
export interface ChainRow {
  readonly model: string;
  readonly chains: number;
  readonly pass_at_1: Estimate | null;
  /** At step n, the last step that every run has. */
  readonly ssc_n: Estimate | null;
  readonly sc_1: Estimate | null;
  readonly sc_n: Estimate | null;
  /** Mean Test Output Match at step 1, and at step n. */
  readonly tom_1: Estimate | null;
  readonly tom_n: Estimate | null;
  /** Share of the first programs' correctness that is lost by step n: (Pass@1 - SSC_n) / Pass@1. Null if none passes. */
  readonly decline: number | null;
}

export interface ChainTable {
  /** n: the last step that every run has. */
  readonly step: number;
  readonly rows: readonly ChainRow[];
  /** SC, SSC and TOM of every model by step. */
  readonly curves: readonly { readonly model: string; readonly steps: IdentitySummary["steps"] }[];
}

/** Responses of one model to one patchflow, by one similarity. */
export interface PatchflowRow {
  readonly similarity: string;
  readonly model: string;
  readonly patchflow: string;
  readonly threshold: number | null;
  /** Share that survives the round trip. Null without such a run. */
  readonly plain: Estimate | null;
  /** The same with the consistency prompt. */
  readonly consistent: Estimate | null;
  /** `consistent` minus `plain`. */
  readonly gain: number | null;
  /** The oracle's rates of the same responses. */
  readonly oracle_plain: Estimate | null;
  readonly oracle_consistent: Estimate | null;
}

/** The edits of a model: the paper's Table 3. */
export interface EditingRow {
  readonly model: string;
  readonly rtc: readonly {
    readonly similarity: string;
    readonly rtc: Estimate | null;
    readonly lift: Estimate | null;
  }[];
  /** Edit to text: BLEU of greedy descriptions against human comments. Null without the supervised half. */
  readonly description_bleu: Estimate | null;
  /** Text to edit: similarity of the edits made from the comments, by similarity. */
  readonly from_comment: readonly { readonly name: string; readonly value: Estimate | null }[];
}

const isEditing = (summary: AnySummary): summary is EditingSummary =>
  summary.task === "editing" && "supervised" in summary;

/** Empty if the runs are of another task. */
export const editingRows = (runs: readonly ModelRun[]): EditingRow[] =>
  runs.flatMap(({ name: model, summary }) =>
    isEditing(summary)
      ? [
          {
            model,
            rtc: summary.similarities.map(({ name: similarity, rtc, lift }) => ({ similarity, rtc, lift })),
            description_bleu: summary.supervised?.description_bleu ?? null,
            from_comment: summary.supervised?.from_comment ?? [],
          },
        ]
      : [],
  );

export const isPatched = (summary: AnySummary): summary is PatchedSummary => summary.task === "patched";

/** The setting besides the model, for tasks where a model may have several runs. Null for other tasks. */
export function settingOf(summary: AnySummary): string | null {
  if (!isPatched(summary)) return null;
  return summary.consistency ? `${summary.patchflow}, consistency prompt` : summary.patchflow;
}

/** Null if the runs are of another task. */
export function chainTable(runs: readonly ModelRun[]): ChainTable | null {
  const chains = runs.flatMap(({ name, summary }) => (isIdentity(summary) ? [{ name, summary }] : []));
  const step = Math.min(...chains.map(({ summary }) => summary.steps.length));
  if (chains.length === 0 || step < 1) return null;
  return {
    step,
    rows: chains.map(({ name, summary }): ChainRow => {
      const [first, last] = [summary.steps[0]!, summary.steps[step - 1]!];
      const pass = summary.pass_at_1;
      const known = pass !== null && pass.value > 0 && last.ssc !== null;
      return {
        model: name,
        chains: summary.counts.chains,
        pass_at_1: pass,
        ssc_n: last.ssc,
        sc_1: first.sc,
        sc_n: last.sc,
        tom_1: first.tom,
        tom_n: last.tom,
        decline: known ? (pass.value - last.ssc!.value) / pass.value : null,
      };
    }),
    curves: chains.map(({ name, summary }) => ({ model: name, steps: summary.steps })),
  };
}

/** By similarity, model and patchflow, in the order of the runs. Empty if the runs are of another task. */
export function patchflowRows(runs: readonly ModelRun[]): PatchflowRow[] {
  const patched = runs.flatMap(({ name, summary }) => (isPatched(summary) ? [{ name, summary }] : []));
  const similarities = unique(patched.flatMap(({ summary }) => summary.similarities.map(({ name }) => name)));
  const flows = unique(patched.map(({ summary }) => summary.patchflow));
  const models = unique(patched.map(({ name }) => name));
  return similarities.flatMap((similarity) =>
    models.flatMap((model) =>
      flows.flatMap((patchflow): PatchflowRow[] => {
        const of = (consistency: boolean): [SimilaritySummary | undefined, PatchedSummary | undefined] => {
          const run = patched.find(
            ({ name, summary }) =>
              name === model && summary.patchflow === patchflow && summary.consistency === consistency,
          )?.summary;
          return [run?.similarities.find(({ name }) => name === similarity), run];
        };
        const [[plain, plainRun], [consistent, consistentRun]] = [of(false), of(true)];
        if (!plain && !consistent) return [];
        const [before, after] = [plain?.share_above ?? null, consistent?.share_above ?? null];
        return [
          {
            similarity,
            model,
            patchflow,
            threshold: (plain ?? consistent)!.threshold,
            plain: before,
            consistent: after,
            gain: before && after ? after.value - before.value : null,
            oracle_plain: plainRun?.oracle?.rate ?? null,
            oracle_consistent: consistentRun?.oracle?.rate ?? null,
          },
        ];
      }),
    ),
  );
}

export const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
