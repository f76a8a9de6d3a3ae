/** Reads a task about nodes as one about the lists that stand for them. Programs themselves are not changed. */
import { withAnnotations } from "../../expand/index.ts";
import type { Entry, Task } from "../types.ts";
import type { NodeParameter, Nodes } from "./types.ts";

/** Maximum number of characters of a description that are changed. */
const LONGEST = 100_000;

/** The task with lists of numbers in signatures and description. A second call changes nothing. */
export function asLists(task: Task, entry: Entry): Task {
  const nodes = entry.kind === "call" ? entry.nodes : undefined;
  if (entry.kind === "stdin" || nodes === undefined) return task;
  const places = new Map(nodes.parameters.map((one) => [one.slot, one]));
  const change = (code: string): string => {
    const changed = withAnnotations(code, entry.name, (place) => {
      const own = places.get(place);
      return own === undefined ? null : isNodeOfTree(own, nodes) ? "int" : own.isList ? "List[List[int]]" : "List[int]";
    });
    // `if head is None` asks for an empty list
    return nodes.parameters.reduce(
      (text, { name }) =>
        text
          .replace(new RegExp(`(?<![\\w.])${name} is not None\\b`, "g"), name)
          .replace(new RegExp(`(?<![\\w.])${name} is None\\b`, "g"), `not ${name}`),
      changed,
    );
  };
  const { reference, description, candidates } = task;
  return {
    ...task,
    reference: reference === null ? null : change(reference),
    description: description === null ? null : change(described(description.slice(0, LONGEST), nodes)),
    candidates: candidates.map(change),
  };
}

const OF_TREE = /^(?:[pquv]|target|node\w?|start|dest)$/;

/** Whether a parameter is a node of the tree before it, as in `lowestCommonAncestor(root, p, q)`, whose value an input holds. In `isSame(p, q)` none is. */
export const isNodeOfTree = ({ name, slot, of, isList }: NodeParameter, { parameters }: Nodes): boolean =>
  !isList &&
  OF_TREE.test(name) &&
  parameters.some((one) => one.of.name === of.name && one.slot < slot && !OF_TREE.test(one.name));

/** The description with lists in place of linked lists and trees. */
function described(text: string, nodes: Nodes): string {
  const names = nodes.parameters.filter((one) => !one.isList && !isNodeOfTree(one, nodes)).map(({ name }) => name);
  if (names.length === 0) return text;
  const lengths = names.map((name) => `${name}.length`).join(", ");
  const digits = names.map((name) => `0 <= ${name}[i] <= 9`).join(". ");
  const items = names.map((name) => `${name}[i]`).join(", ");
  const [only] = names.length === 1 ? names : [];
  return text
    .replace(
      /\b(?:singly[- ])?linked list (?=(?:of|with|has) (?:an? )?(?:even |odd )?(?:size|length) \w)/gi,
      (found) => (only === undefined ? found : `${only} `),
    )
    .replace(
      /\bnumber of nodes (?:in|of) (?:the |each |both )?(?:\w{1,12} )?(?:trees?|(?:linked )?lists?)[^.\n]{0,30}? (?:is|are|will be) in the range (?:of )?`{0,2}\[(\d[\w^*.]{0,12}), ?(\d[\w^*.]{0,12})\]/gi,
      (_, low: string, high: string) => `${low} <= ${lengths} <= ${high}`,
    )
    .replace(/\bnumber of nodes in [^.\n]{0,60}? is `?[a-z]`?(?=[.\n])/gi, "")
    .replace(/\b(?:Tree|List)?Node\.val\b/g, items)
    .replace(
      /\b(?:each|every|all)(?: of (?:the|their))? nodes? (?:has|have|contains?|holds?) (?:an? )?values? (?:of )?/gi,
      `${items} is `,
    )
    .replace(
      /\b(?:each|every) (?:of (?:the|their) )?nodes? contains? a single digit\b|\brepresent\w* (?:an? |two )?non-negative integers?\b/gi,
      (found) => `${found}. ${digits}. `,
    )
    .replace(
      /\b(?:the )?heads? of (?:an? |two |the )?(?=(?:\w{1,12} ){0,2}(?:singly[- ])?(?:linked )?lists?\b)/gi,
      (found) => found.replace(/^(?:the )?heads? of /i, ""),
    )
    .replace(/\b(?:singly[- ])?linked[- ]?(?=lists?\b)/gi, "");
}
