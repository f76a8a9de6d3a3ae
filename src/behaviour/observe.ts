/** Runs a task's candidates on its inputs, first on some and later on more, and compares their answers with the known ones. */
import type { Answer, Executor } from "../execute/index.ts";
import type { ProgramInput } from "../types.ts";
import { isInAnyOrder, ordered } from "./any-order.ts";
import { remembered } from "./cache.ts";
import { sizeOf } from "./choose.ts";
import { calledBy, entriesOfCandidates, entryOf, isPrinted } from "./entry.ts";
import { holds } from "./examples.ts";
import { type InputOptions, makeInputs, type TaskInputs } from "./inputs.ts";
import { missingModule, sameAnswer } from "./oracle.ts";
import { timeFor } from "./packages.ts";
import { announcedExceptions, refusals, withExceptions } from "./raised.ts";
import type { Entry, Task } from "./types.ts";

/** What was observed of a candidate. */
export interface Observation {
  /** Answers to the inputs on which it ran: the first ones of the task. */
  readonly answers: readonly Answer[];
  /** For each answer: whether it is the reference's; null without a reference. */
  readonly agrees: readonly boolean[] | null;
  /** For each answer: whether the candidate refuses the input (raised.ts), so that the task may not define it. */
  readonly refused: readonly boolean[];
  readonly exampleAnswers: readonly Answer[];
  readonly examples: { readonly passed: number; readonly total: number };
  /** A module that it imports but that is not installed; null if there is none. */
  readonly missing: string | null;
}

export interface Observed {
  readonly inputs: TaskInputs;
  /** In the order of the task's candidates. */
  readonly candidates: readonly Observation[];
}

/** CPU time of a candidate per input: at least so many seconds, otherwise this factor times the reference's time. A text needs a new process. */
export const LEAST_CPU_S = { call: 0.02, stdin: 0.03 } as const;
const FACTOR = 10;
/** After so many timeouts the remaining inputs count as timeouts. One alone may be an endless loop that only the smallest input causes. */
const MOST_TIMEOUTS = 2;

/**
 * The inputs of one run of a program, and the places of the examples and of the task's inputs among them. A task's input without a place is
 * an example, which ran before.
 */
interface Batch {
  readonly inputs: readonly ProgramInput[];
  readonly budgets: readonly number[];
  readonly ofExamples: readonly number[];
  readonly ofInputs: readonly { readonly place: number | undefined; readonly example: number }[];
}

/** A program's answers. */
interface Ran {
  readonly examples: readonly Answer[];
  readonly answers: readonly Answer[];
}

const keyOf = (input: ProgramInput): string => JSON.stringify(input);

export class TaskRun {
  readonly inputs: TaskInputs;
  readonly #task: Task;
  readonly #executor: Executor;
  readonly #inAnyOrder: boolean;
  readonly #entryOf: (code: string) => Entry;
  /** Names of exceptions that are answers. */
  readonly #exceptions: ReadonlySet<string>;
  /** CPU seconds per input, by its key. */
  readonly #budgets: ReadonlyMap<string, number>;
  readonly #leastCpuS: number;
  /** Keys of unusual inputs: the task may not define their answers. */
  readonly #unusual: ReadonlySet<string>;
  readonly #batches = new Map<string, Batch>();
  /** By program. */
  readonly #ran = new Map<string, Promise<Ran>>();
  readonly #observed = new WeakMap<Ran, Promise<Observation>>();

  private constructor(task: Task, inputs: TaskInputs, executor: Executor) {
    this.#task = task;
    this.inputs = inputs;
    this.#executor = executor;
    this.#inAnyOrder = isInAnyOrder(task.description);
    this.#entryOf = entriesOfCandidates(inputs.entry, task);
    this.#exceptions = announcedExceptions(task, inputs.entry);
    this.#leastCpuS = LEAST_CPU_S[inputs.entry.kind];
    this.#budgets = new Map(
      inputs.known.map(({ input, cpuS }) => [keyOf(input), Math.max(this.#leastCpuS, FACTOR * cpuS)]),
    );
    this.#unusual = new Set(inputs.known.flatMap(({ input }, i) => (inputs.unusual[i] ? [keyOf(input)] : [])));
  }

  /** Generates the inputs, or reads them from the cache. Null if the task has no entry (`entryOf`). */
  static async open(task: Task, executor: Executor, options: InputOptions): Promise<TaskRun | null> {
    const entry = entryOf(task);
    if (entry === null) return null;
    const make = (): Promise<TaskInputs> => makeInputs(task, entry, executor, options);
    const inputs = await (options.keep === false ? make() : remembered(task, executor, options, make));
    return new TaskRun(task, inputs, executor);
  }

  /** Runs the candidates at `places` on the first `count` inputs. Inputs on which they ran before are not run again. */
  async run(places: readonly number[], count: number): Promise<void> {
    await Promise.all(
      [...new Set(places.map((place) => this.#task.candidates[place]!))].map((code) => {
        const running = this.#more(code, count);
        this.#ran.set(code, running);
        return running;
      }),
    );
  }

  /** Everything observed so far. */
  async observed(): Promise<Observed> {
    const candidates = this.#task.candidates.map(async (code) => {
      const ran = (await this.#ran.get(code)) ?? { examples: [], answers: [] };
      const observed = this.#observed.get(ran) ?? this.#observe(code, ran);
      this.#observed.set(ran, observed);
      return observed;
    });
    return { inputs: this.inputs, candidates: await Promise.all(candidates) };
  }

  async #observe(code: string, ran: Ran): Promise<Observation> {
    const { known, examples, entry } = this.inputs;
    const agrees =
      this.#task.reference === null
        ? null
        : ran.answers.map((answer, i) => sameAnswer(answer, known[i]!.answer!, isPrinted(entry)));
    return {
      answers: ran.answers,
      agrees,
      refused: refusals(code, ran.answers, agrees ?? [], this.#task),
      exampleAnswers: ran.examples,
      examples: {
        passed: examples.filter((example, i) => ran.examples[i] && holds(example, ran.examples[i])).length,
        total: examples.length,
      },
      missing: await missingModule(code, [...ran.examples, ...ran.answers], this.#executor),
    };
  }

  async #more(code: string, count: number): Promise<Ran> {
    const { examples, setup, known } = this.inputs;
    const before = await this.#ran.get(code);
    if (before !== undefined && before.answers.length >= Math.min(count, known.length)) return before;
    const { inputs, budgets, ofExamples, ofInputs } = this.#batch(
      before === undefined,
      before?.answers.length ?? 0,
      count,
    );
    const program = { code, entryPoint: calledBy(this.#entryOf(code)), setup };
    const given = await this.#executor.answers(program, inputs, timeFor(code, budgets), MOST_TIMEOUTS);
    const raised = given.map((answer) => withExceptions(answer, this.#exceptions));
    const answers = this.#inAnyOrder ? raised.map(ordered) : raised;
    const ofShown = before?.examples ?? examples.map((_, i) => answers[ofExamples[i]!]!);
    const more = ofInputs.map(({ place, example }) => (place === undefined ? ofShown[example]! : answers[place]!));
    return { examples: ofShown, answers: [...(before?.answers ?? []), ...more] };
  }

  /** The batch with the inputs from `from` to `count`. Candidates that ran on equally many inputs before share one batch. */
  #batch(isFirst: boolean, from: number, count: number): Batch {
    const key = `${isFirst} ${from} ${count}`;
    const made = this.#batches.get(key);
    if (made !== undefined) return made;
    const examples = this.inputs.examples.map(({ input }) => keyOf(input));
    const shown = isFirst ? this.inputs.examples.map(({ input }) => input) : [];
    const more = this.inputs.known.slice(from, count).map(({ input }) => input);
    const fresh = isFirst ? more : more.filter((input) => !examples.includes(keyOf(input)));
    // Examples are mostly inputs, too; each runs once. Unusual inputs come last, because nothing runs after the last timeout.
    const place = (input: ProgramInput): number => (this.#unusual.has(keyOf(input)) ? 1 : 0);
    const all = new Map(
      [...shown, ...fresh]
        .sort((a, b) => place(a) - place(b) || sizeOf(a) - sizeOf(b))
        .map((input) => [keyOf(input), input]),
    );
    const places = new Map([...all.keys()].map((own, i) => [own, i]));
    const batch = {
      inputs: [...all.values()],
      budgets: [...all.keys()].map((own) => this.#budgets.get(own) ?? this.#leastCpuS),
      ofExamples: shown.map((input) => places.get(keyOf(input))!),
      ofInputs: more.map((input) => ({ place: places.get(keyOf(input)), example: examples.indexOf(keyOf(input)) })),
    };
    this.#batches.set(key, batch);
    return batch;
  }
}
