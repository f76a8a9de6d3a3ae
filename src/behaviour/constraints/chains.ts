/** Reads chains of comparisons: `1 <= n <= 10^4`, `0 <= left <= right < nums.length`, `n == grid[i].length`. */
import type { Names, Parsed, Token } from "./names.ts";
import { tokensOf } from "./names.ts";
import { at, type Comparison, type Constraint, numberTerm, type Part, partTerm, samePart, type Term } from "./parts.ts";
import type { Statement } from "./statements.ts";

const OPERATOR = /^(?:<=?|>=?|==?|!=)$/;
const TURNED: Readonly<Record<string, Comparison>> = { ">": "<", ">=": "<=" };

interface Chain {
  /** Between two operators: the expressions of a list (`1 <= m, n <= 200`). */
  readonly sides: readonly (readonly Parsed[])[];
  readonly operators: readonly string[];
  readonly start: number;
  readonly end: number;
}

function chainsIn(text: string, names: Names): Chain[] {
  const tokens = tokensOf(text);
  const found: Chain[] = [];
  for (let i = 0; i < tokens.length; ) {
    const chain = chainAt(tokens, i, names);
    if (chain !== null) found.push(chain.found);
    i = chain?.next ?? i + 1;
  }
  return found;
}

function chainAt(tokens: readonly Token[], from: number, names: Names): { found: Chain; next: number } | null {
  const sides: Parsed[][] = [];
  const operators: string[] = [];
  let i = from;
  for (;;) {
    const side = listAt(tokens, i, names);
    if (side === null) break;
    sides.push(side);
    i = side.at(-1)!.next;
    const operator = tokens[i]?.text ?? "";
    if (!OPERATOR.test(operator)) break;
    operators.push(operator);
    i += 1;
  }
  if (sides.length < 2) return null;
  const last = sides.at(-1)!.at(-1)!.next;
  const found = { sides, operators, start: tokens[from]!.start, end: tokens[last - 1]!.end };
  return { found, next: last };
}

/** `m, n`. A number is not part of a list. */
function listAt(tokens: readonly Token[], from: number, names: Names): Parsed[] | null {
  const first = names.parse(tokens, from);
  if (first === null) return null;
  const list = [first];
  while (!isNumber(list.at(-1)!) && tokens[list.at(-1)!.next]?.text === ",") {
    const more = names.parse(tokens, list.at(-1)!.next + 1);
    if (more === null || isNumber(more)) break;
    // in any order, start < end
    if (first.term === null && more.term !== null) break;
    // a word of the sentence: `a < b, in any order`
    if (more.term === null && /^[A-Za-z]/.test(tokens[more.next]?.text ?? "")) break;
    list.push(more);
  }
  return list;
}

const isNumber = ({ term }: Parsed): boolean => term !== null && term.part === null;

/** Words that make a comparison a condition or a part of the answer. */
export const CONDITION =
  /\b(?:if|when(?:ever)?|unless|otherwise|whether|checks?|determine|returns?|returned|returning|finds?|counts?|such that|so that|outputs?|prints?|until|while|except|else|result|answer|remove|create|generate|produce|convert|raises?|errors?|exceptions?|invalid)\b/i;

/** Names that stand for a part of the arguments: `m == grid.length`, `points[i] = [x_i, y_i]`, `an m x n matrix grid`. */
export function readAliases(statements: readonly Statement[], names: Names): Constraint[] {
  const rows: Constraint[] = [];
  const alias = (name: string, term: Term): void => {
    names.alias(name, term);
    const { part } = term;
    if (part?.of !== "length" || part.path.length !== 1) return;
    const first = partTerm({ ...part, path: [0] });
    rows.push({ kind: "order", left: first, op: "==", right: partTerm(part) });
  };
  for (const { text } of statements) {
    for (const [, list, step, items] of text.matchAll(
      /(?<!\w)(\w{1,30})(\[[a-z]\])? ?={1,2} ?[[(]([\w ,]{1,80})[\])]/g,
    )) {
      for (const [k, item] of items!.split(",").entries()) {
        const part = names.part(`${list}${step ?? ""}[${k}]`);
        if (part !== null) names.alias(item.trim(), partTerm(part));
      }
    }
    // pairs (start, end)
    for (const { 1: items, index } of text.matchAll(
      /\b(?:pairs?|tuples?|triples?|intervals?|rows?|lists?) [[(]([a-z_]\w{0,30}(?:, ?[a-z_]\w{0,30}){1,3})[\])]/gi,
    )) {
      const parts = items!.split(",").map((one) => one.trim());
      const list = names.only(["list", "tuple"]);
      const part = list && { ...list, path: ["*" as const, parts.length - 1] };
      if (part === null || at(names.sample[part.slot], part.path).length === 0) continue;
      for (const [i, one] of parts.entries()) names.alias(one, partTerm({ ...part, path: ["*", i] }));
      if (/^(?:pairs?|tuples?|triples?)/i.test(text.slice(index)))
        rows.push(haveLength({ ...part, path: ["*"] }, parts.length));
    }
    // a list of (start, end) tuples
    for (const [, list, items] of text.matchAll(
      /(?:\b(\w{1,30}) (?:is |are )?(?:an? )?(?:non-?empty )?(?:list|sequence) of )?\(([a-z_]\w{0,30}(?:, ?[a-z_]\w{0,30}){1,3})\)(?: \w{1,12})? (?:pairs?|tuples?|triples?|rows|entries|records)\b/gi,
    )) {
      if (CONDITION.test(text.slice(0, text.indexOf(items!)))) continue;
      const own = names.part(list ?? "") ?? names.only(["list", "tuple"]);
      if (own === null || at(names.sample[own.slot], [...own.path, "*", 0]).length === 0) continue;
      const parts = items!.split(",").map((one) => one.trim());
      for (const [i, one] of parts.entries())
        names.alias(one, partTerm({ ...own, path: [...own.path, "*", i], of: "value" }));
      rows.push(haveLength({ ...own, path: [...own.path, "*"] }, parts.length));
    }
    const matrix =
      /\b([a-z]) ?[x*] ?([a-z]) (?:[\w-]{1,20} ){0,4}?(?:matrix|grid|board)(?: (?:called |named )?(\w{1,30}))?/i.exec(
        text,
      );
    if (matrix !== null) {
      const part = names.part(matrix[3] ?? "") ?? names.only(["list"]);
      if (part !== null) {
        alias(matrix[1]!, partTerm({ ...part, of: "length" }));
        alias(matrix[2]!, partTerm({ ...part, path: ["*"], of: "length" }));
      }
    }
    const sized = /(?<!\w)(\w{1,30}),? (?:of|with|has) (?:length|size) (\w{1,30})(?!\w)/.exec(text);
    const part = names.part(sized?.[1] ?? "");
    if (part !== null && !/^\d/.test(sized![2]!)) names.alias(sized![2]!, partTerm({ ...part, of: "length" }));
    for (const { sides, operators } of chainsIn(text, names)) {
      if (!operators.some((operator) => /^={1,2}$/.test(operator))) continue;
      const term = sides.flat().find((one) => one.term?.part?.of === "length")?.term;
      for (const [i, [side]] of sides.entries()) {
        const isEqual = [operators[i - 1], operators[i]].some((operator) => /^={1,2}$/.test(operator ?? ""));
        if (!term || !isEqual || !side?.name) continue;
        const { times = 1 } = side;
        alias(side.name, { ...term, times: term.times / times, plus: term.plus / times });
        if (times > 1) rows.push({ kind: "divisible", part: term.part!, by: times, rest: 0 });
      }
    }
  }
  return rows;
}

const haveLength = (part: Part, length: number): Constraint => ({
  kind: "order",
  left: partTerm({ ...part, of: "length" }),
  op: "==",
  right: numberTerm(length),
});

/** The constraints that a statement's chains state. */
export function readChains({ text, isListed }: Statement, names: Names): Constraint[] {
  return chainsIn(text, names).flatMap((chain) => {
    const found = ordersOf(chain);
    if (isListed && !/\b(?:if|when|otherwise|unless)\b/i.test(text.slice(0, chain.start))) return found;
    const numbers = chain.sides.flat().filter(isNumber).length;
    const named = names.part(
      /(\w{1,30}),? \($/.exec(text.slice(Math.max(0, chain.start - 40), chain.start))?.[1] ?? "",
    );
    const isOf = ({ term }: Parsed): boolean => named !== null && term?.part?.slot === named.slot;
    const isApart = text[chain.end] === ")" && chain.sides.flat().some(isOf) && !chain.operators.includes("=");
    const isRange = numbers > 0 && (isApart || (chain.sides.length > 2 && (numbers > 1 || isAscending(chain))));
    return (isRange || isFact(text, chain, names)) && !CONDITION.test(text.slice(0, chain.start)) ? found : [];
  });
}

/** `0 <= start < end` */
const isAscending = ({ sides, operators }: Chain): boolean =>
  isNumber(sides[0]![0]!) &&
  sides[1]!.every(({ term }) => term !== null) &&
  operators.every((operator) => /^<=?$/.test(operator));

/** Whether a chain stands alone, as in `pairs (start, end), start < end`, and the reference does not decide by it. */
function isFact(text: string, { operators, start, end }: Chain, names: Names): boolean {
  if (operators.some((operator) => !/^[<>]=?$/.test(operator))) return false;
  const before = text.slice(Math.max(0, start - 40), start);
  if (
    !/(?:^|[,(:]|\b(?:with|where|and|assum(?:e|ing)(?: that)?|guaranteed that|satisf(?:y|ies|ying)))\s*$/i.test(before)
  )
    return false;
  if (
    !/^\s{0,4}(?:$|[,).]|[A-Z][a-z]|and\b|for (?:all|each|every)\b|in (?:all|each|every)\b)/.test(
      text.slice(end, end + 20),
    )
  )
    return false;
  const signs = text.slice(start, end).match(/[<>]=?/g) ?? [];
  const written = text
    .slice(start, end)
    .split(/[<>]=?/)
    .map((side) => side.split(",").map((one) => one.trim()));
  return written.every((side, i) =>
    side.every((a) => (written[i + 1] ?? []).every((b) => !isDecided(a, signs[i]!, b, names))),
  );
}

/** Whether the reference decides by a comparison. */
function isDecided(a: string, operator: string, b: string, names: Names): boolean {
  const [left, right] = [names.term(a), names.term(b)];
  if (left?.part === null && right?.part === null) return false;
  if (left?.part !== null && right?.part !== null) return names.compares(a, b);
  const sign = right?.part === null ? operator : operator.replace(/[<>]/, (own) => (own === "<" ? ">" : "<"));
  const [name, number] = right?.part === null ? [a, right] : [b, left];
  // n > 4 begins at 5, n <= 4 ends before it
  return names.splitsAt(name, number!.plus + (sign === ">" || sign === "<=" ? 1 : 0));
}

function ordersOf({ sides, operators }: Chain): Constraint[] {
  const found: Constraint[] = [];
  for (let i = 0; i + 1 < sides.length; i++) {
    // numbers bound all terms of the chain: k in 1 <= k <= n <= 100
    for (let j = i + 1; j < sides.length; j++) {
      const between = operators.slice(i, j);
      const op = directionOf(between);
      if (op === null) break;
      for (const a of sides[i]!) {
        for (const b of sides[j]!) {
          if (j > i + 1 && !isNumber(a) && !isNumber(b)) continue;
          const order = orderOf(a.term, op, b.term);
          if (order !== null) found.push(order);
        }
      }
    }
  }
  return found;
}

/** The comparison of the ends of a chain; null if its operators go both ways. */
function directionOf(operators: readonly string[]): string | null {
  const signs = new Set(operators.map((operator) => operator[0]));
  signs.delete("=");
  if (signs.size === 0) return "==";
  if (signs.size > 1 || (signs.has("!") && operators.length > 1)) return null;
  const sign = [...signs][0]!;
  if (sign === "!") return "!=";
  return operators.some((operator) => operator === sign) ? sign : `${sign}=`;
}

function orderOf(left: Term | null, op: string, right: Term | null): Constraint | null {
  if (left === null || right === null || (left.part === null && right.part === null)) return null;
  if (left.part !== null && right.part !== null && samePart(left.part, right.part)) return null;
  const turned = TURNED[op];
  return turned === undefined
    ? { kind: "order", left, op: op as Comparison, right }
    : { kind: "order", left: right, op: turned, right: left };
}
