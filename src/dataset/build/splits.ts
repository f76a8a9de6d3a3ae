/**
 * Decides by id alone which problems a set has and which split each belongs to, so that anyone can recompute it.
 * `mbpp-eval` uses MBPP's own split (Austin et al. 2021: 11-510 test, 511-600 validation, 601-974 train, 1-10 prompt).
 * `apps-eval` tests on the problems whose sha256 of `task_id`, read as an integer, is 0 mod 5.
 */
import { mbppSplitOf } from "../../problems/index.ts";
import { sha256 } from "../../util/files.ts";
import { type Split, splitOf } from "../split.ts";

/** The split of an MBPP task; null for other tasks. `MBPPT/N` and EvalPlus' `Mbpp/N` get the split of `MBPP/N`. */
export function mbppSplit(taskId: string): Split | null {
  const split = mbppSplitOf(taskId);
  if (split === null || split === "test") return split;
  return split === "validation" ? "dev" : "train"; // the prompt split too: few-shot prompts are not used here
}

/** The split of a task of APPS or of the contest sets beside it (`CC/`, `XCode/`); null for other tasks. */
export function appsSplit(taskId: string): Split | null {
  if (!/^(?:APPS|CC|XCode)\//.test(taskId)) return null;
  if (BigInt(`0x${sha256(taskId)}`) % 5n === 0n) return "test";
  return splitOf(taskId, { dev: 0.1, test: 0 });
}

/** The split of a task in the training set; null for the test problems of the two sets above. */
export function trainSplit(taskId: string): Split | null {
  if ((mbppSplit(taskId) ?? appsSplit(taskId)) === "test") return null;
  return splitOf(taskId, { dev: 0.05, test: 0 });
}
