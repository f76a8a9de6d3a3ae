/**
 * Tables 1 and 2 of CodeScore (Dong et al. 2023, section 3.1.1), computed for codescore's sets: a folder with `train.arrow`,
 * `dev.arrow` and `test.arrow`, as `datasets build` and `datasets split` write them. Lengths count words and symbols (stats.ts).
 * The paper does not say how it counts.
 */
import { basename, join, resolve } from "node:path";
import { CodescoreError } from "../errors.ts";
import { exists, readJson } from "../util/files.ts";
import { readExamples } from "./examples.ts";
import { manifestPath } from "./manifest.ts";
import type { Split } from "./split.ts";
import { textLength } from "./stats.ts";

/** A value is null if the set has nothing to count. */
export interface SetTable {
  readonly name: string;
  readonly examples: Readonly<Record<Split, number | null>>;
  /** Means over the problems of all splits. */
  readonly perTask: {
    readonly references: number | null;
    readonly candidates: number | null;
    readonly tests: number | null;
    /** Tests that problems first came with. Only a set made by `datasets build` records this. */
    readonly originalTests: number | null;
  };
  /** Means over examples. */
  readonly length: Readonly<Record<"description" | "reference" | "candidate", number | null>>;
  readonly passRatio: Readonly<Record<Split, number | null>>;
  /** Share of examples that pass every test. */
  readonly passAt1: Readonly<Record<Split, number | null>>;
}

const splits = ["train", "dev", "test"] as const;
const parts = ["description", "reference", "candidate"] as const;

/** Throws as `readExamples` does, and `CodescoreError("input")` if the folder has none of the three files. */
export async function setTable(folder: string): Promise<SetTable> {
  const tasks = new Map<string, { candidates: number; tests: number; references: Set<string> }>();
  const lengths = { description: new Mean(), reference: new Mean(), candidate: new Mean() };
  const ratios = { train: new Mean(), dev: new Mean(), test: new Mean() };
  const passes = { train: new Mean(), dev: new Mean(), test: new Mean() };
  let original: number | null = null;
  let found = 0;
  for (const split of splits) {
    const path = join(folder, `${split}.arrow`);
    if (!(await exists(path))) continue;
    found += 1;
    original ??= await originalTests(path);
    for await (const row of readExamples(path)) {
      if (row.pass_ratio === null) continue;
      ratios[split].add(row.pass_ratio);
      passes[split].add(row.pass_ratio === 1 ? 1 : 0);
      for (const part of parts) if (row[part] !== null) lengths[part].add(textLength(row[part]));
      const task = tasks.get(row.task_id) ?? { candidates: 0, tests: row.n_tests, references: new Set() };
      tasks.set(row.task_id, task);
      task.candidates += 1;
      if (row.reference !== null) task.references.add(row.reference);
    }
  }
  if (found === 0) {
    throw new CodescoreError("input", `${folder}: expected train.arrow, dev.arrow or test.arrow in this folder`);
  }
  const perTask = (count: (task: { candidates: number; tests: number; references: Set<string> }) => number) => {
    const mean = new Mean();
    for (const task of tasks.values()) mean.add(count(task));
    return mean.value;
  };
  const bySplit = (means: Readonly<Record<Split, Mean>>) => ({
    train: means.train.value,
    dev: means.dev.value,
    test: means.test.value,
  });
  const rows = (split: Split): number | null => ratios[split].count || null;
  return {
    name: basename(resolve(folder)),
    examples: { train: rows("train"), dev: rows("dev"), test: rows("test") },
    perTask: {
      references: perTask(({ references }) => references.size),
      candidates: perTask(({ candidates }) => candidates),
      tests: perTask(({ tests }) => tests),
      originalTests: original,
    },
    length: {
      description: lengths.description.value,
      reference: lengths.reference.value,
      candidate: lengths.candidate.value,
    },
    passRatio: bySplit(ratios),
    passAt1: bySplit(passes),
  };
}

class Mean {
  count = 0;
  #sum = 0;

  add(value: number): void {
    this.count += 1;
    this.#sum += value;
  }

  get value(): number | null {
    return this.count === 0 ? null : this.#sum / this.count;
  }
}

async function originalTests(path: string): Promise<number | null> {
  if (!(await exists(manifestPath(path)))) return null;
  const { verified } = (await readJson(manifestPath(path))) as { verified?: Record<string, unknown> };
  const { kept, originalTests: original } = verified ?? {};
  return typeof kept === "number" && typeof original === "number" && kept > 0 ? original / kept : null;
}
