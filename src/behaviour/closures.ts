/** Functions that return a function, such as `make_counter(start)`. They are called like the constructor of a class with a method `__call__`. */
import escapeRegExp from "escape-string-regexp";
import { stripPython } from "../languages/python/index.ts";
import { blockAt, type Class } from "./classes.ts";

/** Maximum characters of a function that is read. */
const LONGEST = 20_000;
const INNER = /^([ \t]+)def[ \t]+(\w+)[ \t]*\(/gm;

/** The function as a class; null if it returns none of the functions in it. */
export function closureOf(code: string, name: string): Class | null {
  const start = code.search(new RegExp(`^def[ \\t]+${escapeRegExp(name)}[ \\t]*\\(`, "m"));
  if (start < 0) return null;
  const body = blockAt(code.slice(0, start + LONGEST), start);
  const returned = [...stripPython(body).matchAll(/^([ \t]+)return[ \t]+(\w+)[ \t]*$/gm)].at(-1);
  const inner = [...body.matchAll(INNER)].find(([, margin, own]) => own === returned?.[2] && margin === returned?.[1]);
  if (inner === undefined) return null;
  return { name, body, methods: [], special: ["__call__"], makes: inner[2]! };
}
