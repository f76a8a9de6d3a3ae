/** What every step of building a set is given. */
import type { Executor } from "../../execute/types.ts";
import type { DataFile } from "./choose.ts";
import type { Recipe } from "./recipes.ts";
import type { Steps } from "./steps.ts";

export interface BuildOptions {
  /** `mbpp-eval`, `apps-eval`, `train-mix`, `he-eval`, `he-llm`, or `all`. */
  readonly set: string;
  /** The folder of the collected data: `train/problems_*.jsonl.gz`, `train/samples_*.jsonl.gz`, `he-eval-dev/`. */
  readonly data: string;
  readonly out: string;
  readonly executor: Executor;
  /** Tests a problem is expanded to. @default the recipe's */
  readonly tests?: number;
  /** So many problems, drawn by a hash of their ids. @default all */
  readonly limitProblems?: number;
  /** Problems marked `maybe` among HumanEval's near-duplicates may be trained on. @default false */
  readonly keepMaybe?: boolean;
  /** Sample files to leave out, e.g. `mas_mbpp`. @default none */
  readonly without?: readonly string[];
  /** @default 0 */
  readonly seed?: number;
  /** Shows progress on stderr. @default false */
  readonly progress?: boolean;
}

/** One set that is being built. */
export interface SetBuild {
  readonly recipe: Recipe;
  readonly options: BuildOptions;
  readonly executor: Executor;
  readonly seed: number;
  readonly progress: boolean;
  /** Tests a problem is expanded to; null: its tests as they are. */
  readonly tests: number | null;
  /** What a problem's references may take; null: problems are taken as they are. */
  readonly bounds: { readonly maxCpuS: number; readonly maxTests: number } | null;
  readonly problemFiles: readonly DataFile[];
  readonly sampleFiles: readonly DataFile[];
  readonly steps: Steps;
  readonly files: StepFiles;
}

/** The file that each step leaves, in the set's folder or in `work` there. */
export interface StepFiles {
  /** The folder of the finished set. */
  readonly folder: string;
  readonly removed: string;
  readonly problems: string;
  readonly usable: string;
  readonly expanded: string;
  readonly verified: string;
  readonly candidates: string;
  readonly labelled: string;
  readonly stats: string;
}
