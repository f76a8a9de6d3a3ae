/** Finds out which parameters of a function are linked lists and binary trees, and what the description says of them. */
import escapeRegExp from "escape-string-regexp";
import { annotationsOf } from "../../expand/index.ts";
import type { CallEntry, Task } from "../types.ts";
import type { NodeClass, NodeParameter, Nodes } from "./types.ts";

/** Maximum number of characters that are read of a text, and of classes in it. */
const LONGEST = 50_000;
const MOST_CLASSES = 8;

const NEXT = /^(?:next|nxt|next_node|nextNode|_next)$/;
const [LEFT, RIGHT] = [/^(?:left|left_child|leftChild)$/, /^(?:right|right_child|rightChild)$/];
const VALUE = /^(?:val|value|data|key|item|info|_?value|_data)$/;

/** The classes that LeetCode defines. */
const KNOWN: readonly NodeClass[] = [
  { name: "ListNode", kind: "list", value: "val", links: ["next"] },
  { name: "TreeNode", kind: "tree", value: "val", links: ["left", "right"] },
];
/** Names of parameters that are nodes if the program defines a class of nodes and annotates nothing. */
const NAMES: Readonly<Record<NodeClass["kind"], RegExp>> = {
  list: /^(?:(?:linked_?)?list\w?\d?|l\d|head\w{0,2}|\w{1,12}_head|node|start)$/i,
  tree: /^(?:root\w{0,2}|\w{1,12}_root|tree\w?\d?|node|[pqst])$/i,
};

const DISTINCT =
  /\buniquely assigned\b|\b(?:unique|distinct) (?:node )?values\b|\bvalues? (?:of (?:the|each|all) nodes? )?(?:is|are) (?:all )?(?:unique|distinct)\b|\bNode\.val`? (?:is|are) (?:all )?(?:unique|distinct)\b/i;
const SHAPES = [
  ["complete", /\b(?:given|root of|takes?) (?:an? |the )?(?:root of (?:an? |the )?)?complete binary tree\b/i],
  ["perfect", /\b(?:given|root of|takes?) (?:an? |the )?(?:root of (?:an? |the )?)?perfect binary tree\b/i],
  ["full", /\bfull binary tree\b|\bexactly (?:two|2) or (?:zero|0|no) (?:sub-?nodes?|child(?:ren)?)\b/i],
] as const;
const SEARCH_TREE = /\bbinary[- ]search[- ]trees?\b|\bBSTs?\b/i;
/** Tasks about trees that may be no search trees, or that make one. */
const NO_SEARCH_TREE =
  /\b(?:valid(?:ate)?|verif(?:y|ies)|whether|determines?|checks?|recover|swapped|largest|maximum sum|convert|construct|build|creates?)\b[^.]{0,80}(?:\bbinary[- ]search[- ]trees?\b|\bBSTs?\b)/i;

/** What a task's function takes and returns of nodes; null if it has nothing to do with them. */
export function nodesOf(task: Task, entry: CallEntry): Nodes | null {
  const { reference, description, candidates } = task;
  const text = (description ?? "").slice(0, LONGEST);
  const texts = [reference, description, ...(reference === null ? candidates.slice(0, 3) : [])].map((text) =>
    (text ?? "").slice(0, LONGEST),
  );
  // Not from candidates: the class of one would be defined for all.
  const classes = classesIn(texts.slice(0, 2), texts);
  if (classes.length === 0) return null;
  const read = texts.map((text) => ({ text, found: annotationsOf(text, entry.name) })).filter(({ found }) => found);
  const [best] = [...read.filter(({ found }) => classIn(found!, classes)), ...read];
  if (best === undefined) return null;
  const { parameters, result } = best.found!;
  const own = parameters.flatMap(({ name, annotation }, slot): NodeParameter[] => {
    const of = classes.find((one) => hasName(annotation, one.name));
    if (of !== undefined) return [{ name, slot, of, isList: /\b(?:list|sequence|iterable)\[/i.test(annotation) }];
    if (annotation !== "") return [];
    const used = classes.find(
      (one) => one.links.some((link) => usesOf(best.text, name, link)) || NAMES[one.kind].test(name),
    );
    return used === undefined ? [] : [{ name, slot, of: used, isList: false }];
  });
  const returned = classes.find((one) => hasName(result, one.name));
  if (own.length === 0 && returned === undefined) return null;
  return {
    classes,
    parameters: own,
    values: parameters.flatMap(({ name }, slot) =>
      own.some((one) => one.slot === slot) || !isValueOfNode(name, text) ? [] : [slot],
    ),
    returns: returned !== undefined && !/\b(?:list|sequence|iterable|tuple)\[/i.test(result),
    after: result === "None",
    trees: {
      search: SEARCH_TREE.test(text) && !NO_SEARCH_TREE.test(text),
      distinct: DISTINCT.test(text),
      shape: SHAPES.find(([, said]) => said.test(text))?.[0] ?? null,
    },
  };
}

/** Whether the description speaks of a parameter as of a node. A value to find or insert need not be in the tree. */
const isValueOfNode = (name: string, description: string): boolean =>
  !/^(?:key|val|value)$/.test(name) &&
  new RegExp(
    `\\bnodes?\\b[^.\\n]{0,40}(?<!\\w)\`?${escapeRegExp(name)}\\b|(?<!\\w)${escapeRegExp(name)}\\b\`?[^.\\n]{0,40}\\bnodes?\\b`,
  ).test(description);

const hasName = (annotation: string, name: string): boolean =>
  new RegExp(`(?<![\\w.])${escapeRegExp(name)}(?!\\w)`).test(annotation);

const usesOf = (text: string, name: string, link: string): boolean =>
  new RegExp(`(?<![\\w.])${escapeRegExp(name)}\\.${link}\\b(?!\\()`).test(text);

const classIn = (found: NonNullable<ReturnType<typeof annotationsOf>>, classes: readonly NodeClass[]): boolean =>
  [...found.parameters.map(({ annotation }) => annotation), found.result].some((text) =>
    classes.some(({ name }) => hasName(text, name)),
  );

/** The classes of nodes that texts define, also in comments, and those of LeetCode that other texts annotate with. */
function classesIn(defining: readonly string[], annotating: readonly string[]): NodeClass[] {
  const found = new Map<string, NodeClass>();
  for (const text of defining) {
    const bare = text.replace(/^[ \t]*#[ \t]?/gm, "");
    for (const match of [...bare.matchAll(/^([ \t]*)class[ \t]+(\w+)[^\n:]{0,80}:/gm)].slice(0, MOST_CLASSES)) {
      const rest = bare.slice(match.index + match[0].length);
      const end = rest.search(new RegExp(`\\n${match[1]}(?=[^\\s#)\\]}])`));
      const one = classOf(match[2]!, end < 0 ? rest : rest.slice(0, end));
      if (one !== null && !found.has(one.name)) found.set(one.name, one);
    }
  }
  for (const known of KNOWN)
    if (
      !found.has(known.name) &&
      annotating.some((text) => new RegExp(`(?:[:[|>]|Optional\\[)[ \\t"']{0,4}${known.name}\\b`).test(text))
    )
      found.set(known.name, known);
  return [...found.values()];
}

/** The class with this body, if it has a value, and one `next` or a `left` and a `right`. Other links to nodes are not supported. */
function classOf(name: string, body: string): NodeClass | null {
  const fields = [
    ...body.matchAll(/\bself\.(\w{1,40})[ \t]{0,9}(?=,|:|=(?!=))/g),
    ...body.matchAll(/^[ \t]+(\w{1,40})[ \t]{0,9}:[ \t]{0,9}[\w"']/gm), // of a dataclass
  ].map(([, field]) => field!);
  const value = fields.find((field) => VALUE.test(field));
  const [next, left, right] = [NEXT, LEFT, RIGHT].map((link) => fields.find((field) => link.test(field)));
  const others = fields.filter((field) =>
    /^(?:prev|previous|random|child|children|parent|neighbors|bottom|down)$/.test(field),
  );
  if (value === undefined || others.length > 0 || /^[ \t]+def[ \t]+(?!_)\w/m.test(body)) return null;
  if (left !== undefined && right !== undefined && next === undefined)
    return { name, kind: "tree", value, links: [left, right] };
  return next !== undefined && left === undefined && right === undefined
    ? { name, kind: "list", value, links: [next] }
    : null;
}
