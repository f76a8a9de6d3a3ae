/** Texts in quotes: a description may show what it means by `such as "Émile Zola"`. */
import type { Parameter } from "../expand/index.ts";
import { printLiteral } from "../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../types.ts";
import type { Random } from "../util/random.ts";
import { constantTexts } from "./constants.ts";
import { patternTexts } from "./patterns.ts";
import { asSource } from "./shown.ts";
import type { Task } from "./types.ts";

export const QUOTED = /"([^"\n]{1,60})"|(?<!\w)'([^'\n]{1,60})'(?!\w)/g;
const MOST_QUOTED = 6;

export function quotedTexts(description: string | null, most = MOST_QUOTED): string[] {
  // The quotes around a docstring would pair with those in it.
  const source = asSource(description ?? "").replaceAll(/"""|'''/g, "\n");
  const texts = [...source.matchAll(QUOTED)].map(([, a, b]) => (a ?? b) as string);
  return [...new Set(texts)].slice(0, most);
}

/** Number of calls that are made of texts in quotes. */
const CALLS = 20;
const CASELESS = /\.(?:lower|upper|casefold)\(|IGNORECASE|re\.I\b/;
const CASE_SHARE = 0.3;

/**
 * Calls whose arguments are texts that the description has in quotes, texts for the reference's patterns, or lists of them. Quoted texts that the
 * reference contains may be answers. Without a reference nothing tells answers apart, so there are no calls.
 */
export function quotedCalls(
  { reference, description }: Task,
  parameters: readonly Parameter[],
  rng: Random,
): ProgramInput[] {
  if (reference === null) return [];
  const own = new Set(constantTexts(reference));
  const quoted = quotedTexts(description).filter((text) => !own.has(text) && /[\p{L}\p{N}]/u.test(text));
  const texts = [...quoted, ...patternTexts(reference)];
  const types = parameters.map(({ shape }) => shape.map(({ of }) => of.t));
  const isText = types.every((own) => own.length === 0 || own.includes("str") || own.includes("list"));
  if (texts.length === 0 || types.length === 0 || !isText) return [];
  // A program that ignores case is asked for both.
  const cases = CASELESS.test(reference) ? [(v: string) => v.toLowerCase(), (v: string) => v.toUpperCase()] : [];
  const text = (): PyValue => {
    const v = rng.pick(texts);
    return { t: "str", v: cases.length > 0 && rng.chance(CASE_SHARE) ? rng.pick(cases)(v) : v };
  };
  const list = (): PyValue => ({ t: "list", v: Array.from({ length: rng.int(1, 4) }, text) });
  const made = Array.from({ length: CALLS }, () =>
    types
      .map((own) => ((own.length === 0 ? rng.chance(0.5) : own.includes("str")) ? text() : list()))
      .map(printLiteral)
      .join(", "),
  );
  return [...new Set(made)].map((args) => ({ args }));
}
