/** Reads the samples of a contest's description: input and output texts under headings, as judges write them. */
import type { Example } from "./types.ts";

/** Maximum length of a heading, in characters. */
const LONGEST_HEADING = 80;
const STREAM =
  /^(?:(?:for|given|with) )?(?:(?:the|this|an?) )?(?:(?:sample|example|test|following)s? )?(?:case \d+ )?(?:standard )?(input|output|stdin|stdout)(?:s|\(s\))?(?:copy)? ?(?:for )?(?:(?:sample|example|case|test) ?)?#?(\d*)(?: (?:is|are|should be|would be|will be))?$/i;
/** `it prints`, alone on its line. */
const PRINTS =
  /^(?:(?:and|then) )?(?:(?:it|this|the program) )?(?:should |would |will |must )?(?:prints?|outputs|gives|produces?)$/i;
/** `Input: 3 4`. */
const INLINE = /^[ \t*>`-]*(?:(?:sample|example)[ \t]+)?(input|output)[ \t*]*(?:#?(\d+)[ \t*]*)?[:=]/i;
const EXAMPLES =
  /^(?:sample|example)s?(?: (?:inputs?|outputs?|tests?(?:\(s\))?|cases?|test cases?|runs?|inputs? ?(?:and|&|\/) ?outputs?))? ?#?\d*$/i;
const OTHER =
  /^(?:(?:sample|example) )?(?:notes?|explanations?|explication|hints?|constraints?|remarks?|limits?|subtasks?|scoring|source|clarifications?)(?: (?:of|for|to)\b.*| ?#?\d+)?$/i;
const OTHER_INLINE = /^[ \t*>]*(?:notes?|explanations?|remarks?|hints?)\b[^:\n]{0,20}:[ \t*]*\S/i;

interface Heading {
  readonly kind: "input" | "output" | "other";
  readonly number: string;
  /** The text after it on its line. */
  readonly text: string;
}

/** Pairs the texts under `Input` and `Output`: an output belongs to the input with its number, otherwise to the input before it. */
export function samples(text: string): Example[] {
  const lines = text.split("\n");
  const begin = lines.findIndex(isBeginning);
  const found: Example[] = [];
  const given: { readonly number: string; readonly body: string }[] = [];
  let heading: Heading = { kind: "other", number: "", text: "" };
  let block: string[] = [];
  const close = (): void => {
    const body = bodyOf(block);
    block = [];
    if (body.trim() === "" || heading.kind === "other") return;
    if (heading.kind === "input") {
      given.push({ number: heading.number, body });
      return;
    }
    const { number } = heading;
    const at = number === "" ? given.length - 1 : given.findLastIndex((one) => one.number === number);
    const [input] = given.splice(at < 0 ? given.length - 1 : at, 1);
    if (input === undefined || isFormat(input.body) || (begin < 0 && (isProse(input.body) || isProse(body)))) return;
    found.push({ input: { stdin: `${unindented(input.body)}\n` }, expected: `${unindented(body)}\n` });
  };
  for (const line of [...lines.slice(Math.max(0, begin)), "Note"]) {
    const next = headingOf(line);
    if (next === null) {
      block.push(line);
      continue;
    }
    close();
    heading = next;
    if (next.text !== "") block.push(next.text);
  }
  return found;
}

/** The words of a line without the characters that mark a heading. */
function wordsOf(line: string): string {
  let [from, to] = [0, line.length];
  while (from < to && " \t*#>_=-`".includes(line[from] as string)) from += 1;
  while (to > from && " \t*#:_=-`".includes(line[to - 1] as string)) to -= 1;
  return line.slice(from, to).replace(/[ \t]+/g, " ");
}

function isBeginning(line: string): boolean {
  if (line.length > LONGEST_HEADING) return false;
  return EXAMPLES.test(wordsOf(line));
}

function headingOf(line: string): Heading | null {
  const inline = INLINE.exec(line);
  const behind = inline && line.slice(inline[0].length).replace(/^[ \t*`]+/, "");
  if (behind && !/^-+\s*$/.test(behind)) return { kind: kindOf(inline[1]!), number: inline[2] ?? "", text: behind };
  if (OTHER_INLINE.test(line)) return { kind: "other", number: "", text: "" };
  if (line.length > LONGEST_HEADING) return null;
  const words = wordsOf(line);
  const stream = STREAM.exec(words);
  if (stream) return { kind: kindOf(stream[1]!), number: stream[2]!, text: "" };
  if (PRINTS.test(words)) return { kind: "output", number: "", text: "" };
  const isRuled = line.startsWith("---") && line.trimEnd().endsWith("---") && /[a-z]/i.test(words);
  return isRuled || EXAMPLES.test(words) || OTHER.test(words) ? { kind: "other", number: "", text: "" } : null;
}

const kindOf = (word: string): "input" | "output" => (/in$|input/i.test(word) ? "input" : "output");

/** The text of a block: the content of its code fence; otherwise all but the blank lines at both ends and the prose after it. */
function bodyOf(block: readonly string[]): string {
  const first = block.findIndex((line) => line.trim() !== "");
  if (first < 0) return "";
  if (block[first]!.trimStart().startsWith("```")) {
    const end = block.findIndex((line, i) => i > first && line.trimStart().startsWith("```"));
    return decoded(block.slice(first + 1, end < 0 ? block.length : end).join("\n"));
  }
  const lines = block.slice(first);
  const isBlank = (line: string | undefined): boolean => line !== undefined && /^[ \t]*(?:```\w*[ \t]*)?$/.test(line);
  const prose = lines.findIndex((line, i) => i > 0 && isBlank(lines[i - 1]) && startsProse(lines, i, line));
  const kept = prose < 0 ? lines : lines.slice(0, prose);
  while (isBlank(kept.at(-1))) kept.pop();
  return decoded(kept.join("\n"));
}

/** Whether a paragraph of prose, or a picture, begins on a line. */
function startsProse(lines: readonly string[], start: number, line: string): boolean {
  if (/^[ \t]*(?:<image>|!\[)/.test(line)) return true;
  let end = start;
  while (end < lines.length && lines[end]!.trim() !== "") end += 1;
  return isProse(lines.slice(start, end).join("\n"));
}

/** Whether a line looks like a sentence: at least four words, and a punctuation mark at the end. */
const isProse = (text: string): boolean =>
  text
    .split("\n")
    .some(
      (line) =>
        (line.match(/(?<![\w$\\])[A-Z]?[a-z]{1,20}(?![\w])/g)?.length ?? 0) >= 4 && /[.:!?)]$/.test(line.trimEnd()),
    );

/** Whether a text describes the format of inputs and is not an input. */
const isFormat = (text: string): boolean =>
  isProse(text) &&
  /\b(?:lines?|integers?|contains?|consists?|given|numbers?|strings?|denot\w+|separated|single|following)\b/i.test(
    text,
  );

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&nbsp;": " ",
};

/** Decodes the HTML entities and minus signs of collected descriptions. */
const decoded = (text: string): string =>
  text.replace(/&(?:lt|gt|amp|quot|nbsp);/g, (entity) => ENTITIES[entity]!).replace(/\u2212(?=\d)/g, "-");

/** Removes the margin of an indented block. */
function unindented(text: string): string {
  const lines = text.split("\n");
  const margins = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const margin = Math.min(...margins);
  return margin >= 4 || lines[0]!.startsWith("\t") ? lines.map((line) => line.slice(margin)).join("\n") : text;
}
