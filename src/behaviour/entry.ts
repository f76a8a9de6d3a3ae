/** Detects which function of a program to call, or that it reads standard input. Uses patterns; runs nothing. */
import escapeRegExp from "escape-string-regexp";
import { JUDGE_IMPORTS } from "../languages/python/syntax/judge.ts";
import { definedFunctions } from "../languages/python/syntax/source.ts";
import { arraysSource } from "./arrays/source.ts";
import { classesOf } from "./classes.ts";
import { nodesSource } from "./nodes/index.ts";
import { callOf, helperOf } from "./shows.ts";
import type { Entry, Task } from "./types.ts";

const READS_INPUT = /\binput[ \t]*\(|\bsys\.stdin\b|\bstdin\.|\bopen\(0[,)]/;
const SIGNATURE = /^[ \t]*(?:async[ \t]+)?def[ \t]+([a-zA-Z]\w*)[ \t]*\(/gm;
/** A heading alone on its line. `Output: [0, 1]` does not match: it shows what a function returns. */
const SHOWS_STDIN = /^[ \t*#-]*(?:(?:sample|example)[ \t]+)?output(?: #?\d+)?:?(?:\*\*|-{3,})?[ \t]*$/im;
const CALLED = /(?<![\w.])(?:self\.)?(\w+)[ \t]*\(|\b(?:map|filter|reduce)\((\w+)|\bkey=(\w+)/g;
/** Drivers: functions that call the requested function. */
const DRIVER = /^(?:main|test\w*|check\w*|run_?tests?)$/;

/**
 * The entry of a task: `entryPoint` if given; otherwise the reference's; otherwise the one that most candidates have, where a vote counts
 * double if the description shows that entry. A function that the description declares goes first in each program. Null if there is none.
 */
export function entryOf({ entryPoint, reference, description, candidates }: Task): Entry | null {
  const programs = reference === null ? candidates : [reference];
  if (entryPoint) return { kind: "call", name: qualified(entryPoint, programs) };
  const declared = [...(description ?? "").matchAll(SIGNATURE)].at(-1)?.[1];
  if (reference !== null) return entryIn(reference, declared);
  const found = candidates.map((code) => entryIn(code, declared)).filter((entry) => entry !== null);
  const votes = new Map<string, number>();
  const isStream = description !== null && declared === undefined && SHOWS_STDIN.test(description);
  for (const entry of found) {
    const key = JSON.stringify(entry);
    const isShown = entry.kind === "call" ? isNamed(description ?? "", lastName(entry.name)) : isStream;
    votes.set(key, (votes.get(key) ?? 0) + (isShown ? 2 : 1));
  }
  const [best] = [...votes].sort(([, a], [, b]) => b - a);
  if (best !== undefined) return JSON.parse(best[0]) as Entry;
  return isStream ? { kind: "stdin" } : null;
}

/** The expression that the executor calls; null for standard input. */
export const calledBy = (entry: Entry): string | null =>
  entry.kind === "stdin" ? null : callOf(entry.name, entry.shows);

/**
 * The entry of each candidate. If there are several and none has the function of the reference, and the description does not name it, then the
 * task left its name open: the entry is each candidate's last function that no other calls.
 */
export function entriesOfCandidates(entry: Entry, task: Task): (code: string) => Entry {
  const { reference, entryPoint, description, candidates } = task;
  if (entry.kind === "stdin" || entry.shows === "calls" || reference === null || entryPoint || !description)
    return () => entry;
  const name = lastName(entry.name);
  if (new Set(candidates).size < 2 || [description, ...candidates].some((text) => isWord(text, name)))
    return () => entry;
  return (code) => {
    const own = isWord(code, name) ? null : entryIn(code, undefined);
    return own?.kind === "call" ? { ...entry, name: own.name } : entry;
  };
}

const isWord = (text: string, name: string): boolean => new RegExp(`(?<!\\w)${escapeRegExp(name)}(?!\\w)`).test(text);

/** Code that runs before the program: what judges import for solutions, and what the called expression needs. */
export const setupOf = (entry: Entry): string =>
  entry.kind === "stdin"
    ? ""
    : `${entry.name.startsWith("Solution().") ? JUDGE_IMPORTS : ""}${helperOf(entry.shows)}${silencing(entry.silent)}${nodesSource(entry.nodes)}${arraysSource(entry.arrays)}`;

const silencing = (methods: readonly string[] = []): string =>
  methods.length === 0 ? "" : `_codescore_silent = (${methods.map((method) => `"${method}",`).join(" ")})\n`;

/** Whether answers are printed texts. */
export const isPrinted = (entry: Entry): boolean => entry.kind === "stdin" || entry.shows === "printed";

/** The name that calls in a description use: `f` for `Solution().f`. */
export const lastName = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

const isNamed = (text: string, name: string): boolean =>
  new RegExp(`(?<!\\w)${escapeRegExp(name)}[ \\t]*\\(`).test(text);

/** Turns `f` or `Solution.f` into `Solution().f` if it is a method. */
function qualified(entryPoint: string, programs: readonly string[]): string {
  const [, holder, method] = /^(?:(\w+)\.)?(\w+)$/.exec(entryPoint) ?? [];
  if (method === undefined) return entryPoint;
  for (const code of programs) {
    if (holder === undefined && definedFunctions(code).includes(method)) return entryPoint;
    const found = classesOf(code).find(
      ({ name, methods }) => (holder === undefined || name === holder) && methods.includes(method),
    );
    if (found) return `${found.name}().${method}`;
  }
  return entryPoint;
}

function entryIn(code: string, declared: string | undefined): Entry | null {
  const functions = [...new Set(definedFunctions(code))];
  if (declared !== undefined && functions.includes(declared)) return { kind: "call", name: declared };
  if (READS_INPUT.test(code)) return { kind: "stdin" };
  const classes = classesOf(code).filter(({ methods }) => methods.length > 0);
  const solution = classes.find(({ name }) => name === "Solution");
  // Functions next to a class `Solution` are its helpers. Other classes next to a function are helpers of the function.
  if (solution === undefined && functions.length > 0) return { kind: "call", name: uncalled(functions, code, "") };
  const holder = solution ?? (classes.length === 1 ? classes[0] : undefined);
  if (holder === undefined) return null;
  const { name, methods } = holder;
  const method = declared !== undefined && methods.includes(declared) ? declared : uncalled(methods, code, "[ \\t]+");
  return { kind: "call", name: `${name}().${method}` };
}

/** The last function that no function other than a driver calls. Helpers are called, or come first. */
function uncalled(names: readonly string[], code: string, margin: string): string {
  const starts = [...code.matchAll(new RegExp(`^${margin}(?:async[ \\t]+)?def[ \\t]+(\\w+)`, "gm"))];
  const bodies = starts.map((match, i) => {
    const rest = code.slice(match.index + match[0].length, starts[i + 1]?.index ?? code.length);
    // A line without indentation ends the function.
    const end = margin === "" ? rest.search(/\n(?=[^\s#)])/) : -1;
    return { name: match[1] as string, body: end < 0 ? rest : rest.slice(0, end) };
  });
  const called = new Set<string>();
  for (const { name, body } of bodies) {
    if (DRIVER.test(name)) continue;
    for (const match of body.matchAll(CALLED)) {
      const own = match.slice(1).find((word) => word !== undefined) as string;
      if (own !== name) called.add(own);
    }
  }
  const free = names.filter((name) => !called.has(name));
  return (free.findLast((name) => !DRIVER.test(name)) ?? free.at(-1) ?? names.at(-1)) as string;
}
