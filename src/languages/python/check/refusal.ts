import type { Node, Program } from "../syntax/walk.ts";

/** Why Python refuses a program, in a few words, and the offset in the source; null if no single place is at fault. */
export interface Refusal {
  readonly at: number | null;
  readonly why: string;
}

/** Why Python refuses a node of a certain type; a text is about the node's own place. Null if it does not. */
export type Check = (node: Node, program: Program) => string | Refusal | null;
