/**
 * Commands on standard input: lines that begin with one of a few words, as in `deposit bob 10`. A changed word is no command, and programs
 * may do anything with it.
 */
import { constantsIn } from "../expand/index.ts";
import type { ProgramInput } from "../types.ts";
import type { Random } from "../util/random.ts";
import { QUOTED } from "./quoted.ts";
import type { Task } from "./types.ts";

const WORD = /^[\p{L}_]{2,30}$/u;
const NUMBER = /^-?\d/;
const MOST = 20;

/** The commands of the texts that a description shows; empty unless each line begins with one, or with a number. */
export function commandsOf({ reference, description }: Task, shown: readonly ProgramInput[]): string[] {
  const lines = shown.flatMap((input) => ("stdin" in input ? input.stdin.split("\n") : []));
  const firsts = lines.map(firstOf).filter((word) => word !== "" && !NUMBER.test(word));
  const own = constantsIn(reference ?? "").flatMap((value) => (value.t === "str" ? [value.v] : []));
  const quoted = [...(description ?? "").matchAll(QUOTED)].flatMap(([, a, b]) => (a ?? b ?? "").split(/\s+/));
  const known = new Set([...own, ...quoted]);
  const commands = [...new Set(firsts)];
  if (commands.length === 0 || !commands.every((word) => WORD.test(word) && known.has(word))) return [];
  return commands.slice(0, MOST);
}

/** The text with a command at the beginning of each line. */
export function withCommands(input: ProgramInput, commands: readonly string[], rng: Random): ProgramInput {
  if (!("stdin" in input) || commands.length === 0) return input;
  const lines = input.stdin.split("\n").map((line) => {
    const first = firstOf(line);
    return first === "" || NUMBER.test(first) || commands.includes(first)
      ? line
      : line.replace(first, () => rng.pick(commands));
  });
  return { stdin: lines.join("\n") };
}

const firstOf = (line: string): string => /^\s{0,20}(\S{1,40})/.exec(line)?.[1] ?? "";
