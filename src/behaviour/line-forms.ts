/**
 * Lines for standard input in the forms that a description has in quotes: `"deposit NAME AMOUNT"`, `"HH:MM in"`, `"category;amount"`,
 * `"GET /index.html 200"`. The reference decides which forms it reads, and which of their words are numbers.
 */
import { constantsIn } from "../expand/index.ts";
import { Random } from "../util/random.ts";
import { twoDigits } from "./dates.ts";
import type { Tried } from "./oracle.ts";
import { patternTexts } from "./patterns.ts";
import { choiceOf, FIXED, headerIn, type Place, placeOf } from "./places.ts";
import { quotedTexts } from "./quoted.ts";
import { asSource } from "./shown.ts";
import { textsByTrial } from "./texts.ts";
import { linesInOrder } from "./times.ts";
import type { Task } from "./types.ts";
import { testedBy } from "./unusual.ts";
import { textsByUse } from "./uses/index.ts";

const QUOTED = /"([^"\n]{3,60})"|`([^`\n]{3,60})`/g;
const MOST_FORMS = 10;
/** Maximum number of words of a form that may be a text or a number. If there are more, up to `MOST_PLACES`, their names decide. */
const MOST_OPEN = 3;
const MOST_PLACES = 6;
const MOST_LINES = 8;
/** Maximum number of commands without parts after which a line is tried, and of lines before it. */
const MOST_TAILS = 4;
const BEFORE = 3;
const SMALL_SHARE = 0.3;
const PART =
  /\d{4}-\d\d-\d\d|\d\d:\d\d(?::\d\d)?|H{1,2}:MM(?::SS)?|YYYY-MM(?:-DD)?|<[^<>]{1,20}>|[\p{L}_][\p{L}\p{N}_]*|-?\d+(?:\.\d+)?|\/[\w./?=&-]*|[^\p{L}\p{N}_]/gu;
/** Marks of a place, and words in capitals that mark none. */
const PLACE = /^(?:[A-Z][A-Z_]*\d?|<.*>|H{1,2}:MM.*|YYYY.*)$/;
const SMALL_WORD = /^(?:for|to|from|at|by|in|of|and|with|on)$/;
const NAMES = ["ann", "bob", "cy"];
/** Words of a form that stand for several words. */
const WORDY = /^(?:text|message|words|title|description|comment|note)s?$/i;
const TEXT = ["hello", "ok", "the", "new", "plan"];
const PATHS = ["/", "/a", "/b/", "/a?x=1", "/b"];

/** Number of texts of such lines. */
const COUNT = 36;
/** Fewer texts than this that the program answers show that its parts were misread. */
const FEWEST = 8;
const IN_ORDER =
  /\bin (?:the )?(?:chronological |time )?order\b|\bascending\b|\bchronological|\bsorted by (?:date|time)|\border of (?:the day|time)\b|\b(?:never|not) go(?:es)? back/i;

/** Texts for a program whose description shows none as a whole. */
export async function textsOf(tried: Tried, { reference, description }: Task, seed: number): Promise<string[]> {
  const said = description ?? "";
  const end = END.exec(asSource(said))
    ?.slice(1)
    .find((line) => line !== undefined)
    ?.replace(/^\d{4}(?=-\d\d)/, `${LAST_YEAR + 1}`);
  const header = headerIn(said);
  const framed = (text: string): string =>
    `${header === null ? "" : `${header.line}\n`}${end === undefined ? text : `${text.replace(/\n?$/, "\n")}${end}\n`}`;
  const trying: Tried = (texts) => tried(texts.map(framed));
  const forms = reference === null ? [] : await textsOfForms(trying, said, reference, seed);
  if (forms.length > 0) return forms.map(framed);
  const used = reference === null ? [] : await textsOfUses(trying, said, reference, seed);
  return (used.length > 0 ? used : await textsByTrial(trying, said)).map(framed);
}

/** Texts in the parts that the program takes apart; none if it answers few of them. */
async function textsOfUses(tried: Tried, description: string, reference: string, seed: number): Promise<string[]> {
  const shown = [...quotedTexts(description), ...patternTexts(reference)];
  const isSigned = testedBy(reference).includes("negative");
  const texts = await textsByUse(reference, { count: 2 * COUNT, seed, description, shown, isSigned });
  const trials = await tried(texts);
  const answered = texts.filter((_, i) => trials[i]!.isAnswered);
  return answered.length >= FEWEST ? answered.slice(0, COUNT) : [];
}

/** Texts that the program answers; none if it reads none of the forms. */
async function textsOfForms(tried: Tried, description: string, reference: string, seed: number): Promise<string[]> {
  const rng = new Random(seed);
  const constants = constantsIn(reference);
  const words = new Set(constants.flatMap((value) => (value.t === "str" ? value.v.split(/\s+/) : [])));
  const numbers = constants.flatMap((value) => (value.t === "int" && value.v >= 10n ? [Number(value.v)] : []));
  const levels = [...words].filter((word) => FIXED.test(word));
  const hasDecimals = /\b\d+\.\d\d\b/.test(description);
  const header = headerIn(description);
  const { forms, bare } = header === null ? formsIn(description, words) : { forms: [header.form], bare: [] };
  const hasMoney = forms.flat().some((place) => typeof place !== "string" && MONEY.test(place.shown));
  const isCounted = COUNTED.test(description);
  const textOf = (lines: readonly string[]): string => `${isCounted ? `${lines.length}\n` : ""}${lines.join("")}`;
  const variants = forms.map((form) => readings(form));
  /** In some texts all numbers are small, so that they are often equal. */
  let isSmall = false;
  const fill = (places: readonly Place[], areNumbers: readonly boolean[], isFirst = false): string => {
    let open = 0;
    return places
      .map((place) => {
        if (typeof place === "string") return place;
        if (place.kind === "choice")
          return isFirst
            ? (place.options.find((option) => words.has(option)) ?? place.options[0]!)
            : rng.pick(place.options);
        if (isFirst && (place.kind === "number" || place.kind === "path")) return place.shown;
        if (place.kind === "open")
          return areNumbers[open++]
            ? numberOf(rng, hasDecimals && (!hasMoney || MONEY.test(place.shown)), isSmall)
            : isFirst
              ? NAMES[0]!
              : WORDY.test(place.shown)
                ? Array.from({ length: rng.int(1, 3) }, () => rng.pick(TEXT)).join(" ")
                : rng.pick(NAMES);
        if (place.kind === "number")
          return rng.pick([
            place.shown,
            ...numbers.flatMap((n) => [n - 1, n, n + 1]).map(String),
            numberOf(rng, place.shown.includes("."), isSmall),
          ]);
        if (place.kind === "level") return rng.pick(levels);
        if (place.kind === "path") return rng.pick([place.shown, ...PATHS]);
        return stampOf(place.kind, place.shown, rng);
      })
      .join("");
  };
  // A form is read if its line changes the answer, or if it has a word of the program. Commands such as `print` show what a line changes.
  const tails = bare.length === 0 ? [[]] : bare.slice(0, MOST_TAILS).map((one) => [`${one}\n`]);
  const lines = variants.flatMap((own, f) => own.map((areNumbers) => ({ form: forms[f]!, areNumbers })));
  const isKnown = ({ form }: (typeof lines)[number]): boolean =>
    form.some((place) => typeof place === "string" && words.has(place));
  /** Those of some lines that the program reads after others: whether they change any answer, or have a word of the program. */
  const readAfter = async (before: readonly string[], some: typeof lines, isWord: boolean): Promise<typeof lines> => {
    const each = [null, ...some].map((line) => (line === null ? [] : [`${fill(line.form, line.areNumbers, true)}\n`]));
    const texts = each.flatMap((own) => tails.map((tail) => [...before, ...own, ...tail]));
    const trials = await tried(texts.map((own) => (own.length === 0 ? (isCounted ? "0\n" : "\n") : textOf(own))));
    return some.filter((line, i) =>
      tails.some((_, t) => {
        const { isAnswered, answers } = trials[(i + 1) * tails.length + t]!;
        return isAnswered && ((isWord && isKnown(line)) || answers[0]?.text !== trials[t]!.answers[0]?.text);
      }),
    );
  };
  const read = await readAfter([], lines, true);
  // A command such as `close NAME` prints nothing by itself, so it is tried after a line that is read. `refused NAME`, which the program prints,
  // changes nothing there.
  const [first] = read;
  if (first === undefined) return [];
  const before = Array.from({ length: BEFORE }, () => `${fill(first.form, first.areNumbers, true)}\n`);
  const silent = lines.filter((line) => !read.includes(line) && isKnown(line));
  read.push(...(await readAfter(before, silent, false)));
  const isCommand = ({ form: [word] }: (typeof lines)[number]): boolean =>
    typeof word === "string" && /^\p{L}/u.test(word);
  const isStamped = ({ form: [word] }: (typeof lines)[number]): boolean =>
    typeof word !== "string" && (word?.kind === "time" || word?.kind === "date");
  const all = forms.flatMap((form) => read.filter((one) => one.form === form).slice(0, 1));
  // Beside commands, other quoted texts are mostly what the program prints.
  const hasCommands = all.some((one) => isCommand(one) && words.has(one.form[0] as string));
  const known = hasCommands ? all.filter((one) => isCommand(one) || isStamped(one)) : all;
  const hasBlanks = /\b(?:blank|empty) lines?\b/i.test(description);
  const isOrdered = IN_ORDER.test(description);
  const made = Array.from({ length: 2 * COUNT }, () => {
    isSmall = rng.chance(SMALL_SHARE);
    const text = Array.from({ length: rng.int(1, MOST_LINES) }, () => rng.pick(known)).map(
      ({ form, areNumbers }) => `${fill(form, areNumbers)}\n`,
    );
    if (hasBlanks && rng.chance(0.3)) text.splice(rng.int(0, text.length), 0, "\n");
    for (const one of bare) if (!LAST.test(one) && rng.chance(0.5)) text.splice(rng.int(0, text.length), 0, `${one}\n`);
    if (bare.length > 0 && rng.chance(0.7)) text.push(`${rng.pick(bare)}\n`);
    return textOf(isOrdered ? linesInOrder(text) : text);
  });
  const distinct = [...new Set(made)];
  const trials = await tried(distinct);
  return distinct.filter((_, i) => trials[i]!.isAnswered).slice(0, COUNT);
}

/** A command alone on its line, in a list of commands: `add NAME QTY`, `- IN PLATE HH:MM: comes in`, `report`. */
const LISTED =
  /^[ \t]*(?:[-*•] )?([A-Za-z_]{2,20}(?: (?:HH:MM|YYYY-MM-DD|[A-Z][A-Z_]*\d?|<\w{1,20}>)){0,4})(?=[ \t]*$|[ \t]*[:–—]| +- )/gm;
/** A command that ends the program. */
const LAST = /^(?:quit|exit|stop|end|done|q)$/i;

/**
 * `forms`: quoted texts and commands in lists that have several parts, at least one of which is no fixed word. `bare`: commands of the program
 * that are single words, if there are forms with a command.
 */
function formsIn(
  description: string,
  known: ReadonlySet<string>,
): { readonly forms: Place[][]; readonly bare: readonly string[] } {
  const source = asSource(description);
  const commandsIn = [...source.matchAll(LISTED)].map(([, text]) => text!);
  const listed = commandsIn.some((text) => known.has(text.split(" ")[0]!)) ? commandsIn : [];
  const quoted = [...source.matchAll(QUOTED)].flatMap(([, a, b], i, all) =>
    PRINTED.test(source.slice(Math.max(0, all[i]!.index - 30), all[i]!.index)) ? [] : [(a ?? b)!],
  );
  const isList = listed.some((text) => text.includes(" "));
  const all = [...new Set([...quoted, ...(isList ? listed : [])])];
  const split = withBeginnings(all).map((text) => [...text.matchAll(PART)].map(([part]) => part));
  // `IN code q`, `OUT code q`: if the program has one of the commands, the others are commands, too.
  const commands = split.flatMap(([first]) => (first !== undefined && /^[A-Z]{2,}$/.test(first) ? [first] : []));
  const words = new Set(commands.some((one) => known.has(one)) ? [...known, ...commands] : known);
  const forms = split.map((parts) => {
    // In `deposit NAME AMOUNT` small words stay; in `category;amount` they stand for something.
    const marksPlaces = parts.some((part) => PLACE.test(part) && !FIXED.test(part) && !words.has(part));
    // In `HH:MM name: text` they do, if the description speaks of a name.
    const isWorded = parts.every(
      (part) => !PLACE.test(part) || STAMP.test(part) || FIXED.test(part) || words.has(part),
    );
    const stays = (part: string): boolean =>
      SMALL_WORD.test(part) || (marksPlaces && /^\p{Ll}/u.test(part) && !(isWorded && isDescribed(part, source)));
    return parts.map((part) => choiceOf(part, source) ?? (stays(part) ? part : placeOf(part, words)));
  });
  const isForm = (form: readonly Place[]): boolean =>
    form.length >= 3 &&
    form.some((place) => typeof place !== "string") &&
    form.some((place) => typeof place === "string" && /[\s;,:|=]/.test(place));
  const found = forms.filter(isForm).slice(0, MOST_FORMS);
  const isCommand = found.some((form) => form.some((place) => typeof place === "string" && known.has(place)));
  const bare = isCommand ? all.filter((text) => /^[a-z_]{2,20}$/i.test(text) && known.has(text)) : [];
  return { forms: found, bare };
}

/** `... logout ann` after `2024-05-01 09:15 login ann` has the same date and time. */
function withBeginnings(texts: readonly string[]): string[] {
  let beginning = "";
  return texts.map((text) => {
    const [own = ""] = /^(?:(?:\d{4}-\d\d-\d\d|YYYY-MM-DD|\d\d:\d\d(?::\d\d)?|HH:MM(?::SS)?)[ T])+/.exec(text) ?? [];
    if (own !== "") beginning = own;
    return beginning === "" ? text : text.replace(/^(?:\.\.\.|…) ?/, beginning);
  });
}

/** Before a form of what the program prints. */
const PRINTED = /\bprints? (?:\w{1,10} ){0,3}$/i;
const STAMP = /^(?:H{1,2}:MM.*|YYYY.*)$/;
/** Whether the description speaks of a word: `a name without spaces`. */
const isDescribed = (word: string, description: string): boolean =>
  new RegExp(`\\b(?:an?|the|each|where|its) ${word}\\b|\\b${word} (?:is|has|are|being|may|can)\\b`).test(description);

/** The ways to read a form's open words: which of them are numbers. Texts come before numbers where the name shows nothing. */
function readings(form: readonly Place[]): boolean[][] {
  const open = form
    .flatMap((place) => (typeof place !== "string" && place.kind === "open" ? [place.shown] : []))
    .slice(0, MOST_PLACES);
  if (open.length > MOST_OPEN) return [open.map((name) => NUMERIC.test(name))];
  const all = Array.from({ length: 2 ** open.length }, (_, n) => open.map((__, i) => ((n >> i) & 1) === 1));
  const misses = (areNumbers: readonly boolean[]): number =>
    areNumbers.filter((isNumber, i) => isNumber !== NUMERIC.test(open[i]!)).length;
  return all.toSorted((a, b) => misses(a) - misses(b));
}

const NUMERIC =
  /^<?(?:n|k|m|x|y|amount|count|num(?:ber)?|qty|quantity|price|cost|total|score|points|value|age|size|hours?|minutes?|seconds?|int(?:eger)?|id|year|weight|level|status|code|bytes|balance|temp(?:erature)?|rating|duration)>?$/i;

/** Words of a form whose numbers may have decimals. The numbers of other words are whole then. */
const MONEY = /price|cost|amount|total|rate|fee|balance|value|weight/i;
/** A line after the last one. */
const END =
  /\b(?:until|ends with|followed by|terminated by)(?: it gets| there is| you get)? (?:a|the) (?:line|word) (?:that is |with |containing )?[`"']?(\w{1,12})[`"']?|\blast line of (?:the )?(?:standard )?input is (?:`([^`\n]{1,40})`|"([^"\n]{1,40})")/i;
const COUNTED =
  /\bfirst (?:input )?line (?:of (?:the )?(?:standard )?input )?(?:is|holds|contains|gives|has|consists of) (?:the |a |an )?(?:single |whole )?(?:number of|count|integer|int\b|number n\b|n\b)/i;

function numberOf(rng: Random, isDecimal: boolean, isSmall: boolean): string {
  const number = isSmall ? rng.int(1, 3) : rng.chance(0.7) ? rng.int(1, 20) : rng.int(1, 300);
  return isDecimal ? `${number}.${rng.pick(["00", "50", "05", "99"])}` : `${number}`;
}

/** Of the dates of lines. A last line with a date has a later one. */
const LAST_YEAR = 2025;

function stampOf(kind: "time" | "month" | "date", shown: string, rng: Random): string {
  if (kind === "time") {
    const hour = rng.int(0, 23);
    const seconds = shown.length > 5 ? `:${twoDigits(rng.int(0, 59))}` : "";
    return `${/^H:/.test(shown) ? hour : twoDigits(hour)}:${twoDigits(rng.chance(0.3) ? 0 : rng.int(0, 59))}${seconds}`;
  }
  const month = `${rng.int(LAST_YEAR - 2, LAST_YEAR)}-${twoDigits(rng.int(1, 12))}`;
  return kind === "month" ? month : `${month}-${twoDigits(rng.int(1, 28))}`;
}
