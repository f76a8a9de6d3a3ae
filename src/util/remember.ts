/** Caches of computed values. */

/** Size of a cache entry in addition to its characters, because the computed value takes memory even for a short text. */
const ENTRY = 32;

/**
 * Caches the results of a function of texts. Keeps recently used ones, with at most `characters` in total and always the last
 * one; each entry counts `ENTRY` characters more. Callers share the results and must not change them.
 */
export function remember<Made extends object>(
  make: (text: string) => Made,
  characters: number,
): (text: string) => Made {
  // Two generations: an entry that is used moves to the newer one. When that is full, the older one is dropped.
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

/** Caches the result of a function per object, as long as the object exists. */
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
