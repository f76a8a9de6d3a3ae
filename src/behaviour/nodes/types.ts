/**
 * Linked lists and binary trees as arguments and answers. Inputs hold them as lists, as LeetCode writes them: `[1, 2, 3]` for a linked list,
 * and for a tree its levels, with None for a child that is missing (`[3, 9, 20, None, None, 15, 7]`). The called expression makes nodes of
 * them, and lists of the nodes in an answer (source.ts).
 */

export interface NodeClass {
  readonly name: string;
  readonly kind: "list" | "tree";
  /** The attribute that holds the value, and those that hold the other nodes: `next`, or `left` and `right`. */
  readonly value: string;
  readonly links: readonly string[];
}

/** A parameter that takes a node, or a list of nodes. */
export interface NodeParameter {
  readonly name: string;
  readonly slot: number;
  readonly of: NodeClass;
  readonly isList: boolean;
}

export interface TreeForm {
  /** Values rise from left to right. */
  readonly search: boolean;
  /** All values differ. */
  readonly distinct: boolean;
  /** `complete`: all levels but the last are filled, which is filled from the left; `perfect`: so is the last; `full`: each node has two children or none. */
  readonly shape: "complete" | "perfect" | "full" | null;
}

export interface Nodes {
  readonly classes: readonly NodeClass[];
  readonly parameters: readonly NodeParameter[];
  /** Places of the other parameters that are values of nodes of the tree: `start` in "the node with value start". */
  readonly values: readonly number[];
  /** Whether the function returns a node, so that None is an empty list. */
  readonly returns: boolean;
  /** Whether the answer is what the arguments are after the call. */
  readonly after: boolean;
  /** What the description says of the trees. */
  readonly trees: TreeForm;
}
