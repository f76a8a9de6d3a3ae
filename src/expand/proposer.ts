/**
 * New test inputs for a problem, batch by batch: the results of one batch guide the next. The caller runs references to find out
 * whether an input is valid and what its answer is; nothing runs here.
 */
import type { Problem, ProgramInput } from "../types.ts";
import { Random } from "../util/random.ts";
import { parameterNames } from "./annotations.ts";
import { type Call, printCall, readCall } from "./call.ts";
import { inferPreconditions, type Precondition, type Values } from "./preconditions.ts";
import { CallProposer } from "./propose.ts";
import { StdinProposer } from "./stdin.ts";

/** Maximum number of remembered inputs, accepted and failed each. More teach nothing new. */
const mostRemembered = 400;

/**
 * Proposes inputs from the given ones, the annotations of prompt and references, and the constants of the references. All
 * inputs of a proposer are distinct, none equals a given one, and the same calls with the same seed give the same inputs.
 * Source: EvalPlus (Liu et al. 2023), type-aware mutation; CodeScore (Dong et al. 2023), section 3.1.1.
 */
export class Proposer {
  readonly #names: readonly string[];
  readonly #calls: CallProposer | null;
  readonly #texts: StdinProposer;
  readonly #accepted: Values[];
  readonly #rejected: Values[] = [];
  #preconditions: readonly Precondition[] = [];

  /** `given` are inputs known to be valid. */
  constructor(problem: Problem, given: readonly ProgramInput[], seed: number) {
    const { entryPoint } = problem;
    const rng = new Random(seed);
    const texts = given.flatMap((input) => ("stdin" in input ? [input.stdin] : []));
    const calls = given.flatMap((input) => ("args" in input ? [input.args] : []));
    this.#names = entryPoint === null ? [] : parameterNames([...problem.references, problem.prompt], entryPoint);
    this.#calls = entryPoint === null ? null : new CallProposer(problem, calls, rng);
    this.#texts = new StdinProposer(texts, rng);
    this.#accepted = calls.map((args) => this.#valuesOf(readCall(args)));
  }

  /**
   * `count` inputs; fewer only if the types have no more values, nothing is known about them, or (stdin) nothing is given.
   * Most of them satisfy the preconditions known so far.
   */
  next(count: number): ProgramInput[] {
    if (this.#calls === null) return this.#texts.next(count).map((stdin) => ({ stdin }));
    return this.#calls.next(count, (call) => this.#satisfies(call)).map((call) => ({ args: printCall(call) }));
  }

  /** Whether an input satisfies the preconditions known so far. */
  likes(input: ProgramInput): boolean {
    return "stdin" in input || this.#satisfies(readCall(input.args));
  }

  #satisfies(call: Call): boolean {
    const values = this.#valuesOf(call);
    return this.#preconditions.every(({ holds }) => holds(values));
  }

  /** Records which inputs the references answered and which they failed on. Learns nothing from stdin inputs. */
  learn({ accepted, rejected }: { accepted: readonly ProgramInput[]; rejected: readonly ProgramInput[] }): void {
    for (const [inputs, known] of [
      [accepted, this.#accepted],
      [rejected, this.#rejected],
    ] as const) {
      for (const input of inputs) {
        if ("args" in input && known.length < mostRemembered) known.push(this.#valuesOf(readCall(input.args)));
      }
    }
    this.#preconditions = inferPreconditions(this.#names, this.#accepted, this.#rejected);
  }

  /** The conditions inferred from the failures so far, those that explain the most first. */
  get preconditions(): readonly Precondition[] {
    return this.#preconditions;
  }

  #valuesOf(call: Call): Values {
    const positional = call.filter(({ name }) => name === null).map(({ value }) => value);
    const named = this.#names
      .slice(positional.length)
      .map((name) => call.find((slot) => slot.name === name)?.value ?? null);
    return [...positional, ...named];
  }
}
