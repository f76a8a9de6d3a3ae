/** Types of values as inference knows them, and what Python's built-ins give: the one table of `returns/` and `type-errors/`. */

export type ValueType =
  | "None"
  /** A bool is one: `1 == True`. */
  | "int"
  | "float"
  | "text"
  | "list"
  | "tuple"
  | "dict"
  | "set"
  | "range"
  /** `dict.keys()` and its like. */
  | "view"
  | "iterator"
  | "function";

/** Types whose values may be equal, since `1 == 1.0`. Values of two families never are. */
export type Family = Exclude<ValueType, "int" | "float" | "range" | "view" | "function"> | "number";

/** What a function or method gives: `number` where its argument says whether int or float. */
export type GivenType = ValueType | "number";

/** null for types whose values are seldom returned and of which nothing is said. */
export function familyOf(type: GivenType): Family | null {
  if (type === "int" || type === "float") return "number";
  return type === "range" || type === "view" || type === "function" ? null : type;
}

/** Names by what they belong to, turned around. */
export const tableOf = <T extends string>(names: Partial<Record<T, string>>): ReadonlyMap<string, T> =>
  new Map(
    Object.entries<string>(names as Record<string, string>).flatMap(([key, list]) =>
      list.split(/\s+/).map((name) => [name, key as T]),
    ),
  );

/** What built-in functions and the usual containers of `collections` give, where that hangs on nothing but their name. */
export const FUNCTION_GIVES: ReadonlyMap<string, GivenType> = tableOf<GivenType>({
  None: "print",
  int: "all any bool callable hasattr hash id int isinstance issubclass len ord",
  float: "float",
  number: "abs round",
  text: "ascii bin chr format hex input oct repr str",
  list: "list sorted",
  tuple: "divmod tuple",
  dict: "dict Counter OrderedDict defaultdict",
  set: "frozenset set",
  iterator: "enumerate filter map reversed zip",
});

/** What methods give, where they mean the same for every built-in value that has them. */
export const METHOD_GIVES: ReadonlyMap<string, ValueType> = tableOf<ValueType>({
  None: "append clear extend insert remove reverse sort",
  int: `bit_length count endswith find index isalnum isalpha isascii isdecimal isdigit isdisjoint isidentifier islower isnumeric
    isprintable isspace issubset issuperset istitle isupper rfind rindex startswith`,
  text: `capitalize casefold center expandtabs format join ljust lower lstrip removeprefix removesuffix replace rjust rstrip strip
    swapcase title translate upper zfill`,
  list: "rsplit split splitlines",
  tuple: "partition rpartition",
});

/** What functions of `math` give. */
export const MATH_GIVES: ReadonlyMap<string, "int" | "float" | "number"> = tableOf<"int" | "float" | "number">({
  int: "ceil comb factorial floor gcd isqrt lcm perm trunc",
  float: `acos asin atan atan2 cos cosh degrees exp fabs fmod fsum hypot ldexp log log10 log1p log2 pow radians sin sinh sqrt tan
    tanh`,
  number: "prod",
});
