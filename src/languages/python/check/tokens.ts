/** Numbers, texts and operators that Python refuses, most of them of Python 2. */
import { type Node, type Program, textOf } from "../syntax/walk.ts";
import type { Check, Refusal } from "./refusal.ts";

/** By type of node. */
export const TOKEN_CHECKS: Readonly<Record<string, Check>> = {
  integer: (node, program) => refusedInteger(textOf(program, node)),
  identifier(node, program) {
    const text = textOf(program, node);
    return text === "async" || text === "await" ? `\`${text}\` is a keyword` : null;
  },
  "<>": () => "Python 3 has no `<>`",
  type_conversion(node, program) {
    const text = textOf(program, node);
    return /^![a-z]+$/i.test(text) && !/^![rsa]$/.test(text) ? `no conversion \`${text}\`` : null;
  },
  concatenated_string(node, program) {
    const strings = node.children.filter(({ type }) => type === "string");
    return new Set(strings.map((one) => isBytes(one, program))).size > 1 ? "bytes and text stand together" : null;
  },
  string: refusedString,
};

function refusedInteger(text: string): string | null {
  if (/^0[\d_]+$/.test(text) && /[1-9]/.test(text)) return "a number begins with 0";
  return /(?:^[\d_]+|^0[xob][\da-f_]+)l$|_$/i.test(text) ? `\`${text}\` is not a number` : null;
}

/** The letters before the quotes. */
const prefixOf = ({ children }: Node, program: Program): string =>
  textOf(program, children[0]!).split(/["']/, 1)[0]!.toLowerCase();

const isBytes = (node: Node, program: Program): boolean => prefixOf(node, program).includes("b");

/** An escape of another length. Pairs of characters are read, so that `\\x` is none. */
const TEXT_ESCAPE = /\\(?:[^xuU]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U00(?:0[\da-fA-F]|10)[\da-fA-F]{4})|(\\[xuU])/gs;
const BYTES_ESCAPE = /\\(?:[^x]|x[\da-fA-F]{2})|(\\x)/gs;

function refusedString(node: Node, program: Program): string | Refusal | null {
  const prefix = prefixOf(node, program);
  if (prefix === "`" || prefix === "ur") return "Python 3 has no such text";
  for (const { type, start, end } of node.children) {
    if (type !== "string_content") continue;
    const content = program.code.slice(start, end);
    const far = prefix.includes("b") ? /[^\0-\x7f]/.exec(content) : null;
    if (far !== null) return { at: start + far.index, why: "bytes have characters beyond ASCII" };
    if (prefix.includes("r") || !content.includes("\\")) continue;
    const escapes = content.matchAll(prefix.includes("b") ? BYTES_ESCAPE : TEXT_ESCAPE);
    const wrong = [...escapes].find((match) => match[1] !== undefined);
    if (wrong !== undefined) return { at: start + wrong.index, why: `\`${wrong[1]}\` has too few digits` };
  }
  return null;
}
