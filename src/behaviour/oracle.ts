/**
 * Decides which inputs are valid and, with a reference, what their answers are. Without a reference, an input is valid if a fifth of the
 * asked candidates answer it.
 */
import { type Answer, type Executor, equalValues, sameOutput } from "../execute/index.ts";
import { missingModules, staticFaults } from "../languages/python/index.ts";
import { loadParser } from "../languages/python/syntax/parse.ts";
import type { ProgramInput } from "../types.ts";
import { isInAnyOrder, LONGEST_ANSWER, ordered } from "./any-order.ts";
import { calledBy, entriesOfCandidates } from "./entry.ts";
import { announcedExceptions, isException, withExceptions } from "./raised.ts";
import { answersWithin, MOST_LATE, NOT_RUN, TOO_MANY, type TrialLimit } from "./steps.ts";
import type { Entry, Task } from "./types.ts";

export type Answered = Extract<Answer, { outcome: "ok" }>;

export interface Known {
  readonly input: ProgramInput;
  /** The reference's answer; null without a reference. */
  readonly answer: Answered | null;
  /** CPU seconds of the reference; 0 without one. */
  readonly cpuS: number;
  /** Without a reference: how many different answers the asked candidates gave. With one: 1. */
  readonly split: number;
}

/** The result of an input that was only tried. */
export interface Trial {
  /** The valid answers that programs gave. */
  readonly answers: readonly Answered[];
  /** Whether enough programs answer it. */
  readonly isAnswered: boolean;
  /** Whether enough programs fail with an exception that suggests that the text ends too soon. */
  readonly wantsMore: boolean;
}

/** Runs a program on texts and returns the result of each. */
export type Tried = (texts: readonly string[]) => Promise<readonly Trial[]>;

/** If too few inputs are answered within the limits of a trial, programs get so many times as many steps, or as much time. */
const PATIENCE = { steps: 5, cpuS: 10 };
/** How often, per task, a reference continues after a timeout. */
const MOST_RESUMED = MOST_LATE - 1;
/** It then gets this share of the time per input. Most answers are fast. */
const RESUMED_SHARE = 0.5;
/** Limits of a repeated run: this many times what the first run took, or might take. */
const AGAIN = 5;
/** Without a reference: the share of the asked candidates that must answer. */
const VALID_SHARE = 0.2;
/** Each gives another random state. If answers differ with the first one, the others follow, because a choice of two is the same half the time. */
const SEEDS = [271828, 314159, 161803, 141421, 173205, 223606];
const randomState = (seed: number): string => `
__import__('random').seed(${seed})
if 'numpy' in __import__('sys').modules:
    __import__('sys').modules['numpy'].random.seed(${seed})
`;

export interface Limit extends TrialLimit {
  readonly cpuS: number;
}

export interface Program {
  readonly code: string;
  readonly entryPoint: string | null;
  readonly setup: string;
}

export class Oracle {
  readonly reference: string | null;
  /** A module that the reference imports but that is not installed; known after its first run. */
  missing: string | null = null;
  /** The type of an answer of the reference that cannot be compared, such as `generator`; null if there is none. */
  incomparable: string | null = null;
  readonly #executor: Executor;
  readonly #asked: readonly string[];
  readonly #entryOf: (code: string) => Entry;
  readonly #setup: string;
  readonly #inAnyOrder: boolean;
  /** Names of exceptions that are answers. */
  readonly #exceptions: ReadonlySet<string>;
  readonly #limit: Limit;
  /** Inputs after timeouts, on which the reference was not run. */
  readonly #untried = new WeakSet<ProgramInput>();
  #resumed = 0;
  #late = false;
  #patient = false;

  /** `asked`: how many candidates are run if there is no reference. `limit`: of a program per input. */
  constructor(
    executor: Executor,
    entry: Entry,
    setup: string,
    task: Task,
    { asked, limit }: { readonly asked: number; readonly limit: Limit },
  ) {
    const { reference, description, candidates } = task;
    this.reference = reference;
    this.#exceptions = announcedExceptions(task, entry);
    this.#executor = executor;
    this.#entryOf = entriesOfCandidates(entry, task);
    this.#setup = setup;
    this.#inAnyOrder = isInAnyOrder(description);
    this.#asked = reference === null ? [...new Set(candidates)].slice(0, asked) : [reference];
    this.#limit = limit;
  }

  /** For each input: whether the reference, or enough candidates, answer it. */
  async answered(inputs: readonly ProgramInput[]): Promise<boolean[]> {
    return (await this.#splits(inputs)).map((split) => split > 0);
  }

  /** The result of each input, from the reference or from the asked candidates. */
  async tried(inputs: readonly ProgramInput[]): Promise<Trial[]> {
    if (inputs.length === 0) return [];
    const all = await Promise.all(this.#asked.map((code) => this.#ask(code, inputs)));
    const least = Math.max(1, VALID_SHARE * this.#asked.length);
    return inputs.map((input, i) => {
      const own = all.map((answers) => answers[i]!);
      const answers = own.filter((answer) => isAnswer(answer, input)).filter((answer) => !isException(answer));
      return { answers, isAnswered: answers.length >= least, wantsMore: own.filter(wantsMore).length >= least };
    });
  }

  /** The number of different answers to each input; 0 if too few programs answer. */
  async #splits(inputs: readonly ProgramInput[]): Promise<number[]> {
    return (await this.tried(inputs)).map(({ answers, isAnswered }) =>
      isAnswered ? new Set(answers.map(({ text }) => text)).size : 0,
    );
  }

  /** The valid inputs: the reference, or enough candidates, answer with a value that can be compared. */
  async known(inputs: readonly ProgramInput[]): Promise<Known[]> {
    if (inputs.length === 0) return [];
    if (this.reference === null) {
      const splits = await this.#splits(inputs);
      return inputs.flatMap((input, i) =>
        splits[i]! > 0 ? [{ input, answer: null, cpuS: 0, split: splits[i]! }] : [],
      );
    }
    const answers = await this.#ask(this.reference, inputs);
    return inputs.flatMap((input, i) => {
      const answer = answers[i]!;
      return isAnswer(answer, input) ? [{ input, answer, cpuS: answer.cpuS, split: 1 }] : [];
    });
  }

  /**
   * The inputs to which the reference gives the same answers again with other random states. Floats must be exactly equal: a clock that
   * counts from the start of the machine moves by less than the usual tolerance between two runs.
   */
  async confirmed(known: readonly Known[]): Promise<Known[]> {
    if (this.reference === null || known.length === 0 || isSteady(this.reference)) return [...known];
    let left = [...known];
    for (const seed of SEEDS) {
      left = await this.#sameAgain(this.reference, left, seed);
      if (left.length === known.length || left.length === 0) break;
    }
    return left;
  }

  async #sameAgain(reference: string, known: readonly Known[], seed: number): Promise<Known[]> {
    const inputs = known.map(({ input }) => input);
    const again = await this.run(reference, inputs, {
      cpuS: known.map(({ cpuS }) => Math.max(this.limit.cpuS, AGAIN * cpuS)),
      steps: this.limit.steps === null ? null : AGAIN * this.limit.steps,
      setup: `${this.#setup}\n${randomState(seed)}`,
    });
    return known.filter(({ answer }, i) => {
      const second = again[i]!;
      return second.outcome === "ok" && second.text === answer!.text;
    });
  }

  /** Answers to all inputs. Inputs that were not run count as timeouts. */
  async #ask(code: string, inputs: readonly ProgramInput[]): Promise<Answer[]> {
    if (code !== this.reference) return this.run(code, inputs);
    const answers: Answer[] = [];
    for (;;) {
      const rest = inputs.slice(answers.length);
      const some = await this.run(code, rest, {
        cpuS: this.limit.cpuS * (answers.length === 0 ? 1 : RESUMED_SHARE),
        mostLate: MOST_LATE - this.#resumed,
      });
      for (const [i, input] of rest.entries()) if (some[i] === NOT_RUN) this.#untried.add(input);
      this.#resumed = Math.min(MOST_RESUMED, this.#resumed + some.filter((answer) => answer === TOO_MANY).length);
      const late = some.findIndex((one) => one.outcome === "timeout" && one !== TOO_MANY && one !== NOT_RUN);
      if (late < 0) return [...answers, ...some];
      const after = rest.slice(late + 1);
      // If steps are counted, a timeout means that single steps are slow, which larger inputs only make slower.
      if (after.length === 0 || this.#resumed === MOST_RESUMED || this.limit.steps !== null) {
        for (const input of after) this.#untried.add(input);
        return [...answers, ...some];
      }
      this.#resumed += 1;
      answers.push(...some.slice(0, late + 1));
    }
  }

  /** False if the reference was not run on an input because it came after a timeout. */
  wasTried(input: ProgramInput): boolean {
    return !this.#untried.has(input);
  }

  /** Whether the reference ran out of time on any input. */
  get isLate(): boolean {
    return this.#late;
  }

  /** From now on programs may take more steps, or longer. */
  giveTime(): void {
    this.#patient = true;
    this.#resumed = 0;
  }

  async run(
    code: string,
    inputs: readonly ProgramInput[],
    { setup = this.#setup, ...limit }: Partial<TrialLimit> & { readonly setup?: string } = {},
  ): Promise<Answer[]> {
    const program = { code, entryPoint: calledBy(this.#entryOf(code)), setup };
    const answers = await answersWithin(this.#executor, program, inputs, { ...this.limit, ...limit });
    if (code === this.reference) {
      this.#late ||= answers.some(({ outcome }) => outcome === "timeout");
      this.missing ??= await missingModule(code, answers, this.#executor);
      this.incomparable ??= answers.map(typeOnly).find((type) => type !== null) ?? null;
    }
    const raised = answers.map((answer) => withExceptions(answer, this.#exceptions));
    return this.#inAnyOrder ? raised.map(ordered) : raised;
  }

  /** Of a program per input. */
  get limit(): Limit {
    const { steps, cpuS } = this.#limit;
    const factor = this.#patient ? PATIENCE : { steps: 1, cpuS: 1 };
    return { steps: steps === null ? null : factor.steps * steps, cpuS: factor.cpuS * cpuS };
  }
}

export const onTexts =
  (oracle: Oracle): Tried =>
  (texts) =>
    oracle.tried(texts.map((stdin) => ({ stdin })));

/** A line that imports a deterministic module. */
const STEADY_IMPORT =
  /^(?:from|import) (?:typing|math|cmath|collections|itertools|functools|re|string|heapq|bisect|operator|fractions|decimal)(?: import [^;]*)?$/;
/** Names that may change the answers of the next run, or hide something that does. */
const CHANGEABLE =
  /\b(?:import|random|datetime|sys|id|hash|object|class|open|input|exec|eval|compile|getattr|globals|locals|vars|repr|__\w+__)\b/;

/** Whether a program certainly gives the same answers again, judged by its text. If not, it is run a second time. */
const isSteady = (code: string): boolean =>
  !code.split("\n").some((line) => CHANGEABLE.test(line) && !STEADY_IMPORT.test(line.trim()));

/** In canonical form: an object of which only the type is known. */
const TYPE_ONLY = /\["o","([^"]*)",""\]/;

/** The type of an object of which only the type is known; null if an answer has none. */
const typeOnly = (answer: Answer): string | null =>
  answer.outcome === "ok" ? (TYPE_ONLY.exec(answer.text)?.[1] ?? null) : null;

/** A program that prints nothing gives no answer. Otherwise programs that only define a function would agree with each other. */
function isAnswer(answer: Answer, input: ProgramInput): answer is Answered {
  if (answer.outcome !== "ok" || answer.text.length > LONGEST_ANSWER || TYPE_ONLY.test(answer.text)) return false;
  return !("stdin" in input && answer.value.t === "str" && answer.value.v.trim() === "");
}

/** Exceptions at the end of standard input: of `input()`, of an iterator, of `int("")`, of `a, b = "".split()`, of `data[i]`, of `pop`. */
const ENDED =
  /^(?:EOFError|StopIteration)\b|^ValueError: (?:.*: ''$|.*got 0\)$)|^IndexError: (?:list index out of range|pop from (?:an )?empty (?:list|deque))/;

const wantsMore = (answer: Answer): boolean =>
  answer.outcome === "error" && ENDED.test(`${answer.errorType}: ${answer.message.slice(0, 200)}`);

/** Tolerance of floats, as in expanded tests (EvalPlus). */
const TOLERANCE = 1e-6;

/** Compares answers like the executor: Python's `==`, with floats within 1e-6; printed text like a test of standard output. */
export function sameAnswer(a: Answer, b: Answered, isPrinted: boolean): boolean {
  if (a.outcome !== "ok") return false;
  if (a.text === b.text) return true;
  if (isPrinted && a.value.t === "str" && b.value.t === "str") return sameOutput(a.value.v, b.value.v);
  return equalValues(a.value, b.value, TOLERANCE);
}

/**
 * The missing module that keeps a program from running here; null if there is none. Two conditions: the program raises
 * `ModuleNotFoundError` on its first input, and its text imports a module that is not installed. The exception alone is not enough:
 * with it a program could choose how it is judged.
 */
export async function missingModule(
  code: string,
  [first]: readonly Answer[],
  executor: Executor,
): Promise<string | null> {
  if (first?.outcome !== "error" || first.errorType !== "ModuleNotFoundError") return null;
  const [parse, modules] = await Promise.all([loadParser(), executor.modules()]);
  return missingModules(staticFaults(parse(code)), new Set(modules))[0] ?? null;
}
