/** Fits a counterexample into a line for people. Input, expected and given answer are each cut, so that none hides another. */
import type { Counterexample } from "../types.ts";
import { quotedInput, showCounterexample } from "./show.ts";

/** Minimum number of characters of each part, also in a narrow terminal. */
const LEAST = 12;
/** Maximum number of characters in a sentence, such as the reason of a conclusion, which reports show in one line. */
const SENTENCE = 400;
const CUT = "…";

/** A counterexample as part of a sentence. */
export const shortCounterexample = (found: Counterexample): string => fitCounterexample(found, SENTENCE);

/** The line for a counterexample, cut to at most `width` characters if need be. @param before what precedes it in the line */
export function fitCounterexample(found: Counterexample, width: number, before = ""): string {
  const whole = before + showCounterexample(found);
  if (whole.length <= width) return whole;
  const { input, expected, got } = found;
  // Line ends are shown as `\n` in a quoted text, which a cut may end anywhere.
  const shown = quotedInput(input);
  const parts = [shown, expected, got];
  const rest = before.length + showCounterexample({ ...found, input: "", expected: "", got: "" }).length;
  const most = width - rest;
  const sizes = shares(
    parts.map(({ length }) => length),
    Math.max(most, parts.length * LEAST),
  );
  const differ = firstDifference(expected, got);
  return (
    before +
    showCounterexample({
      ...found,
      input: cutEnd(shown, sizes[0]!),
      expected: cutAround(expected, differ, sizes[1]!),
      got: cutAround(got, differ, sizes[2]!),
    })
  );
}

/** Divides a length: short parts stay whole, the others get equal shares of what is left. */
function shares(lengths: readonly number[], most: number): number[] {
  const sizes = lengths.map(() => 0);
  let left = most;
  const order = [...lengths.keys()].sort((a, b) => lengths[a]! - lengths[b]!);
  for (const [k, i] of order.entries()) {
    sizes[i] = Math.min(lengths[i]!, Math.floor(left / (order.length - k)));
    left -= sizes[i]!;
  }
  return sizes;
}

function firstDifference(a: string, b: string): number {
  let i = 0;
  while (i < Math.min(a.length, b.length) && a[i] === b[i]) i += 1;
  return i;
}

/** The beginning, preferably up to the end of a word or item. */
function cutEnd(text: string, size: number): string {
  if (text.length <= size) return text;
  const piece = text.slice(0, size - 1);
  const end = Math.max(piece.lastIndexOf(" "), piece.lastIndexOf(",") + 1);
  return (end > size / 2 ? piece.slice(0, end) : piece).toWellFormed() + CUT;
}

/** The part with the place `at`. */
function cutAround(text: string, at: number, size: number): string {
  if (text.length <= size) return text;
  const start = Math.max(0, Math.min(at - Math.floor(size / 4), text.length - size));
  if (start === 0) return cutEnd(text, size);
  return CUT + cutEnd(text.slice(start + 1), size - 1).toWellFormed();
}
