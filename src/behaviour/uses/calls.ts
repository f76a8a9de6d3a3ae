/** What a call tells about the values that it is given, and about its result. */
import { printLiteral } from "../../languages/python/literals/index.ts";
import { field, type Node, parts } from "../../languages/python/syntax/walk.ts";
import type { Lookups } from "./lookups.ts";
import type { Term, Terms, Use } from "./term.ts";

/** What is known of the program (read.ts). */
export interface Uses {
  readonly terms: Terms;
  readonly lookups: Lookups;
  text(node: Node | undefined): string;
  of(node: Node | undefined): Term | null;
  /** The term of a parameter of a function. */
  parameter(name: string, parameter: string): Term | null;
  definition(name: string): { readonly parameters: readonly string[]; readonly result: Term } | null;
  lambdaParameters(node: Node): Term[];
  /** The term of what a method of `sys.stdin` returns: of the whole text, of its lines, or of one line. */
  standardInput(method: string): Term;
  /** The term of a line that a call reads. */
  line(call: Node): Term;
  /** The text of a literal; null for other expressions, and for long texts. */
  literalText(node: Node | undefined): string | null;
}

const CASELESS = /^(?:lower|upper|casefold)$/;
const SAME_TEXT = /^(?:lower|upper|casefold|strip|lstrip|rstrip|title|capitalize|replace|removeprefix|removesuffix)$/;
const TEXT =
  /^(?:split|rsplit|splitlines|partition|rpartition|startswith|endswith|find|rfind|isdigit|isalpha|isalnum|isspace|isupper|islower|encode|zfill|ljust|rjust)$/;
const COLLECTIONS: Readonly<Record<string, Use>> = {
  sorted: "list",
  list: "list",
  reversed: "list",
  iter: "list",
  deque: "list",
  tuple: "list",
  set: "set",
  frozenset: "set",
};
const TYPES: Readonly<Record<string, Use>> = {
  dict: "dict",
  list: "list",
  tuple: "tuple",
  set: "set",
  str: "text",
  int: "number",
  float: "number",
  bool: "bool",
};

export function calls(uses: Uses, node: Node): Term | null {
  const called = field(node, "function");
  const list = field(node, "arguments");
  const all = list === undefined ? [] : list.type === "generator_expression" ? [list] : parts(list);
  const given = all.filter(({ type }) => type !== "keyword_argument");
  const key = all.find((one) => one.type === "keyword_argument" && uses.text(field(one, "name")) === "key");
  const lambda = key && field(key, "value");
  const over = given.length === 1 ? uses.of(given[0]) : null;
  const sortKey = (of: Term | null): void => {
    if (of === null || lambda === undefined) return;
    const own = lambda.type === "lambda" ? uses.lambdaParameters(lambda)[0] : null;
    const name = uses.text(lambda);
    const [parameter] = uses.definition(name)?.parameters ?? [];
    uses.terms.unite(uses.terms.item(of), own ?? (parameter === undefined ? null : uses.parameter(name, parameter)));
  };
  if (called?.type === "identifier") {
    sortKey(over);
    const name = uses.text(called);
    return name === "input" && uses.definition(name) === null ? uses.line(node) : byName(uses, name, given);
  }
  if (called?.type !== "attribute") return null;
  if (uses.text(field(called, "object")) === "sys.stdin") {
    const method = uses.text(field(called, "attribute"));
    return method === "readline" ? uses.line(node) : uses.standardInput(method);
  }
  const object = uses.of(field(called, "object"));
  const method = uses.text(field(called, "attribute"));
  if (method === "sort") sortKey(object);
  if (/^(?:fromisoformat|strptime)$/.test(method)) {
    uses.of(given[0])?.root.uses.add("text").add("date");
    return null;
  }
  if (method === "isoformat" || method === "strftime") return uses.terms.make("text", "date");
  if (method === "group" || method === "join") return uses.terms.make("text");
  return object === null ? null : byMethod(uses, object, method, given);
}

function byName(uses: Uses, name: string, given: readonly Node[]): Term | null {
  const { terms } = uses;
  const first = uses.of(given[0]);
  const own = uses.definition(name);
  if (own !== null) {
    for (const [i, parameter] of own.parameters.entries())
      if (given[i]) terms.unite(uses.parameter(name, parameter), uses.of(given[i]));
    return own.result;
  }
  const collection = Object.hasOwn(COLLECTIONS, name) ? COLLECTIONS[name] : undefined;
  if (collection !== undefined) return terms.collection(first && terms.item(first), collection);
  switch (name) {
    case "enumerate": {
      const pair = terms.make("tuple");
      terms.position(pair, 0).uses.add("number");
      if (first) terms.unite(terms.position(pair, 1), terms.item(first));
      return terms.collection(pair);
    }
    case "zip": {
      const row = terms.make("tuple");
      for (const [i, one] of given.entries()) {
        const over = uses.of(one);
        if (over) terms.unite(terms.position(row, i), terms.item(over));
      }
      return terms.collection(given.some(({ type }) => type === "list_splat") ? null : row);
    }
    case "map": {
      const over = uses.of(given[1]);
      if (over && uses.text(given[0]) === "int") terms.item(over).root.uses.add("digits");
      const numbers = terms.collection(uses.text(given[0]) === "int" ? terms.make("number") : null);
      if (uses.text(given[0]) === "int") numbers.root.digitsOf = over;
      return numbers;
    }
    case "range": {
      for (const one of given) uses.of(one)?.root.uses.add("number");
      return terms.collection(terms.make("number"));
    }
    case "dict":
    case "Counter":
      return first;
    case "min":
    case "max": {
      if (given.length === 1) return first && terms.item(first);
      for (const one of given) terms.unite(first, uses.of(one));
      return first;
    }
    case "sum": {
      const item = first && terms.item(first);
      item?.root.uses.add("number");
      return item;
    }
    case "abs":
    case "round":
    case "divmod":
      for (const one of given) uses.of(one)?.root.uses.add("number");
      return name === "divmod" ? null : first;
    case "int":
    case "float":
      first?.root.uses.add("digits"); // if it is a text
      return terms.make("number");
    case "len":
      return terms.make("number");
    case "str":
      return terms.make("text");
    case "isinstance": {
      const types = uses.text(given[1]).match(/\b\w+\b/g) ?? [];
      for (const type of types.slice(0, 6))
        if (first && Object.hasOwn(TYPES, type)) first.root.tested.add(TYPES[type]!);
      return null;
    }
    default:
      return null;
  }
}

function byMethod(uses: Uses, object: Term, method: string, given: readonly Node[]): Term | null {
  const { terms } = uses;
  const first = uses.of(given[0]);
  const key = uses.literalText(given[0]);
  if (CASELESS.test(method)) object.root.uses.add("caseless");
  if (/^[lr]?strip$/.test(method) && given.length === 0) object.root.uses.add("padded");
  if (SAME_TEXT.test(method) || TEXT.test(method)) {
    const { root } = object;
    root.uses.add("text");
    if (key !== null && method === "startswith") root.starts.add(key);
    if (key !== null && method === "endswith") root.ends.add(key);
    if (SAME_TEXT.test(method)) return object;
    if (/^r?find$/.test(method) && key !== null)
      root.split ??= { separator: key, parts: terms.collection(terms.make("text")) };
    if (!/split|partition/.test(method)) return null;
    const parts = terms.collection(terms.make("text"));
    parts.uses.add("parts");
    const separator = method === "splitlines" ? "\n" : given.length === 0 ? " " : key;
    if (separator !== null) root.split ??= { separator, parts, ...(/partition/.test(method) && { places: [0, 2] }) };
    return root.split?.parts ?? parts;
  }
  switch (method) {
    case "items": {
      object.root.uses.add("dict");
      const pair = terms.make("tuple");
      terms.unite(terms.position(pair, 0), terms.item(object));
      terms.unite(terms.position(pair, 1), terms.value(object));
      return terms.collection(pair);
    }
    case "keys":
      object.root.uses.add("dict");
      return terms.collection(terms.item(object));
    case "values":
      object.root.uses.add("dict");
      return terms.collection(terms.value(object));
    case "get":
    case "setdefault": {
      object.root.uses.add("dict");
      const found = key === null ? terms.value(object) : terms.field(object, key, true);
      if (key === null && first) terms.unite(terms.item(object), first);
      const fallback = given[1];
      if (fallback && fallback.type !== "none") {
        const other = uses.of(fallback);
        // `()` for a missing list says nothing of its type.
        if (other && !(fallback.type === "tuple")) terms.unite(found, other);
      }
      return found;
    }
    case "pop":
    case "popleft":
      if (given.length < 2) return terms.item(object);
      object.root.uses.add("dict");
      if (first) terms.unite(terms.item(object), first);
      return terms.value(object);
    case "append":
    case "add":
    case "appendleft":
    case "index":
      addCharacters(first, object);
      if (first) terms.unite(terms.item(object), first);
      return null;
    case "count":
    case "discard":
    case "remove":
      if (first) terms.unite(terms.item(object), first);
      return null;
    case "extend":
    case "update":
      if (first) terms.unite(terms.item(object), terms.item(first));
      return null;
    case "copy":
      return object;
    default:
      return null;
  }
}

const MOST_CHARACTERS = 12;

/** `"NESW".index(d)`: the value is one of the characters. */
function addCharacters(one: Term | null, text: Term): void {
  for (const value of text.root.constants.values())
    for (const v of value.t === "str" ? [...value.v].slice(0, MOST_CHARACTERS) : [])
      one?.root.constants.set(printLiteral({ t: "str", v }), { t: "str", v });
}
