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
const APPOSED = new RegExp(`(?<![\\w.])${NAME},? (?=an? |both |always |never )([^,.()\\n]{1,100})(?=[,.)]|$)`, "g");
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
/** `total is the bill in cents (int, 0 or more)` */
const LATER = new RegExp(`(?<![\\w.])${NAME} (?:is|are) (?!in\\b)[^(),.;:"'\\n]{1,60} \\(([^()\\n]{1,80})\\)`, "g");
/** `weights is a list of ints, each at least 0` */
const EACH = new RegExp(
  `(?<![\\w.])${NAME}(?: is| are)?,? (?:an? |list)[^,.()\\n]{1,50}, each (?:of them )?(?:is )?([^,.()\\n]{1,40})`,
  "g",
);
/** `width, the number of characters, is an int >= 1` */
const ASIDE = new RegExp(
  `(?<![\\w.])${NAME}, (?:the |an? |in |of )[^,.()\\n]{1,60}, (?:is|are) ([^,.()\\n]{1,60})`,
  "g",
);
/** `for a minute from 0 to 1439` */
const WITHIN = new RegExp(
  `(?<![\\w.])${NAME} ((?:from|between) -?\\d[\\w.^]{0,20} (?:to|and) -?\\d[\\w.^]{0,20})`,
  "g",
);
/** `All amounts are ints greater than 0`, `Plates are non-empty strings` */
const PLURAL =
  /(?<![\w.])(?:(?:all|the|every|each) )?(?:(\w{1,29}s) and )?(\w{1,29}s) are ([^,.()\n]{1,60})(?=[,.(]|$)/gi;
/** `each with the string fields "name", "email" and "phone"` */
const FIELDS = new RegExp(
  `\\b(${NOUN}) (?:fields?|keys?|entries|values) ((?:[,"' ]|\\b(?:and|or)\\b|\\w{1,30}(?=["'])){2,120})`,
  "gi",
);
/** The beginning of a sentence about a case of the task. */
const CASE = /\b(?:if|when|unless|otherwise|raises?|errors?|invalid)\b[^.;]{0,80}$/i;
/** Brackets after it speak of items. */
const COLLECTION = /^(?:an? |the )?(?:[\w-]{1,20} )?(?:lists?|dict\w*|arrays?|tuples?|sets?)\b/i;
/** A text after a colon that is no description of the name before it. */
const OTHER = /^(?:each|every|for|if|when|returns?)\b/i;
const RANGE = /^(-?[\d.]{1,12}) ?(?:to|-|\.\.\.?) ?(-?[\d.]{1,12})$/;

type Said = readonly [name: string, text: string];

/** `names`: of parameters, and of the fields of records. */
export function declarationsIn(description: string, names: readonly string[]): Statement[] {
  const known = new Set([...names, ...partNames(description)]);
  const found = inOneNotation(description.slice(0, LONGEST))
    .split("\n")
    .filter((line) => !isCode(line))
    .flatMap((line) => [...listedIn(line), ...saidIn(line, known)]);
  return found
    .filter(([name, said]) => known.has(name) && said !== "" && isOf(name, said, known))
    .flatMap(([name, said]) => clausesOf(said).map((clause) => stated(name, clause)))
    .slice(0, MOST)
    .map((text) => ({ text, isListed: true }));
}

/** Names of the parts of rows: `(folder, allowed) pairs`. */
const partNames = (description: string): string[] =>
  [...description.slice(0, LONGEST).matchAll(/\(([a-z_]\w{0,30}(?:, ?[a-z_]\w{0,30}){1,3})\)/g)]
    .slice(0, MOST)
    .flatMap(([, all]) => all!.split(/, ?/));

/** What a call in the text and the brackets after it say: `split(total, sizes) takes the total (int >= 0) and sizes (positive ints)`. */
function calledIn(line: string, known: ReadonlySet<string>): Said[] {
  return [...line.matchAll(CALLED)].flatMap(([, given, rest]) => {
    const parameters = given!.split(",").map((one) => one.trim());
    const required = parameters.filter((one) => !one.includes("="));
    const specs = [...rest!.matchAll(/\(([^()\n]{1,80})\)/g)]
      .map(([, spec]) => spec!)
      .filter((spec) => SPEC.test(spec));
    if (specs.length !== required.length || !required.every((name) => known.has(name))) return [];
    return required.map((name, i): Said => [name, specs[i]!]);
  });
}
const CALLED = /\b\w{1,40}\(([\w, =]{1,80})\) (?:takes|gets|receives|has|with)\b([^.\n]{1,300})/g;
const SPEC = new RegExp(`^(?:an? )?${NOUN}\\b`, "i");

/** What a line of a list says of the parameter at its beginning. */
function listedIn(line: string): Said[] {
  const [, type, named, about] = PARAM.exec(line) ?? [];
  if (named !== undefined)
    return [
      [named, type ?? ""],
      [named, firstSentence(about!)],
    ];
  const [, name, brackets, text] = LISTED.exec(line) ?? [];
  if (name === undefined || OTHER.test(text!)) return [];
  const own = COLLECTION.test(text!) ? [] : inside(name, text!);
  return [[name, brackets ?? ""], [name, firstSentence(text!)], ...own];
}

function saidIn(line: string, known: ReadonlySet<string>): Said[] {
  const direct = [IN_BRACKETS, APPOSED, COMPARED, ADDED, LATER, ASIDE, WITHIN]
    .flatMap((pattern) => [...line.matchAll(pattern)])
    .filter(({ index }) => !CASE.test(line.slice(Math.max(0, index - 100), index)));
  const plurals = [...line.matchAll(PLURAL)].flatMap(([, first, second, said]) =>
    [first, second].flatMap((names) => (names === undefined ? [] : [[names, said!] as const])),
  );
  const plural = plurals.flatMap(([names, said]): Said[] => {
    const name = [names.replace(/s$/, ""), names.toLowerCase().replace(/s$/, "")].find((one) => known.has(one));
    return name === undefined || known.has(names) ? [] : [[name, singular(said)]];
  });
  const fields = [...line.matchAll(FIELDS)].flatMap(([, type, names]) =>
    [...names!.matchAll(/["'](\w{1,30})["']/g)].map(([, name]): Said => [name!, type!]),
  );
  const each = [...line.matchAll(EACH)].map(([, name, said]): Said => [name!, `${EACH_OF}${said!}`]);
  return [
    ...calledIn(line, known),
    ...direct.map(([, name, said]): Said => [name!, said!]),
    ...plural,
    ...fields,
    ...each,
  ];
}

/** Marks what is said of the items of a list. */
const EACH_OF = "each of ";

/** `sizes (positive ints)` */
const ITEMS = /^(?:[a-z-]{3,12} ){0,2}(?:ints|integers|floats|numbers|strings|strs)$/i;

/** `ints greater than 0` as `an int greater than 0` */
const singular = (text: string): string =>
  text.replace(/^((?:non-?empty |positive |non-?negative )?\w{2,12})s\b/i, "$1");

/** Brackets in the text about a parameter: `qty: number of pieces (>= 1)`. */
const inside = (name: string, text: string): Said[] =>
  [...text.matchAll(/\(([^()\n]{1,80})\)/g)].map(([, said]) => [name, said!]);

const firstSentence = (text: string): string =>
  text
    .split(/\.(?=\s|$)/)[0]!
    .replace(/\([^()\n]{0,80}\)/g, "")
    .trim();

/** Whether a text is about the name before it, and not about another parameter: `a list xs, an integer k`. */
function isOf(name: string, said: string, known: ReadonlySet<string>): boolean {
  const other = OWN_NAME.exec(said)?.[1];
  return (
    !/\b(?:if|when|whether|unless|return\w*)\b/i.test(said) &&
    (other === undefined || other === name || !known.has(other))
  );
}
const OWN_NAME = new RegExp(`^(?:an? |the )?${NOUN} (\\w{1,30})$`, "i");

/** Choices stay whole: `"paid", "open" or "refunded"`. */
const clausesOf = (said: string): string[] =>
  /^(?:one of |either )?["'\d-][^,]{0,20}(?:,| or |\|)/.test(said) && !/^\d+ or \w+er\b|^\d+ or more\b/.test(said)
    ? [said]
    : said
        .split(/[,;] ?(?:and )?| and (?=at |no |not |never |always |[<>]|greater |less |more |positive|non-)/)
        .map((one) => one.trim())
        .filter((one, i) => one !== "" && (i === 0 || !/^["']/.test(one)));

/** `an int >= 1`, but not `start < end`. */
const BELOW = new RegExp(`^(?:an? )?(?:[a-z-]{2,12} ){0,2}${NOUN} ([<>]=? ?-?[\\w.^*]{1,20})$`, "i");

function stated(name: string, clause: string): string {
  if (ITEMS.test(clause)) return `all values of ${name} are ${clause}`;
  if (clause.startsWith(EACH_OF)) return `all values of ${name} are ${clause.slice(EACH_OF.length)}`;
  if (/^[<>]=?/.test(clause)) return `${name} ${clause}`;
  if (/[<>]=?/.test(clause)) {
    const own = BELOW.exec(clause);
    return own === null ? clause : `${name} ${own[1]}`;
  }
  const range = RANGE.exec(clause);
  return range === null ? `${name} is ${clause}` : `${name} is from ${range[1]} to ${range[2]}`;
}
