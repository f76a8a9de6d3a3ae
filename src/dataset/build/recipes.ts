/** What each set is made of: the one place where the numbers of the recipes stand. */
import { CodescoreError } from "../../errors.ts";
import type { Split } from "../split.ts";
import { appsSplit, mbppSplit, trainSplit } from "./splits.ts";

export const setNames = ["mbpp-eval", "apps-eval", "train-mix", "he-eval", "he-llm"] as const;
export type SetName = (typeof setNames)[number];

export interface Recipe {
  readonly name: SetName;
  /** The folder of the data that its problems lie in, and the one of its samples. */
  readonly folder: string;
  readonly samplesFolder: string;
  /** Files of problems and samples there, by name. */
  readonly problems: RegExp;
  readonly samples: RegExp;
  /** The part a problem belongs to; null: not in this set. */
  readonly splitOf: (taskId: string) => Split | null;
  /** Which problems that resemble one of HumanEval's stay out: all, those that the data's list calls `high`, or none. */
  readonly nearDuplicates: "drop" | "drop-high" | "keep";
  /** Tests a problem is expanded to; null: its tests as they are. */
  readonly tests: number | null;
  /** CPU seconds a reference may take on all tests, or its problem stays out; null: problems are taken as they are. */
  readonly maxReferenceCpuS: number | null;
  /** CPU seconds a candidate may take on all tests; null: the executor's own limit. */
  readonly candidateCpuS: number | null;
  /** Programs of models that a problem keeps, at most; null: all, repeats too. */
  readonly llmPerProblem: number | null;
  /** Programs made for a problem out of its references and of programs that pass: mutants, rewrites, solutions of others. */
  readonly madePerProblem: number;
  /** Whether a problem keeps only so many rows at PassRatio 0, and at 1. */
  readonly capped: boolean;
  /** Whether rows get weights, and passing programs of models stand in as references. */
  readonly weighted: boolean;
}

/** What the evaluation sets have in common: programs of models only, as they are. */
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

/** Problems and programs of HumanEval, which nothing is trained on, executed on the tests that came with them. */
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
    // MathQA's programs take no arguments: one outcome, which next to no program of a model gets right, says nothing of code.
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

/** The sets of a name; `all` is every one. Throws `CodescoreError("usage")` for another. */
export function recipesOf(name: string): Recipe[] {
  if (name === "all") return setNames.map((set) => recipes[set]);
  const found = recipes[name as SetName];
  if (found) return [found];
  throw new CodescoreError("usage", `expected a set of ${setNames.join(", ")} or all, got \`${name}\``);
}
