/** Finds valid inputs of a task: from what its description shows, by annotations, by trial, or as sequences of calls. */
import type { Executor } from "../execute/index.ts";
import { atConstants, isVague, Proposer, parameterNames, withOptions, withRepeats } from "../expand/index.ts";
import type { Problem, ProgramInput } from "../types.ts";
import { Random } from "../util/random.ts";
import { argumentsWithArrays } from "./arrays/index.ts";
import { sizeOf, smallerFirst } from "./choose.ts";
import type { Class } from "./classes.ts";
import { commandsOf, withCommands } from "./commands.ts";
import { constantTexts, saidNumbers } from "./constants.ts";
import { Constraints, parallelLengths, readConstraints } from "./constraints/index.ts";
import { byTrial, byUse, deepened, emptied, inputsIn, negated, textsIn } from "./first-inputs.ts";
import { keepsChoices, keepsKeys, keepsStamps } from "./keys.ts";
import { asLists, treesOf, withShapes } from "./nodes/index.ts";
import type { Known, Oracle } from "./oracle.ts";
import { quotedCalls, quotedTexts } from "./quoted.ts";
import { isException } from "./raised.ts";
import { constraintsOnCalls, sequences, subjectOf } from "./sequences.ts";
import { timesInOrder } from "./times.ts";
import type { Entry, Task } from "./types.ts";
import { madeUsual, type Trait, testedBy } from "./unusual.ts";
import { parametersOf } from "./variadic.ts";

const ROUNDS = 4;
/** Maximum number of quoted texts of a description that are choices. */
const MOST_CHOICES = 40;
/** If fewer than this share of the wanted inputs is found, the search goes on: with more time, or by trial. */
export const FEW = 0.25;
/** Sequences of calls that are proposed per wanted one. Few of them tell a mutant apart. */
const SEQUENCES = 8;
/** Maximum number of inputs on which the reference raises an exception, per other input. */
const RAISED = 0.25;

/** Calls with arrays or data frames may take long. So many inputs are always tried; more only as far as the CPU seconds suffice. */
const FIRST = 6;
const MOST_CPU_S = 1;

const NONE = new Constraints([]);

export interface Search {
  readonly task: Task;
  readonly entry: Entry;
  readonly oracle: Oracle;
  /** Inputs that the description shows. */
  readonly seeds: readonly ProgramInput[];
  readonly seed: number;
  readonly wanted: number;
}

export interface Found {
  readonly pool: readonly Known[];
  /** Where the first inputs came from. */
  readonly from: "examples" | "annotations" | "trial" | null;
  /** What the description says of arguments. */
  readonly constraints: Constraints;
  /** Changes an input as the description demands. */
  readonly fitted: (input: ProgramInput) => ProgramInput;
}

/** Finds valid inputs: the description's inputs and their mutations; otherwise inputs by annotations; otherwise inputs found by trial. */
export async function findInputs(search: Search): Promise<Found> {
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
  const tested = testedBy(task.reference ?? task.candidates[0] ?? "");
  const isTested = (trait: Trait): boolean => tested.includes(trait);
  const rng = new Random(seed);
  const shaped = (input: ProgramInput): ProgramInput =>
    entry.kind === "call" && entry.nodes !== undefined ? withShapes(input, entry.nodes, rng) : input;
  /** Without examples most lists would contain a zero or a minus sign, and so weigh little. Hardly any value would occur twice. */
  const improved = (input: ProgramInput, i: number): ProgramInput => {
    const some = (i % 4 < 2 ? null : withRepeats(input, rng)) ?? input;
    const own = shaped(some);
    return i % 2 === 0 ? own : madeUsual(own, isTested);
  };
  let constraints: Constraints | null = null;
  let used: readonly ProgramInput[] = [];
  let commands = commandsOf(task, search.seeds);
  /** Inputs changed to satisfy the constraints. The longest of the first ones shows the kinds of arguments and items. */
  const fitted = (inputs: readonly ProgramInput[]): ProgramInput[] => {
    if (entry.kind === "stdin") return inputs.map((input) => withCommands(input, commands, rng));
    if (inputs.length === 0) return [];
    constraints ??= constraintsOf(task, entry, inputs.slice(0, 10).toSorted(longerFirst)[0]!, search.seeds);
    const known = constraints;
    return inputs.map((input) => known.fitted(input)).filter((input) => known.haveTypes(input));
  };
  const { reference, description } = task;
  /** Inputs made from uses keep their keys and dates, and those from examples their keys and choices. */
  const keeps = (): ((input: ProgramInput) => boolean) => {
    const from = used.length > 0 ? used : search.seeds;
    if (from.length === 0 || reference === null || entry.kind === "stdin") return () => true;
    const hasKeys = keepsKeys(reference, from);
    const hasOthers =
      used.length > 0
        ? () => true
        : keepsChoices(from, new Set(constantTexts(reference)), new Set(quotedTexts(description, MOST_CHOICES)));
    const hasStamps = keepsStamps(from);
    return (input) => hasKeys(input) && hasStamps(input) && hasOthers(input);
  };
  const mutate = async (seeds: readonly ProgramInput[], most = wanted): Promise<void> => {
    const isKept = keeps();
    const proposer = new Proposer(problem, seeds, seed);
    for (let round = 0; round < ROUNDS && pool.size < most; round++) {
      const proposed = proposer.next(most - pool.size);
      if (proposed.length === 0) return;
      const changed = proposed.map(
        search.seeds.length > 0 ? (input, i) => (i % 2 === 0 ? input : shaped(input)) : improved,
      );
      const batch = fitted(changed).filter(isKept);
      const accepted = await add(batch, proposer);
      if (pool.size >= most) return;
      const taken = new Set(accepted);
      proposer.learn({ accepted, rejected: batch.filter((input) => !taken.has(input) && oracle.wasTried(input)) });
    }
  };
  /** Adds inputs as they are, and made usual. */
  const addBoth = (inputs: readonly ProgramInput[]): Promise<ProgramInput[]> =>
    add(fitted([...inputs, ...inputs.map((input, i) => improved(input, 2 * i + 1))]));
  /** Inputs for optional parameters, from `seeds`. */
  const options = async (seeds: readonly ProgramInput[]): Promise<ProgramInput[]> =>
    reference === null || entry.kind === "stdin"
      ? []
      : addBoth(withOptions(seeds, { source: reference, entryPoint: entry.name, description }));
  /** Completes the pool with inputs at the reference's constants. */
  const complete = async (from: Found["from"]): Promise<Found> => {
    if (reference !== null) {
      const constant = [...atConstants(inputsIn(pool), reference, saidNumbers(description)), ...textsIn(task, pool)];
      await add(constant.filter(keeps()));
      const empty = emptied(task, entry, pool).filter((input) => (constraints ?? NONE).hold(input));
      for (const input of empty) raised.delete(JSON.stringify(input));
      await add([...empty, ...negated(task, entry, pool), ...deepened(task, entry, pool)]);
    }
    const found = { from, constraints: constraints ?? NONE, fitted: (input: ProgramInput) => fitted([input])[0]! };
    if (pool.size === 0) return { pool: [], ...found };
    const broken = [...pool].filter(([, { input }]) => !found.constraints.hold(input));
    if (pool.size - broken.length >= FEW * wanted) for (const [key] of broken) pool.delete(key);
    // The last inputs on which the reference raises are empty ones, and those with its constants.
    return { pool: [...pool.values(), ...[...raised.values()].reverse().slice(0, RAISED * pool.size)], ...found };
  };
  const seeds = await add(search.seeds);
  fitted(seeds);
  if (seeds.length > 0) {
    await mutate([...seeds, ...(await options(seeds))]);
    return complete("examples");
  }
  if (entry.kind === "call" && entry.arrays !== undefined) {
    const proposed = argumentsWithArrays(task, entry, 2 * wanted, seed);
    await add(proposed.slice(0, FIRST));
    const seconds = [...pool.values()].reduce((sum, { cpuS }) => sum + cpuS, 0) / Math.max(1, pool.size);
    const most = pool.size === 0 ? FIRST : Math.max(FIRST, Math.floor(MOST_CPU_S / Math.max(seconds, 0.001)));
    await add(proposed.slice(FIRST, FIRST + most));
    return complete(pool.size > 0 ? "trial" : null);
  }
  // A vague annotation such as `list` does not name the type of the items. Then trial finds better inputs.
  const declared = entry.kind === "call" ? parametersOf(task, entry) : { parameters: [], variadic: 0 };
  const isOpen = declared.variadic > 0 || declared.parameters.some(({ shape }) => isVague(shape));
  // Twice as many as wanted, because few have ties or repeated keys.
  used =
    declared.variadic > 0 ? [] : await add(fitted(await byUse(task, entry, seed, isOpen ? 2 * wanted : wanted >> 1)));
  if (isOpen && used.length >= FEW * wanted) {
    await mutate([...used, ...(await options(used))]);
    return complete("trial");
  }
  const quoted = declared.variadic > 0 ? [] : await add(fitted(quotedCalls(task, declared.parameters, rng)));
  if (quoted.length > 0) await mutate(quoted, wanted >> 1);
  if (entry.kind === "call" && !isOpen) await mutate([]);
  if (pool.size >= FEW * wanted) {
    await options(inputsIn(pool));
    return complete("annotations");
  }
  const tried = await add(fitted(await byTrial(task, entry, declared, oracle, seed)));
  commands ??= commandsOf(task, tried);
  if (tried.length > 0) await mutate([...tried, ...(await options(tried))]);
  else if (isOpen) await mutate([]);
  return complete(tried.length > 0 ? "trial" : pool.size > 0 ? "annotations" : null);
}

/** The constraints that description and reference show. `sample`: an input that the reference accepts. `shown`: those of the description. */
export function constraintsOf(
  task: Task,
  entry: Entry,
  sample: ProgramInput,
  shown: readonly ProgramInput[],
): Constraints {
  if (entry.kind === "stdin" || entry.arrays !== undefined) return NONE;
  const subject = entry.shows === "calls" ? subjectOf(task, entry) : null;
  if (subject !== null) return constraintsOnCalls(task, subject);
  const { reference, description, candidates } = asLists(task, entry);
  const names = parameterNames([reference ?? "", description ?? "", ...candidates], entry.name);
  const read = readConstraints(description ?? "", names, sample, shown, reference ?? "");
  const equal = reference === null ? [] : parallelLengths([reference], names, shown);
  const more = [...equal, ...treesOf(entry.nodes)];
  return more.length === 0 ? read : new Constraints([...read.all, ...more], read.sample);
}

const longerFirst = (a: ProgramInput, b: ProgramInput): number => sizeOf(b) - sizeOf(a);

const isRaised = ({ answer }: Known): boolean => answer !== null && isException(answer);

/** Finds sequences of calls of a class that return anything. */
export async function findSequences(
  { task, oracle, seed, wanted }: Search,
  subject: Class,
  executor: Executor,
): Promise<Found> {
  const constraints = constraintsOnCalls(task, subject);
  const inTime = timesInOrder(task, subject);
  const proposed = await sequences(task, subject, executor, { count: SEQUENCES * wanted, seed, limit: oracle.limit });
  const known = await oracle.known(proposed.toSorted(smallerFirst));
  const pool = known.filter(
    ({ answer }) => answer!.value.t === "list" && answer!.value.v.some(({ t }) => t !== "none"),
  );
  return {
    pool,
    from: pool.length > 0 ? "trial" : null,
    constraints,
    fitted: (input) => inTime(constraints.fitted(input)),
  };
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
