/**
 * Generates the inputs on which a task's programs run. Sources: the description's examples, the reference's annotations and constants, or
 * kinds of arguments found by trial. Inputs are then mutated (EvalPlus, Liu et al. 2023), and the ones that distinguish programs are chosen.
 */
import { type Executor, equalValues } from "../execute/index.ts";
import { aligned, atConstants, isVague, Proposer, withOptions } from "../expand/index.ts";
import { parseArguments } from "../languages/python/literals/index.ts";
import type { Problem, ProgramInput, PyValue } from "../types.ts";
import { isInAnyOrder, orderedExample } from "./any-order.ts";
import { callsAsTexts } from "./called.ts";
import { choose, sizeOf, smallerFirst } from "./choose.ts";
import { isPrinted, setupOf } from "./entry.ts";
import { holds, readExamples, shownCalls } from "./examples.ts";
import { type Known, Oracle, type Tried } from "./oracle.ts";
import { isException } from "./raised.ts";
import { otherShows } from "./shows.ts";
import { textsByTrial } from "./texts.ts";
import { type Parameter, seedsByTrial } from "./trial.ts";
import type { Entry, Example, Task } from "./types.ts";
import { handledBy, madeUsual, unusual } from "./unusual.ts";
import { ofOtherLengths, type Parameters, parametersOf } from "./variadic.ts";

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
  readonly from: "examples" | "annotations" | "trial" | null;
  /** A module that the reference imports but that is not installed. */
  readonly missing: string | null;
  /** The type of an answer of the reference that cannot be compared, such as `generator`; null if there is none. */
  readonly incomparable: string | null;
}

/**
 * Effort per kind of entry. `overshoot`: inputs proposed per input wanted. `mutants`: mutants of the reference, used to choose inputs.
 * `asked`: candidates that decide which inputs are valid if there is no reference. `share`: share of the option `inputs` that is wanted; less
 * for texts, because each text needs a process and shows as much as several calls. `trialCpuS`: CPU seconds of a program per tried input.
 * `slowCpuS`: inputs that take longer are dropped if enough are faster; starting the process that reads a text takes about .004 s.
 */
const EFFORT = {
  call: { overshoot: 1.5, mutants: 6, asked: 8, share: 1, trialCpuS: 0.02, slowCpuS: 0.004 },
  stdin: { overshoot: 1.25, mutants: 4, asked: 3, share: 0.5, trialCpuS: 0.1, slowCpuS: 0.03 },
} as const;
const ROUNDS = 4;
/** If fewer than this share of the wanted inputs is found, the search goes on: with more time, or by trial. */
const FEW = 0.25;
/** Maximum number of inputs on which the reference raises an exception, per other input. */
const RAISED = 0.25;
/** Slow inputs are dropped if the others are at least this share of the wanted inputs. */
const ENOUGH = 0.5;

export async function makeInputs(
  task: Task,
  entry: Entry,
  executor: Executor,
  options: InputOptions,
): Promise<TaskInputs> {
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

/** Whether a call of a function that returns nothing changed its arguments. */
function isChanged({ input, answer }: Known): boolean {
  const { positional } = parseArguments("args" in input ? input.args : "");
  const before: PyValue = positional.length === 1 ? positional[0]! : { t: "tuple", v: positional };
  return answer !== null && !equalValues(answer.value, before);
}

async function inputsFor(
  task: Task,
  entry: Entry,
  executor: Executor,
  { inputs, seed }: InputOptions,
): Promise<TaskInputs> {
  const { overshoot, mutants, asked, share, trialCpuS, slowCpuS } = EFFORT[entry.kind];
  const wanted = Math.ceil(inputs * share);
  const setup = setupOf(entry);
  const oracle = new Oracle(executor, entry, setup, task, { asked, trialCpuS });
  const { shown, seeds } = await readDescription(task, entry, oracle);
  const search = { task, entry, oracle, seeds, seed, wanted: Math.ceil(overshoot * wanted) };
  let found = await findInputs(search);
  if (found.pool.length < FEW * wanted && oracle.isLate) {
    oracle.giveTime();
    found = await findInputs(search);
  }
  const { pool, from } = found;
  const quick = pool.filter(({ cpuS }) => cpuS <= slowCpuS);
  const { chosen, killed } = await choose(quick.length >= ENOUGH * wanted ? quick : pool, wanted, oracle, {
    seed,
    mutants,
    isPrinted: isPrinted(entry),
  });
  const known = await oracle.confirmed(chosen);
  const isUnusual = unusual(
    known.map(({ input }) => input),
    entry.kind === "stdin" ? seeds : shown.map(({ input }) => input),
    handledBy(task, entry),
  );
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
  const examples = readExamples(text, entry);
  if (entry.kind === "stdin" && examples.length === 0) {
    const called = await callsAsTexts(text, onTexts(oracle));
    return { shown: called.examples, seeds: called.inputs };
  }
  const shown = isInAnyOrder(description) ? examples.map(orderedExample) : examples;
  const calls = entry.kind === "call" ? shownCalls(text, entry).map((args) => ({ args })) : [];
  return { shown, seeds: [...shown.map(({ input }) => input), ...calls] };
}

const onTexts =
  (oracle: Oracle): Tried =>
  (texts) =>
    oracle.tried(texts.map((stdin) => ({ stdin })));

interface Search {
  readonly task: Task;
  readonly entry: Entry;
  readonly oracle: Oracle;
  /** Inputs that the description shows. */
  readonly seeds: readonly ProgramInput[];
  readonly seed: number;
  readonly wanted: number;
}

interface Found {
  readonly pool: readonly Known[];
  readonly from: TaskInputs["from"];
}

/** Finds valid inputs: the description's inputs and their mutations; otherwise inputs by annotations; otherwise inputs found by trial. */
async function findInputs(search: Search): Promise<Found> {
  const { task, entry, oracle, seed, wanted } = search;
  const pool = new Map<string, Known>();
  /** Inputs on which the reference raises an announced exception. They do not count as found: it may raise on everything random. */
  const raised = new Map<string, Known>();
  const add = async (inputs: readonly ProgramInput[], proposer?: Proposer): Promise<ProgramInput[]> => {
    // Long inputs and inputs that may be invalid come last, because the inputs after too many timeouts are not run.
    const proposed = distinct(inputs);
    const doubtful = new Map(proposed.map((input) => [input, proposer?.likes(input) === false ? 1 : 0]));
    const known = await oracle.known(
      proposed.toSorted((a, b) => doubtful.get(a)! - doubtful.get(b)! || smallerFirst(a, b)),
    );
    // Inputs of equal length get back the order in which they were proposed. Otherwise all chosen inputs would begin with 1.
    const places = new Map(proposed.map((input, i) => [input, i]));
    known.sort((a, b) => sizeOf(a.input) - sizeOf(b.input) || places.get(a.input)! - places.get(b.input)!);
    for (const one of known) (isRaised(one) ? raised : pool).set(JSON.stringify(one.input), one);
    return known.filter((one) => !isRaised(one)).map(({ input }) => input);
  };
  const problem = problemOf(task, entry);
  const usual = handledBy(task, entry);
  const mutate = async (seeds: readonly ProgramInput[]): Promise<void> => {
    const proposer = new Proposer(problem, seeds, seed);
    for (let round = 0; round < ROUNDS && pool.size < wanted; round++) {
      const proposed = proposer.next(wanted - pool.size);
      if (proposed.length === 0) return;
      // Without examples most lists would contain a zero or a negative number, and count for little.
      const batch =
        search.seeds.length > 0 ? proposed : proposed.map((one, i) => (i % 2 === 0 ? one : madeUsual(one, usual)));
      const accepted = await add(batch, proposer);
      if (pool.size >= wanted) return;
      const taken = new Set(accepted);
      proposer.learn({ accepted, rejected: batch.filter((input) => !taken.has(input) && oracle.wasTried(input)) });
    }
  };
  const { reference, description } = task;
  /** Adds inputs as they are, and made usual. */
  const addBoth = (inputs: readonly ProgramInput[]): Promise<ProgramInput[]> =>
    add([...inputs, ...inputs.map((input) => madeUsual(input, usual))]);
  /** Inputs for optional parameters, from `seeds`. */
  const options = async (seeds: readonly ProgramInput[]): Promise<ProgramInput[]> =>
    reference === null || entry.kind === "stdin"
      ? []
      : addBoth(withOptions(seeds, { source: reference, entryPoint: entry.name, description }));
  /** Completes the pool with inputs at the reference's constants. */
  const complete = async (from: TaskInputs["from"]): Promise<Found> => {
    if (reference !== null) await add(atConstants(inputsIn(pool), reference));
    // Of the inputs on which it raises, the last ones contain its constants.
    if (pool.size === 0) return { pool: [], from };
    return { pool: [...pool.values(), ...[...raised.values()].reverse().slice(0, RAISED * pool.size)], from };
  };
  const seeds = await add(search.seeds);
  if (seeds.length > 0) {
    await mutate([...seeds, ...(await options(seeds))]);
    return complete("examples");
  }
  // A vague annotation such as `list` does not name the type of the items. Then trial finds better inputs.
  const declared = entry.kind === "call" ? parametersOf(task, entry) : { parameters: [], variadic: 0 };
  const isOpen = declared.variadic > 0 || declared.parameters.some(({ shape }) => isVague(shape));
  if (entry.kind === "call" && !isOpen) await mutate([]);
  if (pool.size >= FEW * wanted) {
    await options(inputsIn(pool));
    return complete("annotations");
  }
  const tried = await add(await byTrial(task, entry, declared, oracle, seed));
  if (tried.length > 0) await mutate([...tried, ...(await options(tried))]);
  else if (isOpen) await mutate([]);
  return complete(tried.length > 0 ? "trial" : pool.size > 0 ? "annotations" : null);
}

const isRaised = ({ answer }: Known): boolean => answer !== null && isException(answer);

const inputsIn = (pool: ReadonlyMap<string, Known>): ProgramInput[] => [...pool.values()].map(({ input }) => input);

async function byTrial(
  task: Task,
  entry: Entry,
  { parameters, variadic }: Parameters,
  oracle: Oracle,
  seed: number,
): Promise<ProgramInput[]> {
  if (entry.kind === "stdin") {
    const texts = await textsByTrial(onTexts(oracle), task.description ?? "");
    return texts.map((stdin) => ({ stdin }));
  }
  const code = task.reference ?? task.candidates[0] ?? "";
  const tried = parameters.map(({ name, shape }): Parameter => {
    return { name, type: shape.length === 1 ? shape[0]!.of.t : null };
  });
  const lists = await seedsByTrial(tried, code, task.description ?? "", (all) =>
    oracle.answered(all.map((args) => ({ args }))),
  );
  const names = parameters.map(({ name }) => name);
  return ofOtherLengths(aligned(lists, code, names, seed), variadic).map((args) => ({ args }));
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

function distinct(inputs: readonly ProgramInput[]): ProgramInput[] {
  return [...new Map(inputs.map((input) => [JSON.stringify(input), input])).values()];
}

function problemOf({ reference, description, candidates }: Task, entry: Entry): Problem {
  return {
    id: "",
    description: description ?? "",
    prompt: description ?? "",
    entryPoint: entry.kind === "call" ? entry.name : null,
    references: reference === null ? candidates.slice(0, 3) : [reference],
    tests: [],
    setup: "",
    contract: "",
    source: "",
  };
}
