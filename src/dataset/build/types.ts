/** The input of every step of building a set. */
import type { Executor } from "../../execute/types.ts";
import type { DataFile } from "./choose.ts";
import type { Recipe } from "./recipes.ts";
import type { Steps } from "./steps.ts";

export interface BuildOptions {
  /** `mbpp-eval`, `apps-eval`, `train-mix`, `he-eval`, `he-llm`, or `all`. */
  readonly set: string;
  /** The folder of collected data: `train/problems_*.jsonl.gz`, `train/samples_*.jsonl.gz`, `he-eval-dev/`. */
  readonly data: string;
  readonly out: string;
  readonly executor: Executor;
  /** Number of tests each problem is expanded to. @default the recipe's */
  readonly tests?: number;
  /** Maximum number of problems, drawn by a hash of their ids. @default all */
  readonly limitProblems?: number;
  /** Allows training on problems that the list of HumanEval's near-duplicates marks `maybe`. @default false */
  readonly keepMaybe?: boolean;
  /** Sample files to leave out, e.g. `mas_mbpp`. @default none */
  readonly without?: readonly string[];
  /** @default 0 */
  readonly seed?: number;
  /** Shows progress on stderr. @default false */
  readonly progress?: boolean;
}

/** A set that is being built. */
export interface SetBuild {
  readonly recipe: Recipe;
  readonly options: BuildOptions;
  readonly executor: Executor;
  readonly seed: number;
  readonly progress: boolean;
  /** Number of tests each problem is expanded to; null: tests stay as they are. */
  readonly tests: number | null;
  /** Limits for a problem's references and tests; null: problems are taken as they are. */
  readonly bounds: { readonly maxCpuS: number; readonly maxTests: number } | null;
  readonly problemFiles: readonly DataFile[];
  readonly sampleFiles: readonly DataFile[];
  readonly steps: Steps;
  readonly files: StepFiles;
}

/** The files that the steps leave, in the set's folder or in its subfolder `work`. */
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
