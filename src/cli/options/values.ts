/** Helpers that several verbs share: parsers of option values, and the exit code of a call that succeeded only in part. */
import { basename } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import type { Shard } from "../../dataset/index.ts";

/** An integer of at least `least` (and at most `most`), for commander's argument parsers. */
export const integer =
  (least: number, most = Number.POSITIVE_INFINITY) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || value > most) {
      const range = most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`;
      throw new InvalidArgumentError(`Expected an integer ${range}, got \`${text}\`.`);
    }
    return value;
  };

/** An option that takes one or several of its choices, separated by commas. Shells complete each of them (completion.ts). */
export class ListOption extends Option {
  override choices(values: readonly string[]): this {
    return super.choices(values).argParser((text) => text.split(",").map((name) => chosen(name.trim(), values)));
  }
}

function chosen(name: string, values: readonly string[]): string {
  if (values.includes(name)) return name;
  throw new InvalidArgumentError(
    `Expected one or several of ${values.join(", ")}, separated by commas, got \`${name}\`.`,
  );
}

/** A finite number in [from, to], for commander's argument parsers. */
export const number =
  (from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === "" || !Number.isFinite(value) || value < from || value > to) {
      throw new InvalidArgumentError(`Expected ${rangeOf(from, to)}, got \`${text}\`.`);
    }
    return value;
  };

function rangeOf(from: number, to: number): string {
  if (Number.isFinite(to)) return `a number from ${from} to ${to}`;
  if (from === Number.MIN_VALUE) return "a number above 0";
  return Number.isFinite(from) ? `a number of at least ${from}` : "a number";
}

/** Comma-separated numbers of at least 0, for commander's argument parsers. */
export const numbers = (text: string): number[] => text.split(",").map((part) => number(0)(part));

/** Sets exit code 1, because the call did not do everything it was asked to do. */
export function markIncomplete(): void {
  process.exitCode = 1;
}

/** A part such as 1/4, for commander's argument parsers. */
export function shard(text: string): Shard {
  const match = /^(\d{1,9})\/(\d{1,9})$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || index < 1 || index > count) {
    throw new InvalidArgumentError(`Expected a part such as 1/4, got \`${text}\`.`);
  }
  return { index, count };
}

/** Collects the values of an option that may be repeated. */
export const paths = (path: string, before: readonly string[] | false = []): string[] => [...(before || []), path];

/** Names of models in tables: the folder's name, or its path if two folders have the same name; `codescore` if no model is given. */
export function modelNames(models: readonly (string | undefined)[]): string[] {
  const names = models.map((model) => (model === undefined ? "codescore" : basename(model)));
  return names.map((name, i) => (names.indexOf(name) === names.lastIndexOf(name) ? name : models[i]!));
}

export const sandboxOption = (): Option =>
  new Option("--sandbox <kind>", "where programs run")
    .choices(["auto", "bwrap", "landlock", "wasm", "sandbox-exec", "none"])
    .default("auto");

export const allowUnsafeOption = (): Option =>
  new Option(
    "--allow-unsafe",
    "permit --sandbox none (your own rights), --sandbox sandbox-exec (macOS, untested), and --sandbox bwrap without a seccomp filter",
  );

export const pythonOption = (): Option =>
  new Option(
    "--python <file>",
    "Python of an environment (ENV/bin/python); programs see its packages; not in WebAssembly (default: no packages)",
  );
