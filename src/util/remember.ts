/** What has been worked out once and is asked for again. */

/** What a text counts as besides its characters: what is made of it takes memory however short it is. */
const ENTRY = 32;

/**
 * A function of texts that keeps what it made of those used lately, at most `characters` of them together and always the last
 * one; each counts as `ENTRY` more. What it makes is shared between those who ask: nobody may change it.
 */
export function remember<Made extends object>(
  make: (text: string) => Made,
  characters: number,
): (text: string) => Made {
  // Two halves: what is used again moves to the newer one, and the older one is forgotten when that is full.
  let [newer, older] = [new Map<string, Made>(), new Map<string, Made>()];
  let held = 0; // characters in the newer one
  return (text) => {
    const known = newer.get(text);
    if (known !== undefined) return known;
    const made = older.get(text) ?? make(text);
    held += text.length + ENTRY;
    if (held > characters / 2) [older, newer, held] = [newer, new Map(), text.length + ENTRY];
    newer.set(text, made);
    return made;
  };
}

/** A function of objects that is worked out once for each, as long as the object is there. */
export function oncePer<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const known = new WeakMap<Of, { readonly made: Made }>();
  return (of) => {
    const before = known.get(of);
    if (before !== undefined) return before.made;
    const made = make(of);
    known.set(of, { made });
    return made;
  };
}
