/** Argument and result types of built-in functions and methods. */
import { METHOD_GIVES, type ValueType } from "../types.ts";

const words = (text: string): readonly string[] => text.split(/\s+/);

export type ValueTypes = readonly ValueType[];

export const NUMBERS: ValueTypes = ["int", "float"];
export const WALKED: ValueTypes = ["text", "list", "tuple", "dict", "set", "range", "view", "iterator"];
export const SIZED: ValueTypes = ["text", "list", "tuple", "dict", "set", "range", "view"];
export const INDEXED: ValueTypes = ["text", "list", "tuple", "dict", "range"];
export const REVERSED: ValueTypes = ["text", "list", "tuple", "dict", "range", "view"];
export const HASHED: ValueTypes = ["None", "int", "float", "text", "tuple", "range", "function", "iterator"];

/** Types that the first argument of a built-in function may have. */
export const TAKES: ReadonlyMap<string, ValueTypes> = new Map<string, ValueTypes>([
  ...words("len").map((name) => [name, SIZED] as const),
  ...words("all any dict enumerate frozenset iter list set sorted sum tuple zip").map(
    (name) => [name, WALKED] as const,
  ),
  ["reversed", REVERSED],
  ["next", ["iterator"]],
  ["abs", NUMBERS],
  ["round", NUMBERS],
  ["bin", ["int"]],
  ["chr", ["int"]],
  ["hex", ["int"]],
  ["oct", ["int"]],
  ["range", ["int"]],
  ["ord", ["text"]],
  ["int", ["int", "float", "text"]],
  ["float", ["int", "float", "text"]],
]);

/** Functions of `math` that iterate over their argument. All others take numbers. */
export const MATH_WALKS: ReadonlySet<string> = new Set(["fsum", "prod"]);
/** Functions of `math` that only take integers. */
export const WHOLE: ReadonlySet<string> = new Set(words("comb factorial gcd isqrt lcm perm"));

const TEXT_METHODS =
  words(`capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha isascii
  isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition
  removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title
  translate upper zfill`);
const NUMBER_METHODS = words("as_integer_ratio conjugate denominator from_bytes imag numerator real to_bytes");

/** Attributes of each type, without those in underscores. For dicts, also those of their subclasses. */
export const ATTRIBUTES: ReadonlyMap<ValueType, ReadonlySet<string>> = new Map(
  Object.entries({
    None: [],
    int: [...NUMBER_METHODS, "bit_length", "bit_count"],
    float: [...NUMBER_METHODS, "fromhex", "hex", "is_integer"],
    text: TEXT_METHODS,
    list: words("append clear copy count extend index insert pop remove reverse sort"),
    tuple: words("count index"),
    dict: words(`clear copy default_factory elements fromkeys get items keys most_common move_to_end pop popitem setdefault subtract total
      update values`),
    set: words(`add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset issuperset pop
      remove symmetric_difference symmetric_difference_update union update`),
    range: words("count index start step stop"),
    view: words("isdisjoint mapping"),
    iterator: words("close gi_frame send throw"),
  }).map(([type, names]) => [type as ValueType, new Set(names)]),
);

/** Methods of text that return text, and those that return an integer. */
export const TEXT_GIVES: ReadonlyMap<string, ValueType> = new Map(
  [...METHOD_GIVES].filter(([name, type]) => TEXT_METHODS.includes(name) && (type === "text" || type === "int")),
);
/** How many of a text method's first arguments must be text. (`strip` and `split` also accept `None`, for white space.) */
export const TEXT_ARGUMENTS: ReadonlyMap<string, number> = new Map([
  ...words("count find index lstrip partition rfind rindex rpartition rsplit rstrip split strip").map(
    (name) => [name, 1] as const,
  ),
  ["replace", 2],
]);

/** The minimum and maximum number of positional arguments, and the names of keyword arguments. */
export type Counts = readonly [least: number, most: number, names: readonly string[]];

/** Argument counts of built-in functions. */
export const COUNTS: ReadonlyMap<string, Counts> = new Map<string, Counts>([
  ...words("abs all any bin callable chr hash hex id len oct ord reversed").map((name) => [name, [1, 1, []]] as const),
  ...words("bool float frozenset list set tuple").map((name) => [name, [0, 1, []]] as const),
  ["sorted", [1, 1, ["key", "reverse"]]],
  ["max", [1, Number.POSITIVE_INFINITY, ["key", "default"]]],
  ["min", [1, Number.POSITIVE_INFINITY, ["key", "default"]]],
  ["sum", [1, 2, ["start"]]],
  ["enumerate", [1, 2, ["start"]]],
  ["int", [0, 2, ["base"]]],
  ["range", [1, 3, []]],
  ["round", [1, 2, ["ndigits"]]],
  ["isinstance", [2, 2, []]],
  ["divmod", [2, 2, []]],
  ["map", [2, Number.POSITIVE_INFINITY, []]],
  ["filter", [2, 2, []]],
]);

/** Argument counts of methods of built-in values. */
export const METHOD_COUNTS: ReadonlyMap<string, Counts> = new Map<string, Counts>([
  ...words("append extend join discard").map((name) => [name, [1, 1, []]] as const),
  ...words(
    "clear isalnum isalpha isdigit islower isspace isupper items keys lower popitem reverse swapcase title upper values",
  ).map((name) => [name, [0, 0, []]] as const),
  ["insert", [2, 2, []]],
  ["remove", [1, 1, []]],
  ["replace", [2, 3, []]],
  ["sort", [0, 0, ["key", "reverse"]]],
]);

/** Methods of Python 2 that no value has in Python 3. */
export const GONE = /^(?:has_key|iter(?:items|keys|values))$/;
/** Modules whose names are all known, except those that later Python versions add (`LATER`). */
export const CLOSED_MODULES = /^(?:collections|heapq|itertools|math|string)$/;
export const LATER = /^(?:abc|batched|fma|sumprod)$/;

/** The result types of `left operator right`; null if Python raises TypeError for these types. */
export function operated(operator: string, left: ValueType, right: ValueType): readonly ValueType[] | null {
  const numbers = isNumber(left) && isNumber(right);
  const bothInt = left === "int" && right === "int";
  const sets = areSets(left, right);
  const dicts = left === "dict" && right === "dict";
  switch (operator) {
    case "+":
      if (numbers) return bothInt ? ["int"] : ["float"];
      return left === right && /^(?:text|list|tuple|dict)$/.test(left) ? [left] : null; // Counter + Counter
    case "-":
      if (numbers) return bothInt ? ["int"] : ["float"];
      return sets ? ["set"] : dicts ? ["dict"] : null;
    case "*":
      if (numbers) return bothInt ? ["int"] : ["float"];
      if (right === "int" && isSequence(left)) return [left];
      return left === "int" && isSequence(right) ? [right] : null;
    case "%":
      return left === "text" ? ["text"] : numbers ? (bothInt ? ["int"] : ["float"]) : null;
    case "//":
      return numbers ? (bothInt ? ["int"] : ["float"]) : null;
    case "/":
      return numbers ? ["float"] : null;
    case "**":
      return numbers ? (bothInt ? ["int", "float"] : ["float"]) : null;
    case "<<":
    case ">>":
      return bothInt ? ["int"] : null;
    case "&":
    case "|":
    case "^":
      return bothInt ? ["int"] : sets ? ["set"] : dicts && operator !== "^" ? ["dict"] : null;
    default:
      return [];
  }
}

/** Whether Python can order two types with `<`. */
export const isOrdered = (left: ValueType, right: ValueType): boolean =>
  (isNumber(left) && isNumber(right)) ||
  (left === right && /^(?:text|list|tuple|dict)$/.test(left)) || // Counter <= Counter
  (isSetLike(left) && isSetLike(right));

const isNumber = (type: ValueType): boolean => type === "int" || type === "float";
/** Whether a set operator accepts both: a view combines with any iterable. */
const areSets = (left: ValueType, right: ValueType): boolean =>
  (left === "set" && right === "set") ||
  (left === "view" && WALKED.includes(right)) ||
  (right === "view" && WALKED.includes(left));
const isSetLike = (type: ValueType): boolean => type === "set" || type === "view";
const isSequence = (type: ValueType): boolean => type === "text" || type === "list" || type === "tuple";
