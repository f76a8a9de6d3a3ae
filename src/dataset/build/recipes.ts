/** The recipes: what each set is made of. All their numbers are in this file. */
import { CodescoreError } from "../../errors.ts";
import type { Split } from "../split.ts";
import { appsSplit, mbppSplit, trainSplit } from "./splits.ts";

export const setNames = ["mbpp-eval", "apps-eval", "train-mix", "he-eval", "he-llm"] as const;
export type SetName = (typeof setNames)[number];

export interface Recipe {
  readonly name: SetName;
  /** The folders, within the data, of its problems and of its samples. */
  readonly folder: string;
  readonly samplesFolder: string;
  /** Names of the problem files and of the sample files there. */
  readonly problems: RegExp;
  readonly samples: RegExp;
  /** The split of a problem; null: the problem is not in this set. */
  readonly splitOf: (taskId: string) => Split | null;
  /** Which near-duplicates of HumanEval problems to leave out: all, those that the data's list calls `high`, or none. */
  readonly nearDuplicates: "drop" | "drop-high" | "keep";
  /** Number of tests each problem is expanded to; null: tests stay as they are. */
  readonly tests: number | null;
  /** CPU seconds the reference may take on all tests. Slower problems are left out. Null: problems are taken unverified. */
  readonly maxReferenceCpuS: number | null;
  /** CPU seconds a candidate may take on all tests; null: the executor's own limit. */
  readonly candidateCpuS: number | null;
  /** Maximum number of programs of models per problem; null: all, repeats included. */
  readonly llmPerProblem: number | null;
  /** Number of programs made per problem: mutants and rewrites of references and passing programs, and solutions of other problems. */
  readonly madePerProblem: number;
  /** Whether to limit the rows per problem with PassRatio 0, and with PassRatio 1. */
  readonly capped: boolean;
  /** Whether rows get weights, and passing programs of models serve as additional references. */
  readonly weighted: boolean;
}

/** Common settings of the evaluation sets: only programs of models, unchanged. */
const evaluation = {
  folder: "train",
  samplesFolder: "train",
  nearDuplicates: "drop-high",
  tests: 100,
  maxReferenceCpuS: 1.5,
  candidateCpuS: 5,
  llmPerProblem: 32,
  madePerProblem: 0,
  capped: true,
  weighted: false,
} as const;

/** HumanEval problems and programs. Nothing is trained on them. They are executed on their original tests. */
const humanEval: Omit<Recipe, "name" | "samplesFolder" | "llmPerProblem"> = {
  folder: "he-eval-dev",
  problems: /^problems\./,
  samples: /^samples\./,
  splitOf: () => "test",
  nearDuplicates: "keep",
  tests: null,
  maxReferenceCpuS: null,
  candidateCpuS: null,
  madePerProblem: 0,
  capped: false,
  weighted: false,
};

const recipes: Readonly<Record<SetName, Recipe>> = {
  "mbpp-eval": {
    ...evaluation,
    name: "mbpp-eval",
    problems: /^problems_mbpp\./,
    samples: /^samples_(?:mas_mbpp|mbpp_other)\./,
    splitOf: (taskId) => (taskId.startsWith("MBPP/") ? mbppSplit(taskId) : null),
  },
  "apps-eval": {
    ...evaluation,
    name: "apps-eval",
    problems: /^problems_(?:apps|codecontests|xcodeeval)\./,
    samples: /^samples_(?:apps|mas_codecontests|codecontests_mapcoder|xcodeeval_mapcoder)\./,
    splitOf: appsSplit,
  },
  "train-mix": {
    name: "train-mix",
    folder: "train",
    samplesFolder: "train",
    // MathQA programs take no arguments, so they have one outcome. Almost no model program gets it right, so it says nothing about code.
    problems: /^problems_(?!mathqa)/,
    samples: /^samples_(?!mathqa)/,
    splitOf: trainSplit,
    nearDuplicates: "drop",
    tests: 32,
    maxReferenceCpuS: 0.75,
    candidateCpuS: 5,
    llmPerProblem: 60,
    madePerProblem: 8,
    capped: true,
    weighted: true,
  },
  "he-eval": { ...humanEval, name: "he-eval", samplesFolder: "he-eval-dev", llmPerProblem: null },
  "he-llm": { ...humanEval, name: "he-llm", samplesFolder: "he-llm-dev", llmPerProblem: 20 },
};

/** The recipes that a name selects; `all` selects every recipe. Throws `CodescoreError("usage")` for an unknown name. */
export function recipesOf(name: string): Recipe[] {
  if (name === "all") return setNames.map((set) => recipes[set]);
  const found = recipes[name as SetName];
  if (found) return [found];
  throw new CodescoreError("usage", `expected a set of ${setNames.join(", ")} or all, got \`${name}\``);
}
