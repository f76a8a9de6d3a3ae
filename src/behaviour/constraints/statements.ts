/** Splits a description into statements that may state a constraint, in one notation. */
import { numberIn } from "../number-words.ts";
import { asSource } from "../shown.ts";

export interface Statement {
  readonly text: string;
  /** Whether it is in a section of constraints. Elsewhere a comparison may be a condition of the task. */
  readonly isListed: boolean;
}

/** Maximum characters of a description that are read, and of a statement. */
const LONGEST = 20_000;
const LONGEST_STATEMENT = 400;

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const HEADING =
  /^[^\w\n]{0,6}(?:(?:input )?(?:constraints?|limits?|limitations|assumptions?)\b[ \t*:_]{0,6}(?=$|\w|\s|-)|notes?[ \t*:_]{0,6}$)/i;
const OTHER_HEADING =
  /^[^\w\n]{0,6}(?:examples?|sample|input|output|explanation|follow[- ]up|hints?|topics|task)\b[^\n]{0,30}?(?::|\d|$)/i;
/** A line about one parameter. */
const DECLARATION = /^[ \t]{0,20}(?::(?:param|type|returns?|rtype|raises?)\b|\w{1,30} ?\([^()\n]{1,80}\) ?:[ \t])/;
const CODE =
  /^[ \t]*(?:>>>|\.\.\. |(?:async )?def \w+[ \t]*\(|class \w+[ \t]*[(:]|import |from \w+ import|@|return\b|assert\b|#)/;

export const isCode = (line: string): boolean => CODE.test(line);

/** `at least one` */
const WORDED =
  /\b((?:at least|at most|no (?:less|more) than|greater than|more than|less than) )(zero|one|two|three)\b/gi;

/** One notation for operators, powers and numbers. */
export function inOneNotation(text: string): string {
  return asSource(text)
    .replace(/```[\s\S]*?(?:```|$)/g, "\n\n")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&le;|≤|⩽|≦|\\leqslant\b|\\leq?\b/g, "<=")
    .replace(/&ge;|≥|⩾|≧|\\geqslant\b|\\geq?\b/g, ">=")
    .replace(/&ne;|≠|\\neq?\b/g, "!=")
    .replace(/\\cdot\b|\\times\b|[×·∙⋅]/g, "*")
    .replace(/<sup>([^<\n]{1,8})<\/sup>/g, "^$1")
    .replace(/<sub>([^<\n]{1,8})<\/sub>/g, "_$1")
    .replace(/<\/?[a-z]{1,6}>/g, "")
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}/g, (digits) => `^${[...digits].map((digit) => SUPERSCRIPTS.indexOf(digit)).join("")}`)
    .replace(/(\d)_(?=\d{3})/g, "$1")
    .replace(WORDED, (_, before: string, word: string) => `${before}${numberIn(word)}`)
    .replace(/\b(zero|one|two|three) (?=or (?:more|greater|less|fewer)\b)/gi, (_, word: string) => `${numberIn(word)} `)
    .replace(/(\d) ?\*\* ?(?=\d)/g, "$1^")
    .replace(/\$([^$\n]{1,80})\$/g, "$1")
    .replace(/\*\*|[`\\\u200b]|"""|'''/g, "")
    .replace(/\^\{(\d{1,4})\}/g, "^$1")
    .replace(/_\{(\w{1,4})\}/g, "_$1")
    .replace(/(<=? ?\d{1,3}) (?=\d{3}(?!\d))/g, "$1")
    .replace(/(<=? ?)10(?=(?:[4-9]|1[0-8])(?![\d^.,]))/g, "$110^") // a copied page without its superscripts
    .replace(/(?<!\w)-10(?=(?:[4-9]|1[0-8]) ?<)/g, "-10^")
    .replace(/[–−](?=\d)/g, "-")
    .replace(/ {2,20}/g, " ");
}

/** The statements of a description, without examples and code. */
export function statementsOf(description: string): Statement[] {
  const found: Statement[] = [];
  let isListed = false;
  let isShown = false;
  let open = "";
  const close = (): void => {
    for (const text of open.split(/[.;!?](?=\s|$)|;(?!["'])/)) {
      if (text.trim() !== "" && text.length <= LONGEST_STATEMENT) found.push({ text: text.trim(), isListed });
    }
    open = "";
  };
  for (const line of inOneNotation(description.slice(0, LONGEST)).split("\n")) {
    const heading = HEADING.exec(line);
    if (heading !== null) {
      close();
      [isListed, isShown] = [true, false];
      open = line.slice(heading[0].length);
      close();
      continue;
    }
    if (OTHER_HEADING.test(line) && !/[<>]=?/.test(line)) {
      close();
      [isListed, isShown] = [false, /^[^\w\n]{0,6}(?:examples?|sample|explanation|input:|output:)/i.test(line)];
      continue;
    }
    const isBlank = line.trim() === "";
    if (isBlank || CODE.test(line) || DECLARATION.test(line) || /^[ \t]{0,12}[-*•+][ \t]/.test(line) || isListed)
      close();
    if (isShown && !/^[ \t]{0,12}[-*•][ \t]/.test(line)) {
      // a paragraph of prose ends an example
      if (isBlank || !/^[A-Z][a-z]+ [a-z]+ [a-z]+/.test(line)) continue;
      isShown = false;
    }
    if (!CODE.test(line)) open += ` ${line.replace(/^[ \t]{0,12}[-*•+][ \t]{1,4}/, "")}`;
  }
  close();
  return found;
}
