/**
 * Which problems a set is made of, and which part of it each belongs to. By id alone, so that anyone can recompute it.
 * `mbpp-eval` has MBPP's own split (Austin et al. 2021: 11-510 test, 511-600 validation, 601-974 train, 1-10 prompt);
 * `apps-eval` tests on the problems whose sha256 of `task_id`, read as an integer, is 0 mod 5.
 */
import { mbppSplitOf } from "../../problems/index.ts";
import { sha256 } from "../../util/files.ts";
import { type Split, splitOf } from "../split.ts";

/** Null for a task that is not of MBPP. `MBPPT/N` goes where `MBPP/N` goes. */
export function mbppSplit(taskId: string): Split | null {
  const split = taskId.startsWith("MBPP") ? mbppSplitOf(taskId) : null;
  if (split === null || split === "test") return split;
  return split === "validation" ? "dev" : "train"; // few-shot prompts need no examples of their own here
}

/** APPS and the sets of contests that stand beside it. Null for other tasks. */
export function appsSplit(taskId: string): Split | null {
  if (!/^(?:APPS|CC|XCode)\//.test(taskId)) return null;
  if (BigInt(`0x${sha256(taskId)}`) % 5n === 0n) return "test";
  return splitOf(taskId, { dev: 0.1, test: 0 });
}

/** Everything that is tested on nowhere: null for the test problems of the two sets above. */
export function trainSplit(taskId: string): Split | null {
  if ((mbppSplit(taskId) ?? appsSplit(taskId)) === "test") return null;
  return splitOf(taskId, { dev: 0.05, test: 0 });
}
