/** Problems as they are executed: expanded where that was asked for, once each, the result kept in the journal. */
import type { Executor } from "../execute/types.ts";
import { printProblem } from "../problems/index.ts";
import type { Problem, TestCase } from "../types.ts";
import { packageVersion, sha256 } from "../util/files.ts";
import { type Expansion, expandTests } from "./expand.ts";
import type { Journal } from "./journal.ts";

export interface Prepared {
  readonly problem: Problem;
  /** Of everything the problem says, its tests included. */
  readonly hash: string;
}

export interface PreparationOptions {
  readonly executor: Executor;
  /** Tests a problem is expanded to; null: its tests as they are. */
  readonly expand: number | null;
  readonly seed: number;
  readonly journal: Journal;
}

/** The part of an expansion that is worth keeping. */
interface Kept {
  readonly tests: readonly TestCase[];
  readonly given: number;
  readonly added: number;
  readonly disagreed: boolean;
}

export class Preparation {
  readonly #options: PreparationOptions;
  readonly #prepared = new Map<string, Promise<Prepared>>();
  readonly #disagreeing = new Set<string>();
  readonly #short = new Set<string>();
  testsAdded = 0;

  constructor(options: PreparationOptions) {
    this.#options = options;
  }

  /** Problems whose references disagree on some proposed input, in order of their names. */
  get disagreeing(): readonly string[] {
    return [...this.#disagreeing].sort();
  }

  /** Problems that have fewer tests than were asked for, in order of their names. */
  get short(): readonly string[] {
    return [...this.#short].sort();
  }

  /** The problem to execute; the same object for every call with the same problem. */
  of(problem: Problem): Promise<Prepared> {
    const known = this.#prepared.get(problem.id) ?? this.#prepare(problem);
    this.#prepared.set(problem.id, known);
    return known;
  }

  async #prepare(problem: Problem): Promise<Prepared> {
    const { expand } = this.#options;
    const ready = expand === null ? problem : await this.#expanded(problem, expand);
    return { problem: ready, hash: sha256(printProblem(ready)) };
  }

  async #expanded(problem: Problem, count: number): Promise<Problem> {
    const { executor, seed, journal } = this.#options;
    const { sandbox, python, limits } = executor;
    const key = sha256(
      JSON.stringify(["expand", await packageVersion(), sandbox, python, limits, count, seed, printProblem(problem)]),
    );
    const known = journal.get(key) as Kept | undefined;
    const kept = known ?? keptOf(await expandTests(problem, executor, { count, seed }));
    if (known === undefined) journal.put(key, kept);
    this.testsAdded += kept.added;
    if (kept.given + kept.added < count) this.#short.add(problem.id);
    if (kept.disagreed) this.#disagreeing.add(problem.id);
    return { ...problem, tests: kept.tests };
  }
}

const keptOf = ({ problem, given, added, disagreements }: Expansion): Kept => ({
  tests: problem.tests,
  given,
  added,
  disagreed: disagreements.length > 0,
});
