/** Cuts files into windows of token ids, and makes the sequences of a pretraining step from them. */
import { shareBudget } from "../../tokenize/index.ts";
import type { Random } from "../../util/random.ts";

/** Token ids of a section of a file, without special tokens. */
export type Window = Int32Array;

/** A training sequence: one window, or two of one file in the roles of candidate and reference. */
export interface Draw {
  readonly window: Window;
  readonly reference: Window | null;
}

/**
 * Share of the windows that are followed by another window of their file. The pairs train the positions after the first separator, and help
 * to train the parts and the cover levels.
 */
export const PAIR_SHARE = 0.5;

/** Matches before a top-level function or class, including its decorators. A line inside a string that looks like one also matches. */
const DEFINITION = /^(?=@|(?:async +)?def |class )(?<!^@.*\n)/m;

/**
 * Cuts a program before top-level definitions. Consecutive definitions are joined up to half of the longest sequence, so that two windows
 * fit into one sequence. A longer definition stays whole, unless it exceeds the longest sequence.
 *
 * @param maxLength maximum tokens in a sequence, including `<s>` and `</s>`
 */
export function cutWindows(code: string, encode: (text: string) => number[], maxLength: number): Window[] {
  const [half, whole] = [Math.floor((maxLength - 3) / 2), maxLength - 2];
  const windows: Window[] = [];
  let joined: number[] = [];
  const close = (): void => {
    for (let from = 0; from < joined.length; from += whole)
      windows.push(Int32Array.from(joined.slice(from, from + whole)));
    joined = [];
  };
  for (const definition of code.split(DEFINITION)) {
    const ids = encode(definition);
    if (joined.length + ids.length > half) close();
    joined = joined.concat(ids);
  }
  close();
  return windows;
}

/** Every window of the files once, in order. With probability `PAIR_SHARE` it gets another window of its file as reference. */
export const drawAll = (files: readonly (readonly Window[])[], random: Random): Draw[] =>
  files.flatMap((windows) =>
    windows.map((window, i) => {
      if (windows.length === 1 || !random.chance(PAIR_SHARE)) return { window, reference: null };
      const other = random.int(0, windows.length - 2);
      return { window, reference: windows[other < i ? other : other + 1]! };
    }),
  );

/** The ids of a draw, joined as the scorer joins parts: `<s> window </s>` or `<s> window </s> reference </s>`. */
export function sequenceOf(
  { window, reference }: Draw,
  { start, end, maxLength }: { readonly start: number; readonly end: number; readonly maxLength: number },
): number[] {
  if (reference === null) return [start, ...window, end];
  const [first, second] = shareBudget([window.length, reference.length], maxLength - 3);
  return [start, ...window.subarray(0, first), end, ...reference.subarray(0, second), end];
}
