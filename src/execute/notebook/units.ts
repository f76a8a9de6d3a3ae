/**
 * Decides what is compared for a cell of a notebook, and gives the verdicts. All this happens here, outside of every cell's process, on the
 * values that the processes report: before the cell, after the reference, after the candidate.
 */
import type { PyValue, Verdict } from "../../types.ts";
import type { Line } from "../protocol.ts";
import { decodeValue, equalValues } from "../value.ts";
import { describe, failure, MALFORMED, sameOutput } from "../verdicts.ts";
import { SHOWN } from "./server.ts";

/** One comparison. */
export type Unit = {
  readonly name: string;
} /** `free`: no later cell reads the variable, so a candidate may give it any name. */ & (
  | { readonly kind: "variable"; readonly variable: string; readonly value: PyValue; readonly free: boolean }
  | { readonly kind: "shown"; readonly place: number; readonly value: PyValue; readonly alone: boolean }
  | { readonly kind: "figure"; readonly place: number; readonly part: FigurePart; readonly value: PyValue }
  | { readonly kind: "printed"; readonly text: string }
);

type FigurePart = "data" | "texts";

/** What a run reported: what the cell shows (`SHOWN`), then the variables `names`. */
export interface Report {
  readonly lines: readonly Line[];
  readonly names: readonly string[];
}

/** Floats may differ by this plus 1e-7 of the expected one: summing in another order is not another result. */
const TOLERANCE = 1e-8;

const same = (a: PyValue, b: PyValue): boolean => equalValues(a, b, TOLERANCE);

const lineOf = ({ lines, names }: Report, name: string): Line | undefined => lines[SHOWN.length + names.indexOf(name)];

/** A value that a run reported; null if it is missing or cannot be read. */
function valueAt(line: Line | undefined): PyValue | null {
  if (line?.status !== "v") return null;
  try {
    return decodeValue(line.payload);
  } catch {
    return null;
  }
}

const shownBy = ({ lines }: Report, what: (typeof SHOWN)[number]): PyValue | null =>
  valueAt(lines[SHOWN.indexOf(what)]);
const itemsOf = (value: PyValue | null): readonly PyValue[] => (value?.t === "list" ? value.v : []);

/** Functions, modules, iterators and objects of C have no value to compare by, and neither has a value that contains one. */
const isComparable = (value: PyValue): boolean => equalValues(value, value);

export interface Turn {
  /** The variables that later cells read. */
  readonly needed: ReadonlySet<string>;
  /** The values of variables before the cell. */
  readonly before: Report;
  /** After the reference, which ran twice: differences between the two runs are chance. */
  readonly reference: Report;
  readonly again: Report;
}

/**
 * What is compared: the variables that the reference sets and later cells read, and the values and figures that it shows. If there
 * are none of these, what it prints; otherwise all variables that it sets. A text says why there is nothing to compare.
 */
export function unitsOf({ needed, before, reference, again }: Turn): Unit[] | string {
  const failed = [reference, again].find(({ lines }) => lines[0]?.status !== "v");
  if (failed) return `the reference cell fails: ${ending(failed.lines[0])}`;
  const steady = (a: PyValue | null, b: PyValue | null): a is PyValue =>
    a !== null && b !== null && isComparable(a) && same(a, b);
  const variables = reference.names.flatMap((variable): Extract<Unit, { kind: "variable" }>[] => {
    const after = lineOf(reference, variable);
    const value = valueAt(after);
    if (!steady(value, valueAt(lineOf(again, variable)))) return [];
    const was = lineOf(before, variable);
    if (was?.status === "v" && (was.payload === after?.payload || unchanged(was, value))) return [];
    return [{ kind: "variable", name: `variable ${variable}`, variable, value, free: !needed.has(variable) }];
  });
  const all = itemsOf(shownBy(reference, "shown"));
  const shown = all.flatMap((value, place): Unit[] =>
    steady(value, itemsOf(shownBy(again, "shown"))[place] ?? null)
      ? [{ kind: "shown", name: `value ${place + 1}`, place, value, alone: all.length === 1 }]
      : [],
  );
  const figures = itemsOf(shownBy(reference, "figures")).flatMap((figure, place) =>
    (["data", "texts"] as const).flatMap((part): Unit[] => {
      const value = partOf(figure, part);
      return steady(value, partOf(itemsOf(shownBy(again, "figures"))[place], part))
        ? [{ kind: "figure", name: `figure ${place + 1} ${part}`, place, part, value }]
        : [];
    }),
  );
  const units = [...variables.filter(({ free }) => !free), ...shown, ...figures];
  if (units.length > 0) return units;
  const printed = textOf(shownBy(reference, "printed"));
  if (printed.trim() !== "" && sameOutput(printed, textOf(shownBy(again, "printed")))) {
    return [{ kind: "printed", name: "printed", text: printed }];
  }
  if (variables.length > 0) return variables;
  return "the reference cell shows nothing and sets no variable whose value can be compared";
}

function unchanged(was: Line, value: PyValue): boolean {
  const before = valueAt(was);
  return before !== null && same(before, value);
}

const textOf = (value: PyValue | null): string => (value?.t === "str" ? value.v : "");

/** Why a cell failed, in words. */
export function ending(line: Line | undefined): string {
  if (line?.status === "t" || line?.status === "n") return "it exceeds the time limit";
  if (line?.status === "m") return "it exceeds the memory limit";
  const [type, message] = describe(line?.payload ?? "");
  return `${type}: ${message}`;
}

/** Which half each part of an Axes belongs to, in order (python/libraries.py): `data` is drawn, `texts` are written beside it. */
const AXES: readonly FigurePart[] = ["texts", "data", "data", "data", "data", "texts", "texts", "texts"];

/** One half of what a figure shows, over all its axes; null for a value that is not a figure. */
function partOf(figure: PyValue | undefined, part: FigurePart): PyValue | null {
  const [title, axes] = partsOf(figure, "matplotlib.Figure") ?? [];
  if (title === undefined || axes?.t !== "list") return null;
  const drawn = axes.v.map((each) => partsOf(each, "matplotlib.Axes"));
  if (drawn.some((parts) => parts === null)) return null;
  const v = drawn.map((parts): PyValue => ({ t: "list", v: parts!.filter((_, i) => AXES[i] === part) }));
  return { t: "list", v: part === "texts" ? [title, ...v] : v };
}

function partsOf(value: PyValue | undefined, type: string): readonly PyValue[] | null {
  if (value?.t !== "object" || value.type !== type) return null;
  try {
    const parts = decodeValue(value.form);
    return parts.t === "list" ? parts.v : null;
  } catch {
    return null; // not a valid form: the program made it up
  }
}

/**
 * Verdicts on a candidate: one per unit, and a failed one for each variable that later cells read, the reference leaves alone and the
 * candidate changes. `units` come from `unitsOf`; `kept` are the names of variables that may not change.
 */
export function verdictsOf(
  units: readonly Unit[],
  {
    kept,
    before,
    candidate,
  }: { readonly kept: readonly string[]; readonly before: Report; readonly candidate: Report },
): Verdict[] {
  const [first] = candidate.lines;
  if (first === undefined || (first.status !== "v" && first.status !== "e")) {
    return units.map(({ name }) => failure(name, first ?? GONE));
  }
  const changed = kept.filter((variable) => {
    const [was, is] = [lineOf(before, variable), lineOf(candidate, variable)];
    if (was?.status !== "v" || was.payload === is?.payload) return false;
    const value = valueAt(was);
    return value !== null && isComparable(value) && !unchangedNow(value, is);
  });
  return [
    ...units.map((unit) => verdictOn(unit, candidate)),
    ...changed.map((variable): Verdict => ({ testId: `leaves ${variable} alone`, outcome: "fail" })),
  ];
}

const GONE: Line = { status: "e", cpuS: 0, payload: JSON.stringify(MALFORMED) };

function unchangedNow(value: PyValue, line: Line | undefined): boolean {
  const now = valueAt(line);
  return now !== null && same(now, value);
}

function verdictOn(unit: Unit, candidate: Report): Verdict {
  const testId = unit.name;
  const line = linesFor(unit, candidate);
  // A process that ended before its report was complete has not given a wrong answer.
  if (line && line.status !== "v" && !isAbsent(line)) return failure(testId, line);
  if (unit.kind === "printed") {
    const right = sameOutput(textOf(shownBy(candidate, "printed")), unit.text);
    return { testId, outcome: right ? "pass" : "fail" };
  }
  const right = answersTo(unit, candidate).some((value) => same(value, unit.value));
  return { testId, outcome: right ? "pass" : "fail" };
}

const isAbsent = (line: Line): boolean =>
  line.status === "e" && /^(?:KeyError|NameError)$/.test(describe(line.payload)[0]);

function linesFor(unit: Unit, candidate: Report): Line | undefined {
  if (unit.kind === "variable") return lineOf(candidate, unit.variable);
  const of = unit.kind === "figure" ? "figures" : unit.kind;
  return candidate.lines[SHOWN.indexOf(of)];
}

/** The candidate's values of which any one may be right: its own, or a substitute for a value that it has under another name. */
function answersTo(unit: Exclude<Unit, { kind: "printed" }>, candidate: Report): PyValue[] {
  const shown = itemsOf(shownBy(candidate, "shown"));
  const last = shownBy(candidate, "last");
  const own = (values: readonly (PyValue | null | undefined)[]): PyValue[] => values.flatMap((value) => value ?? []);
  if (unit.kind === "figure") return own([partOf(itemsOf(shownBy(candidate, "figures"))[unit.place], unit.part)]);
  if (unit.kind === "shown") {
    // A shown value may also be given by the variable that the last statement assigns.
    return shown.length === 0 && unit.alone ? own([last]) : own([shown[unit.place]]);
  }
  const value = valueAt(lineOf(candidate, unit.variable));
  return value !== null || !unit.free ? own([value]) : own([last, shown.at(-1)]);
}
