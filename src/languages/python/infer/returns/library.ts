/** What built-in functions and the methods of built-in values answer with, as far as that hangs on nothing else. */

/** Kinds of values that are never equal to those of another kind. A number may be a bool: `1 == True == 1.0`. */
export type Kind = "None" | "number" | "text" | "list" | "tuple" | "dict" | "set" | "iterator";

const tableOf = (kinds: Partial<Record<Kind, string>>): ReadonlyMap<string, Kind> =>
  new Map(Object.entries(kinds).flatMap(([kind, names]) => names.split(/\s+/).map((name) => [name, kind as Kind])));

export const FUNCTIONS = tableOf({
  None: "print",
  number: "abs all any bool callable float hasattr hash id int isinstance issubclass len ord round",
  text: "ascii bin chr hex input oct repr str",
  list: "list sorted",
  tuple: "divmod tuple",
  dict: "dict Counter OrderedDict defaultdict",
  set: "frozenset set",
  iterator: "enumerate filter map reversed zip",
});

/** Only where they mean the same for every built-in value that has them. */
export const METHODS = tableOf({
  None: "append clear extend insert remove reverse sort",
  number: `bit_length count endswith find index isalnum isalpha isdecimal isdigit isdisjoint islower isnumeric isspace issubset
    issuperset isupper rfind rindex startswith`,
  text: `capitalize casefold center expandtabs format join ljust lower lstrip removeprefix removesuffix replace rjust rstrip strip
    swapcase title translate upper zfill`,
  list: "rsplit split splitlines",
  tuple: "partition rpartition",
});

export const MATH = new Set(
  "ceil comb exp fabs factorial floor fsum gcd hypot isqrt log log10 log2 perm pow prod sqrt".split(" "),
);
