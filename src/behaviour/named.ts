/** Reads examples that name arguments and answer, without a call: `Input: nums = [2, 7], target = 9` and `Output: [0, 1]`. */
import escapeRegExp from "escape-string-regexp";
import { readSignature } from "../expand/index.ts";
import { printLiteral } from "../languages/python/literals/index.ts";
import { lastName } from "./entry.ts";
import { type Arguments, answerIn, argumentsIn, printArguments } from "./shown.ts";
import type { Example } from "./types.ts";

const INPUT = /^[ \t*>#-]*(?:sample[ \t]|example[ \t])?input\b[ \t*]*(?:#?\d+[ \t*]*)?[:=]/gim;
const OUTPUT = /(?:^|(?<=[\n\t ,;>→*]))(?:expected[ \t]|sample[ \t])?outputs?\b[ \t*]*(?:#?\d+[ \t*]*)?[:=]/i;
/** Maximum number of characters that are read after an `Input` heading. The answer must begin there. */
const LONGEST = 3000;

const FOR = /\b(?:for|if|given)[ \t](?=[`\w['"])/gi;
const ANSWER =
  /\b(?:the|your)[ \t](?:expected[ \t])?(?:output|result|answer|return(?:ed)?[ \t]value|function)[ \t](?:(?:should|must|will|would)[ \t](?:be|return|equal)|is|equals|returns)\b/i;
const LONGEST_FOR = 600;

/** In-place functions return nothing: the example shows an argument after the call. */
const IN_PLACE = /\b(?:do(?:es)? not|don't) return anything\b|\bin[- ]place\b/i;
/** Linked lists and trees are written as lists, but programs take node objects. */
const NODES =
  /\b(?:linked[ -]lists?|(?:binary|search|n-ary)[ -](?:search[ -])?trees?|BST|tree ?node|list ?node|quad-tree)\b/i;
const NODE_NAMES = /^(?:root\w*|head\w*|l\d|list\w?\d*|lists|sub_?root|node\w*|tree\w?\d*|original|cloned|p|q)$/i;

/** `hasNodes`: whether the program is given nodes in place of lists (nodes/). */
export function namedExamples(text: string, name: string, hasNodes = false): Example[] {
  if (!hasNodes && (IN_PLACE.test(text) || returnsNone(text, name))) return [];
  const shown = [...inputs(text), ...sentences(text)];
  if (shown.length === 0) return [];
  const isOfNodes = !hasNodes && NODES.test(text);
  const declared = readSignature(text, name)?.map((parameter) => parameter.name) ?? []; // reads the whole text
  return shown.flatMap(({ args, expected }) => {
    if (isOfNodes && args.keyword.some(([key]) => NODE_NAMES.test(key))) return [];
    return [{ input: { args: printArguments(inOrder(args, declared)) }, expected }];
  });
}

interface Shown {
  readonly args: Arguments;
  readonly expected: string;
}

function inputs(text: string): Shown[] {
  const found: Shown[] = [];
  const starts = [...text.matchAll(INPUT)];
  for (const [i, match] of starts.entries()) {
    const from = match.index + match[0].length;
    const window = text.slice(from, Math.min(from + LONGEST, starts[i + 1]?.index ?? text.length));
    const output = OUTPUT.exec(window);
    if (output === null) continue;
    const args = givenIn(window.slice(0, output.index));
    const answer = window
      .slice(output.index + output[0].length)
      .replace(/^[ \t`*]*(?:\n[ \t]*)?(?:```\w*\n)?[`*]*/, "");
    const expected = answerIn(answer.replace(/`/g, " ")) ?? bareWord(answer);
    if (args !== null && expected !== null) found.push({ args, expected });
  }
  return found;
}

/** `For n = 2, m = 3, the result should be 3`. The answer may be written as a call with variables: `f(n, m) = 3`. */
function sentences(text: string): Shown[] {
  return [...text.matchAll(FOR)].flatMap((match) => {
    const window = text.slice(match.index + match[0].length, match.index + match[0].length + LONGEST_FOR);
    const said = ANSWER.exec(window);
    if (said === null) return [];
    const args = givenIn(window.slice(0, said.index));
    const answer = window
      .slice(said.index + said[0].length)
      .replace(/^[ \t]*:?[ \t]*\n?[ \t]*/, "")
      .replace(/^[ \t`*]+/, "")
      .replace(/^\w+\([^()\n]{0,200}\)[ \t]*={1,2}[ \t]*/, "");
    const expected = answerIn(answer);
    return args !== null && expected !== null ? [{ args, expected }] : [];
  });
}

/** The only word of a line: a string without quotes. */
function bareWord(text: string): string | null {
  const word = /^([A-Za-z]\w*)[ \t`*]*(?:\n|$)/.exec(text)?.[1];
  return word === undefined || /^(?:none|undefined|nan|infinity|void|error)$/i.test(word)
    ? null
    : printLiteral({ t: "str", v: word });
}

/** Removes Markdown's stars, and the punctuation and arrows before the answer. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && " \t\n,;:.*->=→".includes(text[end - 1] as string)) end -= 1;
  return text.slice(0, end).replace(/^[\s*]+/, "");
}

/** Reads `xs = [1, 2], k = 3` from one or more lines. `arr[] = {1, 2}` is a list. */
function givenIn(text: string): Arguments | null {
  const plain = withoutEnd(text.replace(/`/g, " ").replace(/[ \t](?:#|\/\/)[^\n]*/g, ""))
    .replace(/[,;]?\n[ \t]*(?=\w+[ \t]*=)/g, ", ")
    .replace(/,?[ \t]and[ \t](?=\w+[ \t]*=)/g, ", ");
  const isC = /\w\[\d*\]/.test(plain);
  return argumentsIn(
    isC
      ? plain
          .replace(/(\w)(?:\[\d*\])+/g, "$1")
          .replace(/\{/g, "[")
          .replace(/\}/g, "]")
      : plain,
  );
}

/**
 * Makes the arguments positional, because a program may name its parameters differently. The order is that of the signature in the
 * description; otherwise the order in the text, in which judges pass them.
 */
function inOrder(args: Arguments, declared: readonly string[]): Arguments {
  const { positional, keyword } = args;
  if (positional.length > 0) return args;
  const given = new Map(keyword);
  const isThose = declared.length === given.size && declared.every((own) => given.has(own));
  return {
    positional: isThose ? declared.map((own) => given.get(own)!) : keyword.map(([, value]) => value),
    keyword: [],
  };
}

const returnsNone = (text: string, name: string): boolean =>
  new RegExp(`\\bdef[ \\t]+${escapeRegExp(lastName(name))}\\b[^\\n]{0,300}->[ \\t]*None[ \\t]*:`).test(text);
