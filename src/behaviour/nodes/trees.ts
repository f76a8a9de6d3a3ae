/** The constraints on trees in inputs, and inputs with lists and trees of other shapes. */
import { parseArguments } from "../../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../../types.ts";
import type { Random } from "../../util/random.ts";
import type { Constraint, Part } from "../constraints/parts.ts";
import { printArguments } from "../shown.ts";
import { isNodeOfTree } from "./as-lists.ts";
import { mirroredTree, reshaped } from "./tree.ts";
import type { Nodes } from "./types.ts";

/** Constraints: lists are trees of the form that the description states, and some other arguments are values in them. */
export function treesOf(nodes: Nodes | undefined): Constraint[] {
  if (nodes === undefined) return [];
  const { parameters, values, trees: form } = nodes;
  const tree = parameters.find(({ of, isList }) => of.kind === "tree" && !isList);
  const inTree = (slot: number): Constraint[] =>
    tree === undefined || tree.slot > slot
      ? []
      : [{ kind: "node", part: { slot, path: [], of: "value" }, tree: { slot: tree.slot, path: [], of: "value" } }];
  return parameters
    .flatMap((one): Constraint[] => {
      const part: Part = { slot: one.slot, path: one.isList ? ["*"] : [], of: "value" };
      if (!isNodeOfTree(one, nodes)) return one.of.kind === "tree" ? [{ kind: "tree", part, form }] : [];
      return inTree(one.slot);
    })
    .concat(values.flatMap(inTree));
}

/** Longer ones are not made longer still. */
const SHORT = 6;
/** Shares of the inputs in which a list or tree is the one before it, or its mirror image, and in which it is longer or reads the same backwards. */
const [SAME, MIRRORED, LONGER, BACKWARDS] = [0.25, 0.15, 0.3, 0.1];

/** The input with lists and trees of other shapes. Lists of numbers are complete trees. */
export function withShapes(input: ProgramInput, { parameters }: Nodes, rng: Random): ProgramInput {
  if ("stdin" in input) return input;
  const { positional, keyword } = parseArguments(input.args);
  const values = [...positional];
  for (const { slot, of, isList } of parameters) {
    const [given, before] = [
      values[slot],
      parameters.find((one) => one.slot < slot && one.of.name === of.name && !one.isList),
    ];
    const other = before && values[before.slot];
    if (given?.t !== "list") continue;
    if (isList) values[slot] = { t: "list", v: given.v.map((one) => changed(one, of.kind, rng)) };
    else if (other?.t === "list" && rng.chance(SAME)) values[slot] = other;
    else if (other?.t === "list" && of.kind === "tree" && rng.chance(MIRRORED))
      values[slot] = { t: "list", v: mirroredTree(other.v) };
    else values[slot] = changed(given, of.kind, rng);
  }
  return { args: printArguments({ positional: values, keyword }) };
}

function changed(value: PyValue, kind: "list" | "tree", rng: Random): PyValue {
  if (value.t !== "list") return value;
  const isShort = value.v.length <= SHORT;
  const items = isShort && rng.chance(LONGER) ? [...value.v, ...rng.shuffle(value.v)] : value.v;
  if (kind === "tree") return { t: "list", v: reshaped(items, rng) };
  return { t: "list", v: isShort && rng.chance(BACKWARDS) ? [...items, ...items.toReversed()] : items };
}
