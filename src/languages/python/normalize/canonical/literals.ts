/** Reads numbers and strings, so that each value has one spelling. */
import { printLiteral } from "../../literals/index.ts";
import { readString } from "../../literals/strings.ts";
import type { Node } from "../../syntax/parse.ts";
import { childrenOf, type Source } from "./nodes.ts";
import { literal, type Term } from "./terms.ts";

/** A number or a string as `repr` writes it; adjacent strings are joined. If the value is not certain, its source text is kept. */
export function readLiteral(source: Source, node: Node): Term {
  if (node.type === "integer" || node.type === "float") return literal(numberOf(source.textOf(node)));
  const pieces = (node.type === "string" ? [node] : childrenOf(node)).map((piece) => source.textOf(piece));
  const values = pieces.map(stringOf);
  const isBytes = /^\w*b/i.test(pieces[0]!);
  if (values.includes(null)) return literal(pieces.join(" "));
  const whole = values.join("");
  if (isBytes) return literal(printLiteral({ t: "bytes", v: Buffer.from(whole, "latin1").toString("hex") }));
  return literal(printLiteral({ t: "str", v: whole }));
}

/** A number in lower case, without `_`, with a digit on both sides of the point. */
const numberOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("_", "")
    .replace(/^\./, "0.")
    .replace(/\.(?!\d)/, ".0");

/** The value of one string literal; null if its text alone does not determine it. */
function stringOf(text: string): string | null {
  const prefix = /^\w*/.exec(text)![0].toLowerCase();
  if (/\\[uU]0*[dD][89a-fA-F]/.test(text) || prefix.includes("f")) return null; // a surrogate: half of a character
  const read = readString(text, prefix.length, { raw: prefix.includes("r"), bytes: prefix.includes("b") });
  return "expected" in read ? null : read.value;
}
