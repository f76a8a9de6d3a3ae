/** The start offsets of a program's lines, computed once for many queries. */

import { oncePer } from "../../../util/remember.ts";
import { firstWhere } from "../../../util/search.ts";
import type { Program } from "./parse.ts";

const lineStarts = oncePer(({ code }: Program): readonly number[] => {
  const starts = [0];
  for (let at = code.indexOf("\n"); at >= 0; at = code.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
});

/** The text between the start of an offset's line and the offset. */
export function beforeOnLine(program: Program, offset: number): string {
  const starts = lineStarts(program);
  const next = firstWhere(starts.length, (line) => starts[line]! > offset);
  return program.code.slice(starts[next - 1], offset);
}
