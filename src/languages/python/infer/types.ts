/** Types of values for inference, and the result types of Python's built-ins: the one table for `returns/` and `type-errors/`. */

export type ValueType =
  | "None"
  /** Includes bool, because `1 == True`. */
  | "int"
  | "float"
  | "text"
  | "list"
  | "tuple"
  | "dict"
  | "set"
  | "range"
  /** `dict.keys()` and the like. */
  | "view"
  | "iterator"
  | "function";

/** A family of types whose values may be equal (`1 == 1.0`). Values of different families are never equal. */
export type Family = Exclude<ValueType, "int" | "float" | "range" | "view" | "function"> | "number";

/** The result type of a function or method; `number` if its argument decides between int and float. */
export type GivenType = ValueType | "number";

/** The family of a type; null for types whose values are seldom returned. Nothing is inferred for those. */
export function familyOf(type: GivenType): Family | null {
  if (type === "int" || type === "float") return "number";
  return type === "range" || type === "view" || type === "function" ? null : type;
}

/** Inverts a table: maps each name to the key that lists it. */
export const tableOf = <T extends string>(names: Partial<Record<T, string>>): ReadonlyMap<string, T> =>
  new Map(
    Object.entries<string>(names as Record<string, string>).flatMap(([key, list]) =>
      list.split(/\s+/).map((name) => [name, key as T]),
    ),
  );

/** Result types of built-in functions and the usual containers of `collections`, if the name alone determines them. */
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

/** Result types of methods, if they are the same for every built-in type that has the method. */
export const METHOD_GIVES: ReadonlyMap<string, ValueType> = tableOf<ValueType>({
  None: "append clear extend insert remove reverse sort",
  int: `bit_length count endswith find index isalnum isalpha isascii isdecimal isdigit isdisjoint isidentifier islower isnumeric
    isprintable isspace issubset issuperset istitle isupper rfind rindex startswith`,
  text: `capitalize casefold center expandtabs format join ljust lower lstrip removeprefix removesuffix replace rjust rstrip strip
    swapcase title translate upper zfill`,
  list: "rsplit split splitlines",
  tuple: "partition rpartition",
});

/** Result types of functions of `math`. */
export const MATH_GIVES: ReadonlyMap<string, "int" | "float" | "number"> = tableOf<"int" | "float" | "number">({
  int: "ceil comb factorial floor gcd isqrt lcm perm trunc",
  float: `acos asin atan atan2 cos cosh degrees exp fabs fmod fsum hypot ldexp log log10 log1p log2 pow radians sin sinh sqrt tan
    tanh`,
  number: "prod",
});
