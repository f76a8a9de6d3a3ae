/** Synonyms from WordNet 3.0, looked up as nltk does (`wordnet.synsets`, with Morphy's base forms of inflected words). */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { CodescoreError, messageOf } from "../../errors.ts";
import { packageRoot } from "../../util/files.ts";

/** All names in the synsets of a word that are in lower case and consist of one word. */
export type Synonyms = (word: string) => readonly string[];

/** Endings and their replacements in the base form, by part of speech. */
const ENDINGS: Readonly<Record<string, readonly (readonly [ending: string, base: string])[]>> = {
  n: pairs("s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y"),
  v: pairs("s: ies:y es:e es: ed:e ed: ing:e ing:"),
  a: pairs("er: est: er:e est:e"),
  r: [],
};

function pairs(text: string): [string, string][] {
  return text.split(" ").map((pair) => pair.split(":") as [string, string]);
}

/**
 * Reads datasets/wordnet, in about a tenth of a second.
 * @throws `CodescoreError("environment")` if it is missing.
 */
export async function loadSynonyms(): Promise<Synonyms> {
  const path = join(packageRoot, "datasets", "wordnet", "synonyms.txt.gz");
  const packed = await readFile(path).catch((error: unknown) => {
    throw new CodescoreError(
      "environment",
      `cannot read ${path}, which is part of this package (reinstall it): ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  });
  const text = (await promisify(gunzip)(packed)).toString("utf8");
  const [synsets, irregular] = text.split("\n\n").map((part) => part.trim().split("\n")) as [string[], string[]];
  return lookup(indexOf(synsets), indexOf(irregular, true));
}

/** Maps part of speech and lower-case lemma to the lines that contain it. For irregular forms only the first word is a key. */
function indexOf(lines: readonly string[], keyFirst = false): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  for (const line of lines) {
    const [pos, ...words] = line.split(" ");
    for (const word of keyFirst ? words.slice(0, 1) : words) {
      const key = `${pos} ${word.toLowerCase()}`;
      const known = index.get(key);
      if (known === undefined) index.set(key, [line]);
      else known.push(line);
    }
  }
  return index;
}

function lookup(
  synsets: ReadonlyMap<string, readonly string[]>,
  irregular: ReadonlyMap<string, readonly string[]>,
): Synonyms {
  const baseForms = (word: string, pos: string): string[] => {
    const exception = irregular.get(`${pos} ${word}`);
    if (exception !== undefined) return exception[0]!.split(" ").slice(2);
    const fitting = ENDINGS[pos]!.filter(([ending]) => word.endsWith(ending));
    return fitting.map(([ending, base]) => word.slice(0, word.length - ending.length) + base);
  };
  const find = (word: string): string[] => {
    const found = Object.keys(ENDINGS).flatMap((pos) =>
      [word, ...baseForms(word, pos)].flatMap((form) => synsets.get(`${pos} ${form}`) ?? []),
    );
    const names = found.flatMap((line) => line.split(" ").slice(1));
    return [...new Set(names)].filter((name) => !name.includes("_") && name === name.toLowerCase());
  };
  const known = new Map<string, readonly string[]>(); // programs repeat their words
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const names = find(word);
    known.set(word, names);
    return names;
  };
}
