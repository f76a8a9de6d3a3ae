/**
 * The inputs that a task means, as far as its description, given inputs and reference show. Correct programs differ on others.
 * It excludes: negative numbers, zeros and empty values in places where no given input has one (unusual.ts), unless the reference tests
 * for them or a constraint bounds them; what breaks a constraint of the description; unequal lengths of arguments that a reference reads in
 * parallel, if they are equal in all given inputs.
 */
import { parameterNames } from "../expand/index.ts";
import { parseArguments } from "../languages/python/literals/index.ts";
import type { ProgramInput } from "../types.ts";
import { Constraints, parallelLengths, readConstraints, type Step } from "./constraints/index.ts";
import { argumentsIn, printArguments } from "./shown.ts";
import { handledIn, hasOnly, type IsUsual, madeUsual, type Trait, traitsOf } from "./unusual.ts";

/** Maximum characters of an input that is judged and changed. Making thousands of items different takes seconds. */
const LONGEST = 3000;

export interface DomainTask {
  readonly description: string;
  readonly references: readonly string[];
  readonly entryPoint: string;
}

export class Domain {
  readonly #names: readonly string[];
  readonly #constraints: Constraints;
  readonly #isUsual: IsUsual;

  /** `given`: inputs that the task certainly means. `sample`: an input that the reference accepts. */
  constructor(
    { description, references, entryPoint }: DomainTask,
    given: readonly ProgramInput[],
    sample: ProgramInput,
  ) {
    this.#names = parameterNames([...references, description], entryPoint);
    const known = given.map((input) => this.#ordered(input)).filter((input) => input !== null);
    const first = this.#ordered(sample) ?? { args: "" };
    const read = readConstraints(description, this.#names, first, known, references[0]);
    this.#constraints = new Constraints([...read.all, ...parallelLengths(references, this.#names, known)], read.sample);
    const handled = handledIn(references[0] ?? "", description);
    const seen = new Set(known.flatMap((input) => traitsOf(input).map(placeOf)));
    this.#isUsual = (trait, slot, path) =>
      handled.includes(trait) ||
      seen.has(placeOf({ trait, slot, path })) ||
      this.#constraints.allows(trait, slot, path);
  }

  /** Whether an input is one that the task means. Inputs that cannot be read, or are long, are. */
  has(input: ProgramInput): boolean {
    const own = this.#ordered(input, LONGEST);
    return own === null || this.#holds(own);
  }

  /** The input changed to one that the task means; null if that fails. */
  fitted(input: ProgramInput): ProgramInput | null {
    const own = this.#ordered(input, LONGEST);
    if (own === null) return input;
    const changed = this.#constraints.fitted(madeUsual(own, this.#isUsual));
    if (!("args" in input && "args" in changed && this.#holds(changed))) return null;
    const count = parseArguments(input.args).positional.length;
    const { positional } = parseArguments(changed.args);
    const keyword = positional.slice(count).map((value, i) => [this.#names[count + i]!, value] as const);
    return { args: printArguments({ positional: positional.slice(0, count), keyword }) };
  }

  #holds(input: ProgramInput): boolean {
    return this.#constraints.hold(input) && hasOnly(input, this.#isUsual);
  }

  /** The input with all arguments by position; null if it is long, has other values than literals, or names other arguments than the next ones. */
  #ordered(input: ProgramInput, longest = Number.POSITIVE_INFINITY): { readonly args: string } | null {
    const read = "args" in input && input.args.length <= longest ? argumentsIn(input.args) : null;
    if (read === null) return null;
    const { positional, keyword } = read;
    if (keyword.length === 0) return { args: printArguments(read) };
    const named = new Map(keyword);
    const more = this.#names
      .slice(positional.length, positional.length + keyword.length)
      .flatMap((name) => named.get(name) ?? []);
    return more.length < keyword.length
      ? null
      : { args: printArguments({ positional: [...positional, ...more], keyword: [] }) };
  }
}

/** Where a value stands: in which argument, and how deep. */
const placeOf = ({ trait, slot, path }: { trait: Trait; slot: number; path: readonly Step[] }): string =>
  `${trait} ${slot} ${path.length}`;
