/**
 * Explains why a candidate fails, if this can be seen without running it: the faults behind the gate and the rule, in words and
 * with lines.
 */

import { refusalOf } from "../../languages/python/check/refused.ts";
import {
  type Level,
  loadForms,
  MARKS,
  missingAttributes,
  type ReadForms,
  returnsOf,
  type StaticTypeError,
  staticMarks,
  type Term,
  typeErrorsOf,
} from "../../languages/python/index.ts";
import { lineNumber, loadParser, type Node, type Program } from "../../languages/python/syntax/parse.ts";
import type { Finding } from "../../types.ts";
import { type Lacking, lackingOf } from "./gate.ts";
import { nearMissOf, sayNearMiss, tellingEdit } from "./near-miss.ts";
import { type Beside, findInReturns, REFERENCE } from "./returns.ts";
import { loadRule, readReference } from "./rule.ts";

/**
 * Returns findings in line order. Without a reference, or if the gate is 0, only those of the gate.
 * @param modules those that programs can import @default the standard library of Python 3.11
 * @param beside what the reference is, in words; a stub (score/stub.ts) stands for a description @default REFERENCE
 */
export type Find = (
  candidate: string,
  reference: string | null,
  modules?: ReadonlySet<string>,
  beside?: Beside,
) => Finding[];

/** @throws `CodescoreError("environment")` if the grammar cannot be loaded. */
export async function loadFindings(): Promise<Find> {
  const [parse, forms] = await Promise.all([loadParser(), loadForms(), loadRule()]);
  return (candidate, reference, modules, beside = REFERENCE) => {
    const [ours, theirs] = [candidate, reference ?? ""].map((source) => parse(source.toWellFormed())) as [
      Program,
      Program,
    ];
    const lacking = inGate(ours, lackingOf(candidate, reference ?? "", modules), beside);
    const found = lacking.length > 0 || reference === null ? lacking : besideReference(ours, theirs, forms, beside);
    return found.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  };
}

const CERTAIN = { certain: true } as const;
/** Of a program that Python does not compile; a reason may follow. */
export const REFUSED = "Python cannot compile this";

function inGate(program: Program, { broken, names, modules, callable }: Lacking, { name: whose }: Beside): Finding[] {
  const marks = staticMarks(program, undefined, modules);
  const lineOf = (mark: number, name?: string): number | null => {
    const found = marks.find((one) => one.mark === mark && one.name === name);
    return found === undefined ? null : lineNumber(program.code, found.start);
  };
  if (broken) {
    const refused = refusalOf(program);
    if (refused !== null) {
      const line = refused.at === null ? null : lineNumber(program.code, refused.at);
      return [{ line, what: `${REFUSED}: ${refused.why}`, ...CERTAIN }];
    }
    // If the fault is at the very first word, it may be anywhere: the parser gave up on the whole program.
    const [mark] = marks;
    const isPlaced = mark !== undefined && program.code.slice(0, mark.start).trim() !== "";
    const isOneLine = !program.code.trim().includes("\n");
    const line = isPlaced || isOneLine ? lineOf(MARKS.afterSyntaxError) : null;
    return [{ line, what: REFUSED, ...CERTAIN }];
  }
  const found = [
    ...names.map((name) => ({ line: lineOf(MARKS.undefinedName, name), what: `\`${name}\` is not defined` })),
    ...(callable.length > 0 ? [{ line: null, what: `it does not define ${choice(callable)}, but ${whose} does` }] : []),
  ];
  return [
    ...found.map((finding) => ({ ...finding, ...CERTAIN })),
    // The module may be installed where the tests run.
    ...modules.map((name) => ({
      line: lineOf(MARKS.missingImport, name),
      what: `\`${name}\` is not in the standard library; use --run --python ENV/bin/python with an environment that has it`,
    })),
  ];
}

const choice = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(" or ");

function besideReference(ours: Program, theirs: Program, forms: ReadForms, beside: Beside): Finding[] {
  const {
    plain: { terms },
    places,
  } = forms(ours.code);
  const wanted = readReference(theirs.code);
  const lines = (type: string, name: string): number | null => {
    const node = ours.nodes.find((node) => node.type === type && partOf(ours, node) === name);
    return node === undefined ? null : lineNumber(ours.code, node.start);
  };
  const lineAt = (at: Term | null): number | null => {
    const start = at === null ? undefined : places.get(at);
    return start === undefined ? null : lineNumber(ours.code, start);
  };
  const answers = findInReturns(returnsOf(terms), wanted.answers, beside);
  const seen = nearMissOf(forms(ours.code), wanted.forms);
  // If the edit is found in the plain form, it has a line. If only in the canonical form, it has none.
  const placed = seen && tellingEdit(terms, wanted.forms.plain.terms);
  const nearMiss = placed ?? seen;
  return [
    ...[...missingAttributes(terms)]
      .filter((name) => !wanted.attributes.has(name))
      .map((name) => ({
        line: lines("attribute", name),
        what: `attribute \`${name}\` is read but never set`,
        ...CERTAIN,
      })),
    ...(answers === null
      ? []
      : [
          {
            line: lines("function_definition", answers.name),
            what: answers.what,
            ...(answers.factor === 0 ? CERTAIN : {}),
          },
        ]),
    ...inStatements(typeErrorsOf(terms, wanted.arguments), ({ at }) => lineAt(at), beside),
    ...(nearMiss === null ? [] : [{ line: lineAt(nearMiss.statement), what: sayNearMiss(nearMiss, placed === null) }]),
  ];
}

/** The own name of an attribute or a definition. */
const partOf = ({ code }: Program, { children }: Node): string =>
  children
    .filter(({ field }) => field === "attribute" || field === "name")
    .map(({ start, end }) => code.slice(start, end))
    .join();

/** When an error occurs, by level, the most certain first. */
const WHEN: readonly (readonly [Level, (beside: Beside) => string])[] = [
  ["always", ({ name }) => `this fails with arguments like ${name}'s`],
  ["loop", ({ name }) => `this fails with arguments like ${name}'s once the loop runs`],
  ["branch", () => "this fails if it is reached"],
];

/** At most one finding per line, the most certain one. */
function inStatements(
  typeErrors: readonly StaticTypeError[],
  lineOf: (typeError: StaticTypeError) => number | null,
  beside: Beside,
): Finding[] {
  const found = new Map<number | null, Finding>();
  for (const [level, when] of WHEN) {
    for (const typeError of typeErrors.filter((one) => one.level === level)) {
      const line = lineOf(typeError);
      const certain = level === "always" ? CERTAIN : {};
      if (!found.has(line)) found.set(line, { line, what: `${when(beside)}: ${typeError.what}`, ...certain });
    }
  }
  return [...found.values()];
}
