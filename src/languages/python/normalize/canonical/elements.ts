/** Rewrites loops over indices to loops over elements: `for i in range(len(a))` that only uses `a[i]`. */
import type { Rule } from "./flow.ts";
import type { Scope } from "./scope.ts";
import { argumentsOf, count, isName, mapItems, replaceIn, type Term, withItems } from "./terms.ts";

/** The sequence `a` of `range(len(a))`; null for anything else. */
function counted(over: Term, { meanings }: Scope): string | null {
  const [bound, ...more] = argumentsOf(over, "range") ?? [];
  const [of, ...others] = argumentsOf(bound, "len") ?? [];
  const isPlain = isName(of) && more.length === 0 && others.length === 0;
  return isPlain && meanings.isBuiltin("range") && meanings.isBuiltin("len") ? of.text : null;
}

/** Functions whose result may be looked up by keys. */
const MAPPINGS = /^(?:dict|defaultdict|Counter|OrderedDict|deepcopy|copy)$/;

/** Whether a name is a sequence that only this function changes, and only under this name, judging by its assignments. */
function isSteadySequence(name: string, scope: Scope): boolean {
  if (!scope.bound.has(name) || scope.shared.has(name) || scope.meanings.hasClasses) return false;
  const values = scope.values.get(name) ?? [];
  return values.every((value) => {
    if (value.kind === "dict" || (value.kind === "comprehension" && value.text === "dict") || isName(value))
      return false;
    const callee = value.kind === "call" ? value.items[0] : undefined;
    return callee === undefined || !MAPPINGS.test(callee.text);
  });
}

/** A term with `a[i]` replaced by `i`. Null if `i` or `a` occurs in any other way (except `len(a)`). */
function overElements(of: Term, sequence: string, index: string): Term | null {
  const isElement = (part: Term): boolean =>
    part.kind === "subscript" &&
    part.items.length === 2 &&
    isName(part.items[0], sequence) &&
    isName(part.items[1], index);
  const isChanged = (target: Term): boolean =>
    isElement(target) || (/^(?:tuple|list|star)$/.test(target.kind) && target.items.some(isChanged));
  let elements = 0;
  let lengths = 0;
  let isOdd = false;
  const look = (part: Term): void => {
    if (isElement(part)) {
      elements += 1;
      return;
    }
    if (isName(argumentsOf(part, "len")?.[0], sequence)) lengths += 1;
    const targets =
      part.kind === "assign" ||
      part.kind === "augment" ||
      part.kind === "for" ||
      part.kind === "forin" ||
      part.kind === "walrus"
        ? [part.items[0]]
        : part.kind === "chain"
          ? part.items.slice(0, -1)
          : part.kind === "delete" || part.kind === "withitem"
            ? part.items
            : [];
    isOdd ||= targets.some(isChanged) || /^(?:lambda|function|class|global|yield)$/.test(part.kind);
    part.items.forEach(look);
  };
  look(of);
  if (isOdd || elements === 0 || count(of, index) !== elements || count(of, sequence) !== elements + lengths)
    return null;
  return replaceIn(of, (part) => (isElement(part) ? part.items[1]! : null));
}

/** Whether another name is assigned `a` itself. */
const hasAlias = (name: string, { values }: Scope): boolean =>
  [...values].some(([other, all]) => other !== name && all.some((value) => isName(value, name)));

export const elementLoop: Rule = (items, i, { scope }) => {
  const loop = items[i];
  if (loop?.kind !== "for" || !isName(loop.items[0])) return null;
  const [target, over, body, otherwise] = loop.items;
  const sequence = counted(over, scope);
  if (sequence === null || !isSteadySequence(sequence, scope) || hasAlias(sequence, scope)) return null;
  if (!scope.loopNames.has(target.text) || scope.shared.has(target.text) || count(otherwise, target.text) > 0)
    return null;
  const inner = overElements(body, sequence, target.text);
  return inner === null
    ? null
    : [
        withItems(loop, [target, over.items[1]!.items[0]!.items[1]!.items[0]!, inner, otherwise]),
        ...items.slice(i + 1),
      ];
};

/** `e(a[i]) for i in range(len(a))` as `e(i) for i in a`, anywhere in a term. */
export function elementComprehensions(of: Term, scope: Scope): Term {
  const inner = mapItems(of, (item) =>
    item.kind === "function" || item.kind === "class" ? item : elementComprehensions(item, scope),
  );
  if (inner.kind !== "comprehension") return inner;
  const [, first, ...more] = inner.items;
  if (first.kind !== "forin" || !isName(first.items[0])) return inner;
  const [target, over] = first.items;
  const sequence = counted(over, scope);
  if (sequence === null || !isSteadySequence(sequence, scope) || hasAlias(sequence, scope)) return inner;
  const changed = [inner.items[0], ...more].map((part) =>
    count(part, target.text) + count(part, sequence) === 0 ? part : overElements(part, sequence, target.text),
  );
  if (changed.includes(null) || changed.every((part, k) => part === [inner.items[0], ...more][k])) return inner;
  const elements = withItems(first, [target, over.items[1]!.items[0]!.items[1]!.items[0]!]);
  return withItems(inner, [changed[0]!, elements, ...(changed.slice(1) as Term[])]);
}
