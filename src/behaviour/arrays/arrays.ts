/** Finds out which parameters of a function are arrays or data frames. */
import escapeRegExp from "escape-string-regexp";
import { annotationsOf } from "../../expand/index.ts";
import type { CallEntry, Task } from "../types.ts";
import type { ArrayKind, ArrayParameter, Arrays } from "./types.ts";

/** Maximum number of characters that are read of a text. */
const LONGEST = 50_000;

const IMPORTS = /^[ \t]*(?:import|from)[ \t]+(?:numpy|pandas|scipy|sklearn|seaborn|statsmodels)\b/m;

const TYPES: Readonly<Record<ArrayKind, RegExp>> = {
  frame: /\b(?:pd\.|pandas\.)?data ?frames?\b/i,
  series: /\b(?:pd|pandas)\.Series\b|\bpandas series\b|^Series$/,
  array: /\bnd-?arrays?\b|\b(?:np|numpy)\.(?:nd)?array\b|\bnumpy arrays?\b|\bNDArray\b|\bArrayLike\b/i,
};
/** Uses of a parameter that only one kind has. `X` stands for its name. */
const USES: Readonly<Record<ArrayKind, string>> = {
  frame: String.raw`X\.(?:columns|iloc|loc|groupby|dropna|fillna|iterrows|select_dtypes|corr|describe|applymap|melt|pivot\w*|merge|drop_duplicates|to_csv|isna|isnull)\b`,
  series: String.raw`X\.(?:value_counts|str\.)`,
  array: String.raw`X\.(?:shape|reshape|flatten|ravel|ndim|T)\b`,
};
/** What changes an argument in place. */
const CHANGES = String.raw`\binplace ?= ?True\b|(?<![\w.])X(?:\.i?loc)?\[[^\n]{1,80}\] ?[-+*/]?=(?!=)|(?<![\w.])X\.(?:sort|fill|insert|pop|resize)\(`;
const ORDER = ["frame", "series", "array"] as const;

/** Which parameters of a task's function are arrays or data frames; null if none is, or if no package for them is imported. */
export function arraysOf(task: Task, entry: CallEntry): Arrays | null {
  const code = (task.reference ?? task.candidates[0] ?? "").slice(0, LONGEST);
  if (!IMPORTS.test(code)) return null;
  const found = annotationsOf(code, entry.name);
  if (found === null) return null;
  const text = `${code}\n${(task.description ?? "").slice(0, LONGEST)}`;
  const parameters = found.parameters.flatMap(({ name, annotation }, slot): ArrayParameter[] => {
    const kind =
      ORDER.find((one) => TYPES[one].test(annotation)) ?? (annotation === "" ? kindOf(name, code, text) : null);
    return kind ? [{ name, slot, kind }] : [];
  });
  const changes = parameters.some(({ name }) =>
    new RegExp(CHANGES.replaceAll("X", () => escapeRegExp(name))).test(code),
  );
  return parameters.length === 0
    ? null
    : { parameters, after: changes && !/\breturn[ \t]+(?!None\b)\S|\byield\b/.test(code) };
}

/** The kind that a text says of a parameter (`df (DataFrame): ...`, `- arr: A 2D numpy array`), or that its uses show. */
function kindOf(name: string, code: string, text: string): ArrayKind | null {
  const own = escapeRegExp(name);
  const said = new RegExp(
    `^[ \\t]{0,40}["']{0,3}[-*]?[ \\t]{0,8}\`?${own}\`? ?(?:\\(([^)\\n]{1,80})\\)|: ?([^\\n.]{1,60}))`,
    "m",
  ).exec(text);
  const type = said?.[1] ?? said?.[2] ?? "";
  // `df (dict of lists)` is no frame
  if (/\b(?:dict|dic|list|str|int|float|tuple|path)\b/i.test(said?.[1] ?? "")) return null;
  const uses = (kind: ArrayKind): boolean =>
    new RegExp(USES[kind].replaceAll("X", () => `(?<![\\w.])${own}`)).test(code);
  return (
    ORDER.find((kind) => TYPES[kind].test(type)) ??
    ORDER.find(uses) ??
    (/^(?:\w{1,20}_)?df\d?$/.test(name) ? "frame" : null)
  );
}
