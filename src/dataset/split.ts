/** Splits by problem, never by row. Otherwise a model would see in training how other programs for a test problem did. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import type { LabelledRow } from "../types.ts";
import { sha256 } from "../util/files.ts";
import { readExamples, writeExamples } from "./examples.ts";
import { type Counts, executorOf, Tally, writeManifest } from "./manifest.ts";

export type Split = "train" | "dev" | "test";

export interface SplitOptions {
  /** Share of the problems. @default 0.1 */
  readonly dev?: number;
  /** Share of the problems. @default 0.1 */
  readonly test?: number;
  /** @default 0 */
  readonly seed?: number;
}

export const splitDefaults = { dev: 0.1, test: 0.1, seed: 0 } as const satisfies Required<SplitOptions>;

/** The group that must stay in one split: `MBPPT/N` is a rewording of `MBPP/N`, and `Mbpp/N` is EvalPlus' name for it. */
const groupOf = (taskId: string): string => taskId.replace(/^(?:MBPPT|Mbpp)\//, "MBPP/");

/** A number in [0, 1) that depends only on the problem and the salt. */
export const shareOf = (taskId: string, salt: string): number =>
  Number.parseInt(sha256(`${salt}\0${groupOf(taskId)}`).slice(0, 12), 16) / 2 ** 48;

/** The split of a problem. Throws `CodescoreError("usage")` for negative shares, and for shares that leave nothing to train on. */
export function splitOf(taskId: string, options: SplitOptions = {}): Split {
  const { dev, test, seed } = { ...splitDefaults, ...options };
  if (!(dev >= 0 && test >= 0 && dev + test < 1)) {
    throw new CodescoreError(
      "usage",
      `expected shares of at least 0 that sum to less than 1, got dev ${dev}, test ${test}`,
    );
  }
  const share = shareOf(taskId, `split ${seed}`);
  if (share < test) return "test";
  return share < test + dev ? "dev" : "train";
}

/** Groups rows or task ids by split. Each group keeps the input order. */
export function splitByProblem<T extends string | { readonly task_id: string }>(
  items: Iterable<T>,
  options: SplitOptions = {},
): Record<Split, T[]> {
  const out: Record<Split, T[]> = { train: [], dev: [], test: [] };
  for (const item of items) out[splitOf(typeof item === "string" ? item : item.task_id, options)].push(item);
  return out;
}

/** Writes `train.arrow`, `dev.arrow` and `test.arrow` with their manifests into a folder. */
export async function splitFile(
  path: string,
  folder: string,
  options: SplitOptions = {},
): Promise<Record<Split, Counts>> {
  const settings = { ...splitDefaults, ...options };
  await mkdir(folder, { recursive: true });
  const executor = await executorOf(path);
  const write = async (split: Split): Promise<Counts> => {
    const tally = new Tally();
    const out = join(folder, `${split}.arrow`);
    await writeExamples(out, tally.count(only(path, split, settings)));
    await writeManifest(out, { sources: [path], how: { executor, split, ...settings }, tally });
    return tally.counts;
  };
  return { train: await write("train"), dev: await write("dev"), test: await write("test") };
}

async function* only(path: string, split: Split, options: SplitOptions): AsyncGenerator<LabelledRow> {
  for await (const row of readExamples(path)) if (splitOf(row.task_id, options) === split) yield row;
}
