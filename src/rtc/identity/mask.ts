/**
 * Hides a function's name that reveals what it does. A model that reads `is_prime` need not read the body (Min et al. 2024,
 * section 5). Names are replaced in the syntax tree and in comments, but never in strings, because a program may print them.
 */
import { loadParser, type Node } from "../../languages/python/syntax/parse.ts";

/** The code with the function `from` renamed to `to`, at its definition and all uses. Also renames in code that does not parse. */
export async function renameFunction(code: string, from: string, to: string): Promise<string> {
  if (from === to || !code.includes(from)) return code;
  const { nodes } = (await loadParser())(code);
  const word = new RegExp(`(?<![\\w.])${from}(?!\\w)`, "g");
  let out = "";
  let at = 0;
  for (const node of nodes) {
    if (node.start < at || (node.type !== "comment" && node.type !== "identifier")) continue;
    const text = code.slice(node.start, node.end);
    if (node.type === "identifier" && (text !== from || isOther(node, code))) continue;
    out += code.slice(at, node.start) + text.replace(word, to);
    at = node.end;
  }
  return out + code.slice(at);
}

/** Whether an identifier is another name: `x.f` of another object, or the keyword `f=` of a call. */
function isOther({ field, parent }: Node, code: string): boolean {
  if (parent?.type === "keyword_argument") return field === "name";
  if (parent?.type !== "attribute" || field !== "attribute") return false;
  const object = parent.children[0]!;
  return !/^(?:self|cls)$/.test(code.slice(object.start, object.end));
}

/** `func`, with underscores appended until the surrounding code does not use the word. */
export function maskFor(around: string): string {
  let mask = "func";
  while (new RegExp(`\\b${mask}\\b`).test(around)) mask += "_";
  return mask;
}
