/**
 * Constants of a reference and of a description, such as the 400 of Roman numerals. A program may go wrong at them alone, and the smallest
 * inputs hold none of them.
 */
import { constantsIn } from "../expand/index.ts";
import type { ProgramInput } from "../types.ts";
import { statementsOf } from "./constraints/index.ts";
import type { Task } from "./types.ts";

/** Maximum number of constants of a description. */
const MOST = 12;
/** Smaller numbers are in many inputs anyway. */
const LEAST = 10;
const NUMBER = /(?<![\w.^-])\d{2,6}(?![\w^]|\.\d)/g;
const IN_INPUT = /(?<![\w.])-?\d{2,12}(?![\w.])/g;

/** The texts among a program's constants. */
export const constantTexts = (code: string): string[] =>
  constantsIn(code).flatMap((value) => (value.t === "str" ? [value.v] : []));

/** Numbers of the sentences of a description, without those of constraints and examples. */
export function saidNumbers(description: string | null): number[] {
  const said = statementsOf(description ?? "").filter(({ isListed, text }) => !isListed && !/[<>]/.test(text));
  const found = said.flatMap(({ text }) => [...text.matchAll(NUMBER)].map(([number]) => Number(number)));
  return [...new Set(found)].filter((number) => number >= LEAST).slice(0, MOST);
}

/** Finds the constants that an input holds. `quoted`: texts that count as constants, too. */
export function heldConstants(
  { reference, description }: Task,
  quoted: readonly string[],
): (input: ProgramInput) => string[] {
  const own = constantsIn(reference ?? "");
  const numbers = new Set([
    ...saidNumbers(description).map(String),
    ...own.flatMap((value) => (value.t === "int" && value.v >= LEAST ? [value.v.toString()] : [])),
  ]);
  const constants = own.flatMap((value) => (value.t === "str" && [...value.v].length > 1 ? [value.v] : []));
  const texts = [...new Set([...constants, ...quoted])];
  return (input) => {
    const text = "args" in input ? input.args : input.stdin;
    const held = [...text.matchAll(IN_INPUT)].map(([number]) => number).filter((number) => numbers.has(number));
    return [...new Set([...held, ...texts.filter((own) => text.includes(own))])];
  };
}
