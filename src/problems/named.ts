/**
 * Method calls written as text: `nums = [2,7], target = 9` with the answer `[0,1]` (LeetCode's examples). The method's
 * annotations tell what the arguments mean. Left out: prose, values of the judge's own classes (ListNode, TreeNode), methods that
 * change their argument in place, and answers that do not fit their annotation.
 */

import { printLiteral } from "../languages/python/literals/index.ts";
import { atCommas, closingBracket } from "../languages/python/syntax/source.ts";
import type { PyValue, TestCase } from "../types.ts";

export interface Signature {
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  /** The annotation of the return value; empty if there is none. */
  readonly returns: string;
}

/** LeetCode's tolerance for floats: answers within 10^-5 are accepted. */
const FLOAT_TOLERANCE = 1e-5;

/** The only public method of `class Solution`; null if there is none or more than one. */
export function onlyMethod(code: string): string | null {
  const body = /^class[ \t]+Solution\b[^\n]*\n((?:(?:[ \t][^\n]*)?\n)*(?:[ \t][^\n]*)?)/m.exec(code)?.[1] ?? "";
  const indent = /^[ \t]+(?=def\b)/m.exec(body)?.[0];
  const names = [...body.matchAll(new RegExp(`^${indent}def[ \\t]+(\\w+)`, "gm"))].map((match) => match[1] as string);
  const open = names.filter((name) => !name.startsWith("_"));
  return indent !== undefined && open.length === 1 ? (open[0] as string) : null;
}

/** Parameters (without `self`) and annotations of a method; null if the method is missing or takes `*args`. */
export function signatureOf(code: string, method: string): Signature | null {
  const head = new RegExp(`^[ \\t]+def[ \\t]+${method}[ \\t]*\\(`, "m").exec(code);
  const start = head === null ? 0 : head.index + head[0].length;
  const end = head === null ? null : closingBracket(code, start);
  if (end === null) return null;
  const parameters = atCommas(code.slice(start, end))
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== "self")
    .map((part) => {
      const [name = "", type = ""] = (part.split("=")[0] as string).split(/:([\s\S]*)/);
      return { name: name.trim(), type: type.trim() };
    });
  if (parameters.some(({ name }) => !/^\w+$/.test(name))) return null;
  return { parameters, returns: /^\)\s*->([^\n:]*):/.exec(code.slice(end))?.[1]?.trim() ?? "" };
}

/** Builds calls from the pairs that can be read. `literal` parses a value and returns null for other text. */
export function namedCalls(
  pairs: readonly { readonly input: string; readonly output: string }[],
  signature: Signature | null,
  literal: (text: string) => PyValue | null,
): TestCase[] {
  const plain = signature !== null && isPlain(signature.returns) && signature.parameters.every((p) => isPlain(p.type));
  if (!plain) return [];
  return pairs.flatMap(({ input, output }, i): TestCase[] => {
    const args = argumentsIn(input, signature, literal);
    const expected = literal(output.trim());
    if (args === null || expected === null || !fits(expected, signature.returns)) return [];
    const tolerance = /\bfloat\b/.test(signature.returns) ? FLOAT_TOLERANCE : 0;
    return [
      {
        id: `test-${i}`,
        origin: "given",
        kind: "call",
        args: args.map(printLiteral).join(", "),
        expected: printLiteral(expected),
        tolerance,
      },
    ];
  });
}

function argumentsIn(
  input: string,
  { parameters }: Signature,
  literal: (text: string) => PyValue | null,
): PyValue[] | null {
  const parts = atCommas(input.trim().replace(/,$/, ""));
  if (parts.length !== parameters.length) return null;
  const named = parts.map((part) => /^\s*(\w+)\s*=(?!=)([\s\S]+)/.exec(part));
  const byName = new Map(named.flatMap((match) => (match === null ? [] : [[match[1], match[2] as string] as const])));
  const texts = parameters.map(({ name }, i) =>
    // By name if the names are the parameters'. Otherwise in order, because some statements and signatures use different names.
    byName.size === parameters.length && parameters.every((p) => byName.has(p.name))
      ? (byName.get(name) as string)
      : (named[i]?.[2] ?? (parts[i] as string)),
  );
  const values = texts.map((text, i) => {
    const value = literal(text.trim());
    return value !== null && fits(value, parameters[i]?.type ?? "") ? value : null;
  });
  return values.includes(null) ? null : (values as PyValue[]);
}

const PLAIN = /^(?:int|float|str|bool|[Ll]ist|[Tt]uple|[Dd]ict|[Ss]et|Optional|Union|None)$/;

/** Whether the type uses only built-in types and is not just None. A method that returns None answers by changing its argument. */
const isPlain = (type: string): boolean => {
  const names = type.match(/\w+/g) ?? [];
  return names.length > 0 && type !== "None" && names.every((name) => PLAIN.test(name));
};

/** Whether a value fits the annotated type. Checks only the outermost type. */
function fits(value: PyValue, type: string): boolean {
  const outer = /^\w+/.exec(type)?.[0]?.toLowerCase() ?? "";
  if (outer === "optional" || outer === "union" || /\|/.test(type)) return true;
  if (outer === "float") return value.t === "float" || value.t === "int";
  return ["tuple", "set"].includes(outer) ? value.t === "list" || value.t === outer : value.t === outer;
}
