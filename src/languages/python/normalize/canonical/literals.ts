/** Numbers and strings in one spelling each. */
import { printLiteral } from "../../literals/index.ts";
import { readString } from "../../literals/strings.ts";
import type { Node } from "../../syntax/parse.ts";
import { childrenOf, type Source } from "./nodes.ts";
import { literal, type Term } from "./terms.ts";

/** A number or a string, side by side ones joined, as `repr` writes it; in its own words where that is not sure. */
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

/** Small letters, no `_`, a digit on both sides of the point. */
const numberOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("_", "")
    .replace(/^\./, "0.")
    .replace(/\.(?!\d)/, ".0");

/** The value of one string literal; null where it cannot be told from its text alone. */
function stringOf(text: string): string | null {
  const prefix = /^\w*/.exec(text)![0].toLowerCase();
  if (/\\[uU]0*[dD][89a-fA-F]/.test(text) || prefix.includes("f")) return null; // half of a character
  const read = readString(text, prefix.length, { raw: prefix.includes("r"), bytes: prefix.includes("b") });
  return "expected" in read ? null : read.value;
}
