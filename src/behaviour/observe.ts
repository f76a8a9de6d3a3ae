/** Runs the candidates of a task on its inputs, some first and more where they are asked for, and holds their answers against what is known. */
import type { Answer, Executor } from "../execute/index.ts";
import type { ProgramInput } from "../types.ts";
import { remembered } from "./cache.ts";
import { sizeOf } from "./choose.ts";
import { entryOf } from "./entry.ts";
import { holds } from "./examples.ts";
import { type InputOptions, makeInputs, type TaskInputs } from "./inputs.ts";
import { missingModule, sameAnswer } from "./oracle.ts";
import type { Task } from "./types.ts";

/** What a candidate did. */
export interface Observation {
  /** To the first of the inputs, as many as it ran on. */
  readonly answers: readonly Answer[];
  /** Of each of them whether it is the reference's; null without a reference. */
  readonly agrees: readonly boolean[] | null;
  readonly exampleAnswers: readonly Answer[];
  readonly examples: { readonly passed: number; readonly total: number };
  /** A module that it wants and that is not there; null where it wants none. */
  readonly missing: string | null;
}

export interface Observed {
  readonly inputs: TaskInputs;
  /** Of each candidate. */
  readonly candidates: readonly Observation[];
}

/** CPU seconds that a candidate may take on an input at least, and how many times the reference's own. */
const LEAST_CPU_S = 0.03;
const FACTOR = 10;
/** After so many the rest are timeouts. Inputs come in order of their size, and a loop without end may be one of the smallest input alone. */
const MOST_TIMEOUTS = 2;

export class TaskRun {
  readonly inputs: TaskInputs;
  readonly #task: Task;
  readonly #executor: Executor;
  /** CPU seconds of an input, by its key. */
  readonly #budgets: ReadonlyMap<string, number>;
  /** By program: to the examples, then to the inputs. */
  readonly #ran = new Map<string, Promise<{ readonly examples: Answer[]; readonly answers: Answer[] }>>();

  private constructor(task: Task, inputs: TaskInputs, executor: Executor) {
    this.#task = task;
    this.inputs = inputs;
    this.#executor = executor;
    this.#budgets = new Map(
      inputs.known.map(({ input, cpuS }) => [JSON.stringify(input), Math.max(LEAST_CPU_S, FACTOR * cpuS)]),
    );
  }

  /** Makes the inputs. Null where no function is found that could be called. */
  static async open(task: Task, executor: Executor, options: InputOptions): Promise<TaskRun | null> {
    const entry = entryOf(task);
    if (entry === null) return null;
    const make = (): Promise<TaskInputs> => makeInputs(task, entry, executor, options);
    const inputs = await (options.keep === false ? make() : remembered(task, executor, options, make));
    return new TaskRun(task, inputs, executor);
  }

  /** Runs candidates, by their places, on the first `count` inputs; what they ran on before is not run again. */
  async run(places: readonly number[], count: number): Promise<void> {
    await Promise.all(
      [...new Set(places.map((place) => this.#task.candidates[place]!))].map((code) => {
        const running = this.#more(code, count);
        this.#ran.set(code, running);
        return running;
      }),
    );
  }

  /** What was seen so far. */
  async observed(): Promise<Observed> {
    const { known, examples, entry } = this.inputs;
    const candidates = this.#task.candidates.map(async (code): Promise<Observation> => {
      const ran = (await this.#ran.get(code)) ?? { examples: [], answers: [] };
      return {
        answers: ran.answers,
        agrees:
          this.#task.reference === null
            ? null
            : ran.answers.map((answer, i) => sameAnswer(answer, known[i]!.answer!, entry.kind === "stdin")),
        exampleAnswers: ran.examples,
        examples: {
          passed: examples.filter((example, i) => ran.examples[i] && holds(example, ran.examples[i])).length,
          total: examples.length,
        },
        missing: await missingModule(code, [...ran.examples, ...ran.answers], this.#executor),
      };
    });
    return { inputs: this.inputs, candidates: await Promise.all(candidates) };
  }

  async #more(code: string, count: number): Promise<{ examples: Answer[]; answers: Answer[] }> {
    const { known, examples, entry, setup } = this.inputs;
    const before = await this.#ran.get(code);
    const from = before?.answers.length ?? 0;
    const more = known.slice(from, count).map(({ input }) => input);
    // Examples are inputs too, mostly: each is run once.
    const wanted = [...(before ? [] : examples.map((one) => one.input)), ...more].sort((a, b) => sizeOf(a) - sizeOf(b));
    const all = new Map<string, ProgramInput>(wanted.map((input) => [JSON.stringify(input), input]));
    const program = { code, entryPoint: entry.kind === "call" ? entry.name : null, setup };
    const budgets = [...all.keys()].map((key) => this.#budgets.get(key) ?? LEAST_CPU_S);
    const answers = await this.#executor.answers(program, [...all.values()], budgets, MOST_TIMEOUTS);
    const byInput = new Map([...all.keys()].map((key, i) => [key, answers[i]!]));
    const answerTo = (input: ProgramInput): Answer => byInput.get(JSON.stringify(input))!;
    return {
      examples: before?.examples ?? examples.map(({ input }) => answerTo(input)),
      answers: [...(before?.answers ?? []), ...more.map(answerTo)],
    };
  }
}
