/** The classes of programs for which the executor has shortcuts: generators of random ones, and how many of them the shortcut accepts. */
import type { Random } from "../../../src/util/random.ts";
import type { RandomProgram } from "./compare.ts";
import { loopProgram } from "./loops.ts";
import { recursionProgram } from "./recursion.ts";
import { sharedProgram } from "./shared.ts";

export const CLASSES: readonly {
  readonly name: string;
  readonly make: (random: Random) => RandomProgram;
  readonly seed: number;
  /** Number of programs in the fast suite. Programs that time out use the time limit. */
  readonly few: number;
  /** A Python expression over `code` and its `tree`: whether the shortcut accepts it. */
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
    expression: "tree and may_be_watched(tree, code)",
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
