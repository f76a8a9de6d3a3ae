/**
 * Porter's stemmer (1980) as in nltk 3.10 in its default mode, NLTK_EXTENSIONS (`nltk/stem/porter.py`), which nltk's METEOR
 * uses. Packages on npm have the original, which differs in step 1 and in irregular words.
 */

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    sky: ["sky", "skies"],
    die: ["dying"],
    lie: ["lying"],
    tie: ["tying"],
    news: ["news"],
    inning: ["innings", "inning"],
    outing: ["outings", "outing"],
    canning: ["cannings", "canning"],
    howe: ["howe"],
    proceed: ["proceed"],
    exceed: ["exceed"],
    succeed: ["succeed"],
  }).flatMap(([stem, forms]) => forms.map((form): [string, string] => [form, stem])),
);

/** A suffix, its replacement, and the measure that the rest must exceed. */
type Rule = readonly [suffix: string, replacement: string, above: number];

const rules = (text: string, above: number): Rule[] =>
  text.split(" ").map((pair) => {
    const [suffix, replacement] = pair.split(":");
    return [suffix!, replacement!, above];
  });

const STEP_2 = rules(
  "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize ation:ate " +
    "ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble fulli:ful",
  0,
);
const STEP_3 = rules("icate:ic ative: alize:al iciti:ic ical:ic ful: ness:", 0);
const STEP_4 = rules(
  "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ion: ou: ism: ate: iti: ous: ive: ize:",
  1,
);

/** The stem of a word in lower case. Linear in its length. */
export function porterStem(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (Array.from(word.slice(0, 6)).length <= 2) return word;
  return step5(apply(STEP_4, apply(STEP_3, step2(step1c(step1b(step1a(word)))))));
}

function step1a(word: string): string {
  if (word.endsWith("ies")) return word.slice(0, word.length === 4 ? -1 : -2);
  if (word.endsWith("sses")) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function step1b(word: string): string {
  if (word.endsWith("ied")) return word.slice(0, word.length === 4 ? -1 : -2);
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const suffix = ["ed", "ing"].find(
    (end) => word.endsWith(end) && consonants(word.slice(0, -end.length)).includes(false),
  );
  if (suffix === undefined) return word;
  const stem = word.slice(0, -suffix.length);
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsDouble(stem)) return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function step1c(word: string): string {
  const stem = word.slice(0, -1);
  return word.endsWith("y") && stem.length > 1 && consonants(stem).at(-1) ? `${stem}i` : word;
}

function step2(word: string): string {
  if (word.endsWith("alli") && measure(word.slice(0, -4)) > 0) return step2(word.slice(0, -2));
  const stemmed = apply(STEP_2, word);
  return stemmed === word && word.endsWith("logi") && measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : stemmed;
}

function step5(word: string): string {
  let stem = word;
  if (word.endsWith("e")) {
    const rest = word.slice(0, -1);
    const size = measure(rest);
    if (size > 1 || (size === 1 && !endsShort(rest))) stem = rest;
  }
  return stem.endsWith("ll") && measure(stem.slice(0, -1)) > 1 ? stem.slice(0, -1) : stem;
}

/** Applies the first rule whose suffix fits. If its condition fails, no other rule is tried. */
function apply(list: readonly Rule[], word: string): string {
  const rule = list.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const [suffix, replacement, above] = rule;
  const stem = word.slice(0, -suffix.length);
  if (measure(stem) <= above || (suffix === "ion" && !/[st]$/.test(stem))) return word;
  return stem + replacement;
}

/** For each character, whether it is a consonant. `y` is one at the start and after a vowel. */
function consonants(word: string): boolean[] {
  const flags: boolean[] = [];
  for (const char of word) flags.push(char === "y" ? !(flags.at(-1) ?? false) : !"aeiou".includes(char));
  return flags;
}

/** Porter's m: the number of times that a consonant follows a vowel. */
const measure = (stem: string): number => {
  const flags = consonants(stem);
  return flags.filter((flag, i) => flag && flags[i - 1] === false).length;
};

function endsDouble(word: string): boolean {
  const [before, last] = Array.from(word).slice(-2);
  return last !== undefined && before === last && consonants(word).at(-1)!;
}

/** Whether a word ends in a short syllable: consonant, vowel, consonant (not w, x or y), or is a vowel and a consonant. */
function endsShort(word: string): boolean {
  const flags = consonants(word);
  if (flags.length === 2) return !flags[0] && flags[1]!;
  const [before, middle, last] = flags.slice(-3);
  return flags.length > 2 && before! && !middle && last! && !/[wxy]$/.test(word);
}
