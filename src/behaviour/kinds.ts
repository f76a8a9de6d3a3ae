/** Kinds of arguments, and the evidence for each: the parameter's name, its use in the program, words of the description. */
import escapeRegExp from "escape-string-regexp";
import type { PyValue } from "../types.ts";

export interface Kind {
  readonly type: PyValue["t"];
  /** Python literals, the most common first. */
  readonly literals: readonly string[];
  /** Parameter names that are mostly of this kind. */
  readonly names?: RegExp;
  /** Regular expression of a program's uses of such a value; `X` stands for the parameter. */
  readonly uses?: string;
  /** Words in the description. */
  readonly words?: RegExp;
  /** Prior weight: how common the kind is without other evidence. */
  readonly usual: number;
}

const LIST_USE = String.raw`len\(X\)|(?:sorted|sum|max|min)\(X(?! ?(?:[-+*/<>=.]|,(?! ?(?:key|default|reverse|start)\b)))|X\[|in X\b|X\.(?:append|sort|pop|index|copy)\b|enumerate\(X|set\(X`;
const NESTED_USE = String.raw`X\[[^\]\n]{1,30}\]\[|for \w+, ?\w+ in X\b|len\(X\[0\]\)|zip\(\*X`;
const TEXT_USE = String.raw`X\.(?:split|lower|upper|strip|replace|is\w+|startswith|endswith|find|swapcase|title|encode|capitalize)\b|re\.\w+\([^)\n]{0,60}\bX\b`;

export const KINDS: readonly Kind[] = [
  {
    type: "int",
    literals: ["5", "12", "3", "1", "7", "100", "2", "30"],
    names:
      /^(?:n|m|k|x|y|z|a|b|c|d|l|r|i|j|p|q|w|h|num\w*|number|count|size|limit|base|target|start|end|step|index|year|month|day|hours?|val\w*|amount|total|age|low|high|left|right|n\d|side|length|width|height|rows?|cols?|capacity|price|max\w*|min\w*|digits?|qty|quantity|units|cents|minutes?|seconds?|days?|points?|percent|duration|\w+_(?:id|count|qty|cents|minutes|seconds|days|hours|points|limit|size|index|no|number))$/i,
    uses: String.raw`range\([^)\n]{0,20}\bX\b|X ?(?:%|//|<<|>>|&|\^|\*\*)|% ?X\b|while X\b|X ?(?:[-+*/]|[<>]=?|[-+*/]=) ?\d|X ?- ?[a-z(]|[\w)\]] ?- ?X\b|X ?[<>]=? ?\w|str\(X\)|bin\(X\)|math\.\w+\(X|\blen\(\w{1,30}\) ?[=!<>]=? ?X\b(?!\()`,
    words:
      /\b(?:numbers?|integers?|n-?th|digits?|prime|factorial|fibonacci|divisib\w+|even|odd|power|binary|sum|count|year|bits?)\b/i,
    usual: 1.5,
  },
  {
    type: "str",
    literals: [
      "'abcab'",
      "'Hello World'",
      "'aBc 12 d'",
      "'a'",
      "'python is fun'",
      "'level'",
      "'xyz'",
      "'one, two; three'",
    ],
    names:
      /^(?:s|t|str\w*|string\w*|text\w*|word\w*|sentence|name|owner|author|title|label|user\w*|char\w*|ch|s\d|pattern|password|message|letters?|substr\w*|input_?str\w*|test_?str\w*|path|expression|date\w*|time|player|customer|employee|student|guest|member|person|city|country|e?mail|category|colou?r|tag|role|sku|product|topic|team|command|cmd|url|symbol|currency|\w+_?name)$/i,
    uses: TEXT_USE,
    words:
      /\b(?:strings?|words?|sentences?|texts?|characters?|letters?|vowels?|palindrome|regex|substrings?|uppercase|lowercase)\b/i,
    usual: 1.2,
  },
  {
    type: "list",
    literals: [
      "[3, 1, 2, 5, 4]",
      "[10, 20, 20, 7]",
      "[1]",
      "[4, -2, 0, 9, -7, 4]",
      "[2, 4, 6, 8, 10, 12]",
      "[5, 3, 5, 1, 3, 5, 9]",
      "[1, 2, 3]",
    ],
    names:
      /^(?:l|lst|list\w*|arr\w*|array\w*|nums\w*|numbers|items|values|elements|data|seq\w*|xs|ys|a|test_?list\w*|input_?list|l\d|nums?\d|operations|prices|heights|weights|coins|scores|interval\w*)$/i,
    uses: LIST_USE,
    words: /\b(?:lists?|arrays?|sequences?|elements?|items?|sorted|heap|array's)\b/i,
    usual: 1.3,
  },
  {
    type: "list",
    literals: [
      "['apple', 'kiwi', 'apple', 'fig']",
      "['b', 'a', 'c']",
      "['Hello', 'World', 'ab', '']",
      "['x']",
      "['red', 'green', 'Blue', 'red', 'white']",
    ],
    names: /^(?:words|strings|strs|names|lst|texts|sentences|planets|list\w*|test_?list|letters)$/i,
    uses: String.raw`\.join\(X\)`,
    words: /\b(?:lists? of (?:strings?|words?)|strings? list|array of strings?|words|list of characters)\b/i,
    usual: 0.7,
  },
  {
    type: "list",
    literals: [
      "[[1, 2, 3], [4, 5, 6], [7, 8, 9]]",
      "[[3, 1], [2, 5], [1, 1]]",
      "[[1, 0, 1], [0, 0, 1], [1, 1, 0]]",
      "[[5], [6, 7], [1, 2, 3]]",
      "[[2, 4], [4, 2]]",
    ],
    names: /^(?:matrix|mat|grid|board|lists|nested\w*|lst|rows|points|edges|m|list\w*|cost|arr|graph|image)$/i,
    uses: NESTED_USE,
    words: /\b(?:matri\w+|2-?d|grid|lists? of lists?|nested|sub-?lists?|rows?|columns?|tuple matrix|lists)\b/i,
    usual: 0.6,
  },
  {
    type: "tuple",
    literals: ["(3, 1, 2, 5, 4)", "(10, 20, 20, 7)", "(1, 2, 3)", "(4, -2, 0, 9)", "(5, 3, 5, 1)"],
    names: /^(?:t|tup\w*|test_?tup\w*|tuple\w*|point)$/i,
    uses: LIST_USE,
    words: /\btuples?\b/i,
    usual: 0.5,
  },
  {
    type: "list",
    literals: [
      "[(1, 2), (3, 1), (2, 2)]",
      "[(5, 6), (1, 9), (3, 3), (5, 2)]",
      "[(4, 7)]",
      "[(2, 1, 5), (3, 4, 6), (1, 2, 2)]",
    ],
    names: /^(?:tup\w*|test_?list|pairs|points|intervals|lst|list\w*|edges)$/i,
    uses: NESTED_USE,
    words: /\b(?:lists? of (?:\w+ )?tuples?|tuples? list|pairs|tuples|records?)\b/i,
    usual: 0.45,
  },
  {
    type: "list",
    literals: ["[('English', 88), ('Maths', 97), ('Science', 90)]", "[('a', 3), ('b', 1), ('a', 2)]", "[('x', 5)]"],
    uses: NESTED_USE,
    words: /\b(?:lists? of (?:\w+ )?tuples?|tuples? list|pairs|records?)\b/i,
    usual: 0.3,
  },
  {
    type: "dict",
    literals: [
      "{'a': 3, 'b': 1, 'c': 2}",
      "{'x': 5}",
      "{'Math': 81, 'Physics': 83, 'Chemistry': 87}",
      "{'k': 10, 'm': 10, 'p': 7, 'q': 1}",
    ],
    names: /^(?:d|dict\w*|dic|map\w*|test_?dict|counts?|d\d|graph)$/i,
    uses: String.raw`X\.(?:items|keys|values|get)\b|X\[|\bdict\(X\b`,
    words: /\b(?:dictionar\w+|dicts?|hash ?maps?|mappings?)\b/i,
    usual: 0.4,
  },
  {
    type: "float",
    literals: ["2.5", "10.0", "0.75", "3.14", "7.2"],
    names: /^(?:x|y|r|radius|price|rate|amount|height|width|value|a|b|c|temp\w*|weight|num\w*)$/i,
    uses: String.raw`math\.\w+\(X|round\([^)\n]{0,20}\bX\b|X ?[*/] ?|int\(X\)`,
    words: /\b(?:floats?|decimals?|real|area|volume|radius|average|percent\w*|price|temperature|floating)\b/i,
    usual: 0.4,
  },
  {
    type: "list",
    literals: ["[1.5, 2.0, 3.25]", "[0.5, -1.0, 4.75, 2.5]", "[3.0]"],
    uses: LIST_USE,
    words: /\b(?:floats?|decimals?|real numbers?|floating)\b/i,
    usual: 0.3,
  },
  {
    type: "str",
    literals: ["'1010'", "'12'", "'3 5 2'", "'110'", "'2024'", "'12-10-2023'", "'(()())'", "'12:30'"],
    names: /^(?:s|num\w*|binary|bin\w*|digits?|n|date\w*|brackets?|time|str\w*)$/i,
    uses: String.raw`int\(X|${TEXT_USE}`,
    words: /\b(?:binary|digits?|numeric|dates?|time|brackets?|parenthes[ei]s|hexadecimal|roman)\b/i,
    usual: 0.4,
  },
  {
    type: "str",
    literals: ["'a'", "'B'", "'7'", "'z'", "' '", "'M'"],
    names: /^(?:c|ch|char\w*|letter|k|x)$/i,
    uses: String.raw`ord\(X`,
    words: /\b(?:characters?|letter|ascii)\b/i,
    usual: 0.3,
  },
  {
    type: "bool",
    literals: ["True", "False"],
    names: /^(?:is\w+|flag|reverse|ascending|\w*ing|should\w*)$/i,
    uses: "if (?:not )?X:",
    words: /\b(?:boolean|flag|true or false)\b/i,
    usual: 0.2,
  },
  {
    type: "set",
    literals: ["{1, 2, 3}", "{4, 9}", "{2, 5, 7, 11}"],
    names: /^(?:set\w*|s\d?)$/i,
    uses: String.raw`X\.(?:union|intersection|difference|issubset|add)\b|X ?[|&] ?`,
    words: /\bsets?\b/i,
    usual: 0.15,
  },
  {
    type: "tuple",
    literals: ["((1, 2), (3, 4), (5, 6))", "((2, 3), (1, 5))", "((4, 5, 6), (7, 8, 9))", "('a', 1, 'b', 2)"],
    names: /^(?:t|tup\w*|test_?tup\w*|tuple\w*)$/i,
    uses: NESTED_USE,
    words: /\b(?:nested tuples?|tuples? of tuples?|tuple matrix|mixed|tuple of lists?)\b/i,
    usual: 0.2,
  },
  {
    type: "list",
    literals: ["[1, 'a', 2.5, 'b', 3]", "['a', 4, 'c', 'd', 2]", "[1, [2, 3], [4, [5]]]", "[0, None, 1, '', 'x']"],
    uses: String.raw`isinstance\(|type\(`,
    words: /\b(?:mixed|heterogeneous|any|nested|different types?|mixed types?|flatten)\b/i,
    usual: 0.2,
  },
  {
    type: "list",
    literals: [
      "[1, [2, 3], [4, [5, 6]], 7]",
      "[[3, 1], 2, [[9], [8, 7]]]",
      "[5, 4]",
      "[[[1, 3], 2], [4], 6]",
      "['b', ['a', ['c', 'd']]]",
    ],
    names: /^(?:l|lst|xs|arr\w*|list\w*|nested\w*|items|data)$/i,
    uses: String.raw`isinstance\(\w+, ?\(?(?:list|tuple|collections)\b|type\(\w+\) ?(?:==|is) ?list`,
    words: /\b(?:nested|flatten\w*|any depth|deep\w*)\b/i,
    usual: 0.7,
  },
  {
    type: "str",
    literals: ["'2024-03-01'", "'2023-12-31'", "'1999-10-15'", "'2020-02-29'"],
    names: /date|day/i,
    uses: String.raw`X\.split\(['"]-['"]\)|strptime\(X|fromisoformat\(X`,
    words: /\bdates?\b|YYYY-MM-DD/i,
    usual: 0.05,
  },
  {
    type: "list",
    literals: ["[['a', 'b'], ['c', 'd', 'a']]", "[['x'], ['y', 'z']]", "['A', ['B', 'C']]"],
    uses: NESTED_USE,
    words: /\b(?:lists? of lists?|sub-?lists?|nested|string lists?)\b/i,
    usual: 0.2,
  },
];

/** Weights of the evidence, added to `usual`. A word of the description weighs least, because it may be about another parameter. */
const WORD = 0.6;
const NAME = 1.5;
const USE = 2;

/** The weight of each kind for a parameter of a program, in the order of `KINDS`. */
export function likelihoods(name: string, code: string, description: string): number[] {
  const parameter = escapeRegExp(name);
  return KINDS.map(({ usual, names, uses, words }) => {
    const used = uses && new RegExp(uses.replaceAll("X", `(?<![\\w.])${parameter}(?!\\w)`)).test(code);
    return usual + (names?.test(name) ? NAME : 0) + (used ? USE : 0) + (words?.test(description) ? WORD : 0);
  });
}
