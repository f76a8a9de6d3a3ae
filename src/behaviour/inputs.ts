/**
 * Generates the inputs on which a task's programs run. Sources: the description's examples, the reference's annotations and constants, or
 * kinds of arguments found by trial. Inputs are then mutated (EvalPlus, Liu et al. 2023), and the ones that distinguish programs are chosen.
 */
import { type Executor, equalValues } from "../execute/index.ts";
import { parseArguments } from "../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../types.ts";
import { isInAnyOrder, orderedExample } from "./any-order.ts";
import { arraysOf } from "./arrays/index.ts";
import { atBoundaries } from "./boundaries.ts";
import { callsAsTexts } from "./called.ts";
import { choose } from "./choose.ts";
import { silentMethods } from "./classes.ts";
import { heldConstants } from "./constants.ts";
import { isPrinted, lastName, setupOf } from "./entry.ts";
import { holds, readExamples, shownCalls } from "./examples.ts";
import { FEW, type Found, findInputs, findSequences } from "./find.ts";
import { asLists, nodesOf } from "./nodes/index.ts";
import { type Known, Oracle, onTexts } from "./oracle.ts";
import { literalArguments, pairExamples } from "./pairs.ts";
import { quotedTexts } from "./quoted.ts";
import { subjectOf } from "./sequences.ts";
import { forbidsChanges, otherShows, takesDates } from "./shows.ts";
import type { CallEntry, Entry, Example, Task } from "./types.ts";
import { handledBy, type Trait, traitsOf, unusual } from "./unusual.ts";

export interface InputOptions {
  /** Maximum number of inputs per task. */
  readonly inputs: number;
  readonly seed: number;
  /** Whether inputs are written to `CODESCORE_CACHE` and read from it. @default true */
  readonly keep?: boolean;
}

/** The inputs on which a task's programs run. */
export interface TaskInputs {
  readonly entry: Entry;
  readonly setup: string;
  readonly known: readonly Known[];
  /** For each input: whether it is unusual, so that the task may not define its answer (unusual.ts). */
  readonly unusual: readonly boolean[];
  /** Examples of the description that the reference passes; all examples without a reference. */
  readonly examples: readonly Example[];
  /** Of the mutants that some input distinguishes from the reference, the share that the chosen inputs distinguish; null without such mutants. */
  readonly killed: number | null;
  /** Where the first inputs came from. */
  readonly from: Found["from"];
  /** A module that the reference imports but that is not installed. */
  readonly missing: string | null;
  /** The type of an answer of the reference that cannot be compared, such as `generator`; null if there is none. */
  readonly incomparable: string | null;
}

/**
 * Effort per kind of entry. `overshoot`: inputs proposed per input wanted. `mutants`: mutants of the reference, used to choose inputs.
 * `asked`: candidates that decide which inputs are valid if there is no reference. `share`: share of the option `inputs` that is wanted; less
 * for texts, because each text needs a process and shows as much as several calls. `limit`: of a program per tried input.
 * `slowCpuS`: inputs that take longer are dropped if enough are faster; starting the process that reads a text takes about .004 s.
 */
const EFFORT = {
  call: { overshoot: 1.5, mutants: 6, asked: 8, share: 1, limit: { steps: 20_000, cpuS: 0.01 }, slowCpuS: 0.01 },
  stdin: { overshoot: 1.25, mutants: 4, asked: 3, share: 0.5, limit: { steps: null, cpuS: 0.1 }, slowCpuS: 0.03 },
} as const;
/** A sequence makes many calls, so its trial takes longer than that of one call. */
const CLASS_LIMIT = { steps: 100_000, cpuS: 0.05 } as const;
/** A class has more code than a function, and few of its sequences tell a mutant apart. */
const CLASS_MUTANTS = 40;
/** Further ones with a statement less: a forgotten change of the object is the likeliest fault. */
const CLASS_DROPPED = 10;
/** Few lists of rows or records have the ties, repeated keys or orders that tell a mutant apart. */
const ROWS_MUTANTS = 24;
/** CPU seconds of all mutants of a function of arrays or data frames, at the reference's speed. */
const MUTANTS_CPU_S = 3;
/** With at least this share of the wanted inputs, slow inputs are dropped, and programs get no more steps. */
const ENOUGH = 0.5;

export async function makeInputs(
  task: Task,
  entry: Entry,
  executor: Executor,
  options: InputOptions,
): Promise<TaskInputs> {
  const subject = subjectOf(task, entry);
  if (subject !== null) {
    const silent = silentMethods(subject, task.description ?? "");
    const made = await inputsFor(task, { kind: "call", name: subject.name, shows: "calls", silent }, executor, options);
    if (made.known.length > 0) return made;
  }
  const other = entry.kind === "call" && entry.shows === undefined ? otherArguments(task, entry) : null;
  if (other !== null) {
    const made = await withOthers(task, other, executor, options);
    if (made.known.length > 0) return made;
  }
  const isPlain = entry.kind === "call" && entry.shows === undefined && task.reference !== null;
  if (isPlain && takesDates(task.description, task.reference!, lastName(entry.name))) {
    const made = await inputsFor(task, { ...entry, shows: "dated" }, executor, options);
    if (made.known.some(({ input }) => hasDate(input))) return made;
  }
  if (isPlain && forbidsChanges(task.description)) {
    const made = await inputsFor(task, { ...entry, shows: "unchanged" }, executor, options);
    if (made.known.some(({ answer }) => answer?.value.t !== "none")) return made;
  }
  const made = await inputsFor(task, entry, executor, options);
  if (entry.kind === "stdin") return made;
  const values = made.known.map(({ answer }) => answer?.value);
  for (const shows of otherShows(task.reference, values, made.incomparable)) {
    const other = await inputsFor(task, { ...entry, shows }, executor, options);
    const isShown = other.known.some(
      shows === "arguments" ? isChanged : ({ answer }) => shows !== "printed" || answer?.text !== '""',
    );
    if (isShown) return other;
  }
  return made;
}

/** The entry of a function of nodes, or of arrays and data frames; null if it has other arguments. */
function otherArguments(task: Task, entry: CallEntry): CallEntry | null {
  const nodes = nodesOf(task, entry);
  if (nodes !== null) return { ...entry, shows: "nodes", nodes };
  const arrays = arraysOf(task, entry);
  return arrays && { ...entry, shows: "arrays", arrays };
}

/** Inputs with such arguments. If a function of nodes returns nothing, its answer is what it makes of them. */
async function withOthers(
  task: Task,
  entry: CallEntry,
  executor: Executor,
  options: InputOptions,
): Promise<TaskInputs> {
  const made = await inputsFor(task, entry, executor, options);
  const isSilent = made.known.length > 0 && made.known.every(({ answer }) => answer?.value.t === "none");
  const { nodes } = entry;
  if (!isSilent || nodes === undefined || nodes.after) return made;
  const changed = await inputsFor(task, { ...entry, nodes: { ...nodes, after: true } }, executor, options);
  return changed.known.some(isChanged) ? changed : made;
}

/** Where an input has a trait that the task defines: `negative 1` for a negative number in the second argument. */
const traitPlaces = (input: ProgramInput, handled: readonly Trait[]): string[] =>
  traitsOf(input).flatMap(({ trait, slot }) => (handled.includes(trait) ? [`${trait} ${slot}`] : []));

/** Whether an argument is a list of rows or records. */
const hasRows = (input: ProgramInput): boolean => "args" in input && /[[(][[({]/.test(input.args);

const hasDate = (input: ProgramInput): boolean => "args" in input && /(["'])\d{4}-\d\d-\d\d\1/.test(input.args);

/** Whether a call of a function that returns nothing changed its arguments. */
function isChanged({ input, answer }: Known): boolean {
  const { positional } = parseArguments("args" in input ? input.args : "");
  const before: PyValue = positional.length === 1 ? positional[0]! : { t: "tuple", v: positional };
  return answer !== null && !equalValues(answer.value, before);
}

async function inputsFor(
  given: Task,
  entry: Entry,
  executor: Executor,
  { inputs, seed }: InputOptions,
): Promise<TaskInputs> {
  const task = asLists(given, entry);
  const { overshoot, mutants, asked, share, slowCpuS, ...effort } = EFFORT[entry.kind];
  const subject = entry.kind === "call" && entry.shows === "calls" ? subjectOf(task, entry) : null;
  const limit = subject === null ? effort.limit : CLASS_LIMIT;
  const wanted = Math.ceil(inputs * share);
  const setup = setupOf(entry);
  const oracle = new Oracle(executor, entry, setup, given, { asked, limit });
  const { shown, seeds } = await readDescription(task, entry, oracle);
  const search = { task, entry, oracle, seeds, seed, wanted: Math.ceil(overshoot * wanted) };
  let found = subject === null ? await findInputs(search) : await findSequences(search, subject, executor);
  // More steps cost little. More time would cost seconds if the reference never ends.
  const few = limit.steps === null ? FEW : ENOUGH;
  if (subject === null && found.pool.length < few * wanted && oracle.isLate) {
    oracle.giveTime();
    found = await findInputs(search);
  }
  const { from, constraints } = found;
  const [shownInputs, handled] = [
    entry.kind === "stdin" ? seeds : shown.map(({ input }) => input),
    handledBy(task, entry),
  ];
  const areUnusual = (all: readonly ProgramInput[]): boolean[] => unusual(all, shownInputs, handled, constraints);
  const { made, signsOn } = await atBoundaries(found.pool, entry, oracle, executor, {
    fitted: found.fitted,
    isUsual: (input) => !areUnusual([input])[0],
  });
  const pool = [...found.pool, ...made];
  const constantsOf = heldConstants(
    task,
    quotedTexts(task.description).filter((text) => /\S\s\S/.test(text)),
  );
  const hasArrays = entry.kind === "call" && entry.arrays !== undefined;
  const most = hasArrays
    ? Math.floor(MUTANTS_CPU_S / pool.reduce((sum, { cpuS }) => sum + cpuS, 0))
    : Number.POSITIVE_INFINITY;
  const quick = pool.filter(({ cpuS }) => cpuS <= slowCpuS);
  const { chosen, killed } = await choose(quick.length >= ENOUGH * wanted ? quick : pool, wanted, oracle, {
    seed,
    mutants: Math.min(
      most,
      subject !== null ? CLASS_MUTANTS : pool.some(({ input }) => hasRows(input)) ? ROWS_MUTANTS : mutants,
    ),
    dropped: subject === null ? 0 : CLASS_DROPPED,
    isPrinted: isPrinted(entry),
    holds: (input) =>
      constraints.hold(input) ? [...signsOn(input), ...constantsOf(input), ...traitPlaces(input, handled)] : [],
  });
  const known = await oracle.confirmed(chosen);
  const isUnusual = areUnusual(known.map(({ input }) => input));
  return {
    entry,
    setup,
    known,
    unusual: isUnusual,
    examples: holding(shown, pool, oracle),
    killed,
    from,
    missing: oracle.missing,
    incomparable: oracle.incomparable,
  };
}

/** The examples of a description, and all inputs that it shows. */
async function readDescription(
  { description }: Task,
  entry: Entry,
  oracle: Oracle,
): Promise<{ readonly shown: readonly Example[]; readonly seeds: readonly ProgramInput[] }> {
  const text = description ?? "";
  const called = readExamples(text, entry);
  const isPaired =
    called.length === 0 && entry.kind === "call" && entry.shows === undefined && oracle.reference !== null;
  const examples = isPaired ? pairExamples(text) : called;
  if (entry.kind === "stdin" && examples.length === 0) {
    const texts = await callsAsTexts(text, onTexts(oracle));
    return { shown: texts.examples, seeds: texts.inputs };
  }
  const shown = isInAnyOrder(description) ? examples.map(orderedExample) : examples;
  const calls = entry.kind === "call" ? shownCalls(text, entry).map((args) => ({ args })) : [];
  const seeds = [...shown.map(({ input }) => input), ...calls];
  return { shown, seeds: seeds.length === 0 && isPaired ? literalArguments(text).map((args) => ({ args })) : seeds };
}

/** The examples that the reference passes. The others are dropped, because a description may be wrong. */
function holding(shown: readonly Example[], known: readonly Known[], oracle: Oracle): Example[] {
  if (oracle.reference === null) return [...shown];
  const answers = new Map(known.map(({ input, answer }) => [JSON.stringify(input), answer]));
  return shown.filter((example) => {
    const answer = answers.get(JSON.stringify(example.input));
    return answer ? holds(example, answer) : false;
  });
}
