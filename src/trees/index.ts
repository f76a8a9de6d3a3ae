export { type BoostOptions, boost, type Rows, TREES } from "./boost.ts";
export { type Counts, countsOf } from "./counts.ts";
export { type Forest, meanOf, type Nodes, predict, predictor } from "./forest.ts";
export {
  compare,
  type Forests,
  type Grown,
  type Judged,
  loadCounts,
  makeTrees,
  readTrees,
  TREES_FILE,
  type Trees,
  vectorOf,
  writeTrees,
} from "./trees.ts";
