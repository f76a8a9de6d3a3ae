/**
 * A stub of the function that a description asks for: its signature, the example calls, and a `return` of each expected answer. Candidates
 * without a reference are checked against it. Like a reference, it shows the arguments and the types of the answers. Nothing is evaluated.
 */
import escapeRegExp from "escape-string-regexp";
import { entryOf } from "../behaviour/entry.ts";
import { readExamples } from "../behaviour/examples.ts";
import { parseArguments } from "../languages/python/literals/index.ts";
import { atCommas, closingBracket } from "../languages/python/syntax/source.ts";

/** Maximum characters of a description, of a signature, and of an example's arguments and answer. Longer examples are skipped. */
const LONGEST = { description: 100_000, signature: 2000, example: 1000 } as const;
const MOST_EXAMPLES = 8;

/** A value for each annotated type. Other types are not checked. */
const VALUES: readonly (readonly [RegExp, string])[] = [
  [/^(?:int|bool|float|complex)$/, "0"],
  [/^str$/, '""'],
  [/^(?:typing\.)?(?:list|List)\b/, "[]"],
  [/^(?:typing\.)?(?:tuple|Tuple)\b/, "()"],
  [/^(?:typing\.)?(?:dict|Dict)\b/, "{}"],
  [/^(?:typing\.)?(?:set|Set)\b/, "set()"],
];

const DECLARED = /^[ \t]*(?:async[ \t]+)?def[ \t]+([a-zA-Z]\w*)[ \t]*\(/gm;

/** Null if the description declares no function and shows no call. */
export function stubOf(description: string, candidate: string): string | null {
  const text = description.slice(0, LONGEST.description);
  const entry = entryOf({
    entryPoint: [...text.matchAll(DECLARED)].at(-1)?.[1] ?? null,
    reference: null,
    description: text,
    candidates: [candidate],
  });
  if (entry?.kind !== "call") return null;
  const name = entry.name.slice(entry.name.lastIndexOf(".") + 1);
  // Models were fitted beside stubs without calls that print nothing.
  const shown = readExamples(text, entry, { quiet: false })
    .flatMap(({ input, expected }) => ("args" in input ? [{ args: input.args, expected }] : []))
    .filter(({ args, expected }) => args.length + expected.length <= LONGEST.example && !/[\r\n]/.test(args))
    .slice(0, MOST_EXAMPLES);
  const signature = signatureIn(text, name);
  if (signature === null && shown.length === 0) return null;
  const isMethod = signature?.isMethod ?? entry.name.startsWith("Solution().");
  const parameters = signature?.parameters ?? parametersOf(shown.map(({ args }) => args));
  const names = parameters.map((one) => /^\*{0,2}(\w+)/.exec(one)![1]!);
  const isProcedure = signature?.returns === "None";
  const values = isProcedure
    ? []
    : [...new Set([...shown.map(({ expected }) => expected), ...valuesOf(signature?.returns ?? "")])];
  const stub = [
    `def ${name}(${[...(isMethod ? ["self"] : []), ...parameters].join(", ")}):`,
    ...shown.map(({ args }) => `    # ${name}(${args})`),
    ...values.flatMap((value) => [`    if (${names.map((one) => `${one}, `).join("")}):`, `        return ${value}`]),
    isProcedure ? `    print(${names.join(", ")})` : `    return ${values.at(-1) ?? `anything(${names.join(", ")})`}`,
  ];
  return `${(isMethod ? ["class Solution:", ...stub.map((line) => `    ${line}`)] : stub).join("\n")}\n`;
}

interface Signature {
  /** Without `self`. */
  readonly parameters: readonly string[];
  readonly isMethod: boolean;
  /** The return annotation; empty if there is none. */
  readonly returns: string;
}

function signatureIn(text: string, name: string): Signature | null {
  const found = [...text.matchAll(new RegExp(`\\bdef[ \\t]+${escapeRegExp(name)}[ \\t]*\\(`, "g"))].at(-1);
  if (found === undefined) return null;
  const rest = text.slice(found.index + found[0].length).slice(0, LONGEST.signature);
  const end = closingBracket(rest, 0);
  if (end === null) return null;
  const [after = "", ...more] = rest.slice(end + 1).split(":");
  const [, returns] = after.trim().split("->");
  if (more.length === 0 || (after.trim() !== "" && returns === undefined)) return null;
  const all = atCommas(rest.slice(0, end).replace(/#[^\n]*/g, ""))
    .map((one) => one.trim())
    .filter((one) => /^\*{0,2}[a-zA-Z_]/.test(one));
  const parameters = all.filter((one) => !/^self\b/.test(one));
  return { parameters, isMethod: parameters.length < all.length, returns: (returns ?? "").trim() };
}

/** `x0`, `x1`, ... if all calls have the same number of arguments and no keywords; otherwise `*values`. */
function parametersOf(calls: readonly string[]): string[] {
  const lists = calls.map((args) => parseArguments(args));
  const count = lists[0]!.positional.length;
  const isSame = lists.every(({ positional, keyword }) => positional.length === count && keyword.length === 0);
  return isSame ? Array.from({ length: count }, (_, i) => `x${i}`) : ["*values"];
}

function valuesOf(annotation: string): string[] {
  const inner = /^(?:typing\.)?Optional\[(.*)\]$/.exec(annotation)?.[1];
  const parts = (inner ?? annotation).split("|").map((part) => part.trim());
  const values = parts.map((part) => (part === "None" ? "None" : VALUES.find(([type]) => type.test(part))?.[1]));
  if (values.includes(undefined)) return [];
  return [...(values as string[]), ...(inner === undefined ? [] : ["None"])];
}
