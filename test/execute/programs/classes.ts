/** The short cuts' classes of programs: what makes random ones, and how many of them are taken by the short cut. */
import type { Random } from "../../../src/util/random.ts";
import type { RandomProgram } from "./compare.ts";
import { loopProgram } from "./loops.ts";
import { recursionProgram } from "./recursion.ts";
import { sharedProgram } from "./shared.ts";

export const CLASSES: readonly {
  readonly name: string;
  readonly make: (random: Random) => RandomProgram;
  readonly seed: number;
  /** Programs of the fast suite: those that run out of time take it. */
  readonly few: number;
  /** A Python expression over `code` and its `tree`: whether the short cut takes it. */
  readonly expression: string;
  readonly least: number;
}[] = [
  {
    name: "remembered recursion",
    make: recursionProgram,
    seed: 9,
    few: 48,
    expression: "tree and recursive(tree)",
    least: 0.5,
  },
  {
    name: "endless loops",
    make: loopProgram,
    seed: 10,
    few: 40,
    expression: "tree and loops_of(tree, code)",
    least: 0.5,
  },
  {
    name: "shared processes",
    make: sharedProgram,
    seed: 11,
    few: 120,
    expression: "tree",
    least: 0.8,
  },
];
