/** Helpers for page elements. Everything is inserted as text, never as markup; the server's policy does not allow markup from text. */
import { codeSpans } from "../../util/code-spans.ts";

export const byId = <T extends HTMLElement = HTMLElement>(id: string): T => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as T;
};

/** A text as nodes: what stands in backticks becomes code. */
export const inline = (text: string): (string | Node)[] =>
  codeSpans(text).map((span) => (span.isCode ? element("code", "", span.text) : span.text));

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: (string | Node)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  made.append(...children);
  return made;
}
