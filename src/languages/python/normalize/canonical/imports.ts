/** Puts imports in a fixed order. */
import { block, forEach, type Term, term } from "./terms.ts";

/**
 * Sorts each run of imports by name, with one module per line, and drops names that were imported only for annotations. Wildcard
 * imports keep their place, because the names they bind may be bound again.
 */
export function sortImports(program: Term): Term {
  const used = new Set<string>();
  let isAnnotated = false;
  forEach(program, ({ kind, text }) => {
    if (kind === "name") used.add(text);
    if (kind !== "annotated") return;
    isAnnotated = true;
    for (const word of text.match(/\w+/g) ?? []) used.add(word);
  });
  const items = program.items
    .filter(({ kind, text }) => isAnnotated || kind !== "import" || text !== "__future__") // needed only for annotations
    .flatMap((item) => split(item, used));
  const out: Term[] = [];
  let run: Term[] = [];
  const flush = (): void => {
    out.push(...run.sort((a, b) => compare(keyOf(a), keyOf(b))));
    run = [];
  };
  for (const item of items) {
    if (item.kind === "import" && item.items[0]!.text !== "*") run.push(item);
    else {
      flush();
      out.push(item);
    }
  }
  flush();
  const changed = out.length !== program.items.length || out.some((item, i) => item !== program.items[i]);
  return changed ? block(out) : program;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The key to sort imports by. `__future__` must come first. */
const keyOf = ({ text, items }: Term): string =>
  text === "__future__" ? "" : `${text} ${items.map((item) => item.text).join()}`;

function split(item: Term, used: ReadonlySet<string>): readonly Term[] {
  if (item.kind !== "import") return [item];
  const kept = item.text === "typing" ? item.items.filter(({ text }) => isNeeded(text, used)) : item.items;
  if (item.text === "") return kept.length === 1 ? [item] : kept.map((part) => term("import", [part]));
  const sorted = [...kept].sort((a, b) => compare(a.text, b.text));
  if (sorted.length === 0) return [];
  return sorted.every((part, i) => part === item.items[i]) && sorted.length === item.items.length
    ? [item]
    : [term("import", sorted, item.text)];
}

const boundBy = (text: string): string => text.replace(/^.* /, "");

/**
 * Whether a program needs a name that it imports from `typing`. It keeps the names that are not only for annotations, because
 * tests may use them.
 */
const isNeeded = (imported: string, used: ReadonlySet<string>): boolean =>
  used.has(boundBy(imported)) || !ANNOTATIONS.test(imported);

const ANNOTATIONS =
  /^(?:Any|Callable|Collection|Dict|FrozenSet|Generator|Hashable|Iterable|Iterator|List|Literal|Mapping|Optional|Sequence|Set|Tuple|Type|Union)\b/;
