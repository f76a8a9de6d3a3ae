/** Linked lists and binary trees as arguments and answers. */
export { asLists, isNodeOfTree } from "./as-lists.ts";
export { nodesOf } from "./nodes.ts";
export { NODES_HELPER, nodesSource } from "./source.ts";
export { isTree, isValueOf, mendedTree, valueAt } from "./tree.ts";
export { treesOf, withShapes } from "./trees.ts";
export type { Nodes } from "./types.ts";
