/**
 * Hides the name of a function that says what it does: a model that reads `is_prime` need not read the body (Min et al. 2024,
 * section 5). Names are replaced where the syntax tree has them, and in comments; never in strings, which a program may print.
 */
import { loadParser, type Node } from "../../languages/python/syntax/parse.ts";

/** The code with the function `from` called `to`, at its definition and wherever it is used. Code that does not parse too. */
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

/** A word that is no name of ours: `x.f` of another object, or `f=` of a call. */
function isOther({ field, parent }: Node, code: string): boolean {
  if (parent?.type === "keyword_argument") return field === "name";
  if (parent?.type !== "attribute" || field !== "attribute") return false;
  const object = parent.children[0]!;
  return !/^(?:self|cls)$/.test(code.slice(object.start, object.end));
}

/** `func`, or with underscores behind where the code around uses that word itself. */
export function maskFor(around: string): string {
  let mask = "func";
  while (new RegExp(`\\b${mask}\\b`).test(around)) mask += "_";
  return mask;
}
