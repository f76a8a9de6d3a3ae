/**
 * Turns declarations of parameters into statements: `qty (int, 1 or more)`, `:param int qty: at least 1`, `takes n, a positive int,` become
 * `qty is int`, `qty is 1 or more`, `n is a positive int`.
 */
import { NOUN } from "./nouns.ts";
import { inOneNotation, isCode, type Statement } from "./statements.ts";

/** Maximum characters of a description that are read, and maximum number of statements. */
const LONGEST = 20_000;
const MOST = 80;

const NAME = "[\"']?([a-zA-Z_]\\w{0,30})[\"']?";
/** `qty (int, 1 or more)` */
const IN_BRACKETS = new RegExp(`(?<![\\w.])${NAME} ?\\(([^()\\n]{1,80}(?:\\(\\w{1,30}\\)[^()\\n]{0,40})?)\\)`, "g");
/** `takes n, a positive integer, and` */
const APPOSED = new RegExp(`(?<![\\w.])${NAME},? (?=an? |both |always |never )([^,.()\\n]{1,60})(?=[,.)]|$)`, "g");
/** `- qty: int, at least 1`, `qty (int): at least 1`, `qty : int` */
const LISTED = new RegExp(
  `^[ \\t]{0,20}(?:[-*•][ \\t]{1,4})?${NAME}(?: ?\\(([^()\\n]{1,80})\\))?[ \\t]?:[ \\t]{1,20}(\\S[^\\n]{0,160})$`,
);
/** `:param int qty: at least 1`, `:type qty: int` */
const PARAM = /^[ \t]{0,20}[:@](?:param|type)(?: ([\w[\], ]{1,40}))? (\w{1,30}):[ \t]{0,20}([^\n]{0,160})$/;
/** `qty is an int >= 1` */
const COMPARED = new RegExp(
  `(?<![\\w.])${NAME} (?:is|are|must be)(?: an?)?(?: [a-z-]{2,12}){0,3} ([<>]=? ?-?[\\w.^*]{1,20})`,
  "g",
);
/** `names is a list of str, never empty` */
const ADDED = new RegExp(
  `(?<![\\w.])${NAME} (?:is|are) [^,.()\\n]{1,60}, ((?:always|never|at least|at most|not|no more|no less) [^,.()\\n]{1,40}|positive|non-?empty|non-?negative)(?=[,.)]|$)`,
  "g",
);
/** How the text about a parameter begins. */
const DESCRIBES = new RegExp(
  `^(?:an? |the |one of )?${NOUN}\\b|^(?:an? |the )?(?:number|count|amount|length|size)\\b|^[<>"'\\d-]|^at (?:least|most)\\b`,
  "i",
);
const RANGE = /^(-?[\d.]{1,12}) ?(?:to|-|\.\.\.?) ?(-?[\d.]{1,12})$/;

/** `names`: of parameters, and of the fields of records. */
export function declarationsIn(description: string, names: readonly string[]): Statement[] {
  const known = new Set(names);
  const found = inOneNotation(description.slice(0, LONGEST))
    .split("\n")
    .filter((line) => !isCode(line))
    .flatMap((line) => {
      const listed = LISTED.exec(line);
      const param = PARAM.exec(line);
      if (param !== null)
        return [
          [param[2]!, param[1] ?? ""],
          [param[2]!, firstSentence(param[3]!)],
        ] as const;
      if (listed !== null && DESCRIBES.test(listed[3]!))
        return [
          [listed[1]!, listed[2] ?? ""],
          [listed[1]!, firstSentence(listed[3]!)],
          ...inside(listed[1]!, listed[3]!),
        ] as const;
      return [IN_BRACKETS, APPOSED, COMPARED, ADDED]
        .flatMap((pattern) => [...line.matchAll(pattern)])
        .map(([, name, said]) => [name!, said!] as const);
    });
  return found
    .filter(([name, said]) => known.has(name) && said !== "" && isOf(name, said, known))
    .flatMap(([name, said]) => clausesOf(said).map((clause) => stated(name, clause)))
    .slice(0, MOST)
    .map((text) => ({ text, isListed: true }));
}

/** Brackets in the text about a parameter: `qty: number of pieces (>= 1)`. */
const inside = (name: string, text: string): (readonly [string, string])[] =>
  [...text.matchAll(/\(([^()\n]{1,80})\)/g)].map(([, said]) => [name, said!] as const);

const firstSentence = (text: string): string =>
  text
    .split(/\.(?=\s|$)/)[0]!
    .replace(/\([^()\n]{0,80}\)/g, "")
    .trim();

/** Whether a text is about the name before it, and not about another parameter: `a list xs, an integer k`. */
const isOf = (name: string, said: string, known: ReadonlySet<string>): boolean =>
  !/\b(?:if|when|whether|unless|return\w*)\b/i.test(said) &&
  !(said.match(/\w+$/) ?? []).some((word) => word !== name && known.has(word) && !/[<>=]/.test(said));

/** Choices stay whole: `"paid", "open" or "refunded"`. */
const clausesOf = (said: string): string[] =>
  /^(?:one of |either )?["'\d-][^,]{0,20}(?:,| or |\|)/.test(said) && !/^\d+ or \w+er\b|^\d+ or more\b/.test(said)
    ? [said]
    : said
        .split(/[,;] ?(?:and )?| and (?=at |no |not |never |always |[<>]|greater |less |more |positive|non-)/)
        .map((one) => one.trim())
        .filter((one) => one !== "");

function stated(name: string, clause: string): string {
  if (/^[<>]=?/.test(clause)) return `${name} ${clause}`;
  if (/[<>]=?/.test(clause)) {
    const own = /^(?:an? )?(?:[a-z-]{2,12} ){1,3}([<>]=? ?-?[\w.^*]{1,20})$/.exec(clause);
    return own === null ? clause : `${name} ${own[1]}`;
  }
  const range = RANGE.exec(clause);
  return range === null ? `${name} is ${clause}` : `${name} is from ${range[1]} to ${range[2]}`;
}
