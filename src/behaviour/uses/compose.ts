/** Texts put together from the parts into which a program takes them: lines, fields between separators, single characters. */
import type { PyValue } from "../../types.ts";
import type { Random } from "../../util/random.ts";
import { type Term, textsOf } from "./term.ts";

const MOST_PARTS = 5;
/** Lines, fields and words. Deeper parts are single texts. */
const DEEPEST = 3;
const LONGEST = 12;
/** Share of texts without a separator. */
const WHOLE_SHARE = 0.12;
/** Other characters, and their share in a text. */
const OTHERS = "ab1 ";
const OTHER_SHARE = 0.15;

interface Composing {
  readonly rng: Random;
  /** Makes the value of a part. */
  readonly make: (term: Term) => PyValue;
  /** Single characters that the description has in quotes. */
  readonly letters: readonly string[];
}

/** A text made of the parts into which the program splits it; null if the program does not split it. */
export function composed({ root: { split } }: Term, depth: number, { rng, make }: Composing): string | null {
  if (split === null || depth > DEEPEST || split.separator === "" || rng.chance(WHOLE_SHARE)) return null;
  const { separator, parts, places } = split;
  const { positions, item, value } = parts.root;
  const first = places === undefined ? positions : places.flatMap((place) => positions.slice(place, place + 1));
  const rest = item ?? value;
  const count = first.length === 0 ? rng.int(1, MOST_PARTS) : isOpen(parts) ? rng.int(0, MOST_PARTS) : 0;
  const terms = [...first, ...Array.from({ length: rest === null ? 0 : count }, () => rest!)];
  // Whatever the program makes of them, the parts of a text are texts.
  for (const { root } of terms) root.uses.add("text");
  return terms.map((term) => shown(make(term))).join(separator);
}

/** Whether a program iterates over parts, besides those that it reads by constant indices. */
const isOpen = ({ root: { item } }: Term): boolean =>
  item !== null && (item.root.uses.size > 1 || item.root.split !== null || item.root.constants.size > 0);

const shown = (value: PyValue): string =>
  value.t === "str" ? value.v : value.t === "int" || value.t === "float" ? String(value.v) : "";

/** Single characters with which a program compares the characters of a text. */
export function lettersOf({ root: { item } }: Term): string[] {
  const texts = item === null ? [] : textsOf(item.root);
  return texts.every((text) => [...text].length === 1) ? texts : [];
}

/** A text of characters that the program or the description names. */
export function spelled(term: Term, { rng, letters }: Composing): string | null {
  const known = [...new Set([...lettersOf(term), ...letters])];
  if (lettersOf(term).length === 0 || known.length < 2) return null;
  const length = rng.int(1, LONGEST);
  return Array.from({ length }, () => (rng.chance(OTHER_SHARE) ? rng.pick([...OTHERS]) : rng.pick(known))).join("");
}

/** Whether a text is taken apart. */
export const isTakenApart = (term: Term): boolean =>
  (term.root.split !== null && term.root.split.separator !== "") || lettersOf(term).length > 1;
