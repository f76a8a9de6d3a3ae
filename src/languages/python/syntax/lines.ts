/** Where the lines of a program begin, for those who ask for many of them. */

import { oncePer } from "../../../util/remember.ts";
import { firstWhere } from "../../../util/search.ts";
import type { Program } from "./parse.ts";

const lineStarts = oncePer(({ code }: Program): readonly number[] => {
  const starts = [0];
  for (let at = code.indexOf("\n"); at >= 0; at = code.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
});

/** What stands before an offset on its line. */
export function beforeOnLine(program: Program, offset: number): string {
  const starts = lineStarts(program);
  const next = firstWhere(starts.length, (line) => starts[line]! > offset);
  return program.code.slice(starts[next - 1], offset);
}
