/** Static marks, found in the source, where the tokens of a program's text have them. Each step takes time linear in both. */

import type { Mark } from "../languages/python/check/marks.ts";
import type { Lexeme } from "../languages/python/normalize/lexemes.ts";

/** Tokens `from` to before `to` carry a mark. */
export interface TokenMark {
  readonly from: number;
  readonly to: number;
  readonly mark: number;
  readonly name?: string;
}

/**
 * Marks by offsets in the text instead of the source: from the first to the last of the lexemes, as the text has them, that
 * begin within. The text does not keep the order of the source everywhere: the `pass` of a block that the parser found empty
 * counts as standing at the source's beginning.
 * @param marks in order of their starts; a module's name may lie within its own mark
 */
export function marksInText(marks: readonly Mark[], lexemes: readonly Lexeme[]): Mark[] {
  const bySource = lexemes.map((_, i) => i).sort((a, b) => lexemes[a]!.source - lexemes[b]!.source || a - b);
  const out: Mark[] = [];
  let next = 0;
  for (const mark of marks) {
    while (next < bySource.length && lexemes[bySource[next]!]!.source < mark.start) next += 1;
    let [first, last] = [lexemes.length, -1];
    for (let k = next; k < bySource.length && lexemes[bySource[k]!]!.source < mark.end; k++) {
      first = Math.min(first, bySource[k]!);
      last = Math.max(last, bySource[k]!);
    }
    if (last >= 0) out.push({ ...mark, start: lexemes[first]!.start, end: lexemes[last]!.end });
  }
  return out;
}

/**
 * Marks by tokens instead of offsets in the text.
 * @param ends bytes of the text up to each token's end, or characters
 */
export function marksInTokens(
  marks: readonly Mark[],
  text: string,
  ends: readonly number[],
  unit: "bytes" | "characters" = "bytes",
): TokenMark[] {
  if (marks.length === 0) return [];
  const bytes = unit === "characters" || ends.at(-1) === text.length ? null : bytesBefore(text);
  const out: TokenMark[] = [];
  let from = 0;
  for (const { start, end, ...mark } of marks) {
    const [first, last] = bytes === null ? [start, end] : [bytes[start]!, bytes[end]!];
    while (from < ends.length && ends[from]! <= first) from += 1;
    let to = from;
    while (to < ends.length && (to === from ? first : ends[to - 1]!) < last) to += 1;
    if (to > from) out.push({ from, to, ...mark });
    from = to;
  }
  return out;
}

/** Bytes of UTF-8 before each offset of a text without lone surrogates; a pair's first half counts three of its four. */
function bytesBefore(text: string): Uint32Array {
  const bytes = new Uint32Array(text.length + 1);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const isSecondHalf = (unit & 0xfc00) === 0xdc00;
    bytes[i + 1] = bytes[i]! + (unit < 0x80 || isSecondHalf ? 1 : unit < 0x800 ? 2 : 3);
  }
  return bytes;
}
