/** Parsers of option values of `codescore rtc`, for commander. */
import { InvalidArgumentError } from "commander";
import type { Price } from "../../rtc/index.ts";
import { number } from "../options/values.ts";

/** Comma-separated names. */
export const names = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** `sim=value`; may be repeated. */
export function threshold(text: string, before: Readonly<Record<string, number>> = {}): Record<string, number> {
  const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError(`Expected a threshold such as codescore=0.5, got \`${text}\`.`);
  }
  return { ...before, [name]: number(0, 1)(value) };
}

export function price(text: string, before: Readonly<Record<string, Price>> = {}): Record<string, Price> {
  const [, name, prompt, completion] = /^(.+)=([^,]+),([^,]+)$/.exec(text) ?? [];
  if (name === undefined || prompt === undefined || completion === undefined) {
    throw new InvalidArgumentError(`Expected a price such as gpt-4o-mini=0.15,0.60, got \`${text}\`.`);
  }
  const amount = number(0);
  return { ...before, [name]: { prompt: amount(prompt), completion: amount(completion) } };
}

export function between(text: string): readonly [number, number] {
  const [low, high, ...more] = text.split(",").map((part) => number(0, 1)(part));
  if (low === undefined || high === undefined || more.length > 0 || low > high) {
    throw new InvalidArgumentError(`Expected two scores such as 0.2,0.8, the lower first, got \`${text}\`.`);
  }
  return [low, high];
}
