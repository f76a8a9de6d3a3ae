/**
 * Commands on standard input: lines that begin with one of a few words, as in `deposit bob 10`. Changed words, or commands with other arguments,
 * mean nothing, and programs may do anything with them.
 */
import type { ProgramInput } from "../types.ts";
import type { Random } from "../util/random.ts";
import { constantTexts } from "./constants.ts";
import { QUOTED } from "./quoted.ts";
import { asSource } from "./shown.ts";
import type { Task } from "./types.ts";

const WORD = /^[\p{L}_]{2,30}$/u;
const NUMBER = /^-?\d/;
const MOST = 40;

export interface Commands {
  /** A line of each form that the description's texts have. */
  readonly lines: readonly string[];
  /** The first line of each text is the number of the others. */
  readonly isCounted: boolean;
}

/** The commands of the texts that a description shows; null unless each line begins with one, or with a number. */
export function commandsOf({ reference, description }: Task, shown: readonly ProgramInput[]): Commands | null {
  const texts = shown.flatMap((input) => ("stdin" in input ? [linesOf(input.stdin)] : []));
  const lines = texts.flat();
  const firsts = lines.map((line) => wordsOf(line)[0] ?? "").filter((word) => word !== "" && !NUMBER.test(word));
  const own = constantTexts(reference ?? "");
  const quotes = [...asSource(description ?? "").matchAll(QUOTED)].map(([, a, b]) => a ?? b ?? "");
  const ticked = [...(description ?? "").matchAll(/`([^`\n]{1,60})`/g)].map(([, text]) => text!);
  const capitals = (description ?? "").match(/\b[A-Z]{3,30}\b/g) ?? [];
  const known = new Set([...own, ...capitals, ...[...quotes, ...ticked].flatMap((text) => text.split(/\s+/))]);
  if (firsts.length === 0 || !firsts.every((word) => WORD.test(word) && known.has(word))) return null;
  const byForm = new Map(lines.map((line) => [formOf(line), line]));
  const isCounted = texts.every(([first = "", ...rest]) => first.trim() === `${rest.length}`);
  return { lines: [...byForm.values()].slice(0, MOST), isCounted };
}

/** The text with lines of known forms: any other line becomes the known one with its command, or one of them, with its own numbers. */
export function withCommands(input: ProgramInput, commands: Commands | null, rng: Random): ProgramInput {
  if (!("stdin" in input) || commands === null) return input;
  const forms = new Set(commands.lines.map(formOf));
  const known = commands.lines.filter((line) => !NUMBER.test(line.trim()));
  const lines = linesOf(input.stdin).map((line, i) => {
    if (forms.has(formOf(line)) && (i === 0 || !commands.isCounted || !NUMBER.test(line.trim()))) return line;
    const same = known.filter((one) => wordsOf(one)[0] === wordsOf(line)[0]);
    const numbers = wordsOf(line).filter((word) => NUMBER.test(word));
    return rng.pick(same.length > 0 ? same : known).replace(/-?\d+/g, (number) => numbers.shift() ?? number);
  });
  if (!commands.isCounted) return { stdin: `${lines.join("\n")}\n` };
  const rest = /^\d+$/.test(lines[0]?.trim() ?? "") ? lines.slice(1) : lines;
  return { stdin: `${[`${rest.length}`, ...rest].join("\n")}\n` };
}

/** The command of a line, and what kinds its arguments are: `deposit word number`. */
const formOf = (line: string): string => {
  const [first = "", ...rest] = wordsOf(line).map((word) => (NUMBER.test(word) ? "number" : word));
  return [first, ...rest.map((word) => (word === "number" ? word : "word"))].join(" ");
};

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

const wordsOf = (line: string): string[] =>
  line
    .slice(0, 400)
    .split(/\s+/)
    .filter((word) => word !== "");
