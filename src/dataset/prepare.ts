/** Prepares problems for execution. Expands each problem once if requested, and keeps the result in the journal. */
import { settingsOf } from "../execute/settings.ts";
import type { Executor } from "../execute/types.ts";
import { printProblem } from "../problems/index.ts";
import type { Problem, TestCase } from "../types.ts";
import { packageVersion, sha256 } from "../util/files.ts";
import { type Defects, defectsOf } from "./defects.ts";
import { type Expansion, type ExpansionReport, expandTests } from "./expand.ts";
import type { Known } from "./journal.ts";
import type { SeedModel } from "./seed-model.ts";

export interface Prepared {
  readonly problem: Problem;
  /** Hash of everything the problem says, its tests included. */
  readonly hash: string;
}

export interface PreparationOptions {
  readonly executor: Executor;
  /** Number of tests each problem is expanded to; null: tests stay as they are. */
  readonly expand: number | null;
  readonly seed: number;
  readonly journal: Known;
  /** A language model that proposes inputs in addition to the other sources, and writes missing contracts. @default null */
  readonly llm?: SeedModel | null;
  /** An executor whose Python has another hash seed (see `ExpandOptions`). @default null */
  readonly again?: Executor | null;
}

interface Kept {
  readonly entryPoint: string | null;
  readonly tests: readonly TestCase[];
  readonly report: ExpansionReport;
}

export class Preparation {
  readonly #options: PreparationOptions;
  readonly #prepared = new Map<string, Promise<Prepared>>();
  readonly #short = new Set<string>();
  /** The expansion report of each problem, by id. */
  readonly reports = new Map<string, ExpansionReport>();
  testsAdded = 0;

  constructor(options: PreparationOptions) {
    this.#options = options;
  }

  /** The problems that expansion showed to be defective. */
  get defects(): Defects {
    return defectsOf([...this.reports].map(([id, { defects }]) => [id, defects]));
  }

  /** Ids of problems with fewer tests than requested, sorted. */
  get short(): readonly string[] {
    return [...this.#short].sort();
  }

  /** The problem to execute. Calls with the same problem id return the same object. */
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
    const { executor, seed, journal, llm = null, again = null } = this.#options;
    const settings = [settingsOf(executor), count, seed, llm?.name ?? null, ...(again ? [settingsOf(again)] : [])];
    const key = sha256(
      JSON.stringify([
        "expansion within the task, contracts",
        await packageVersion(),
        ...settings,
        printProblem(problem),
      ]),
    );
    const known = journal.get(key) as Kept | undefined;
    const kept = known ?? keptOf(await expandTests(problem, executor, { count, seed, llm, again }));
    if (known === undefined) journal.put(key, kept);
    const { given, added } = kept.report;
    this.testsAdded += added;
    if (given + added < count) this.#short.add(problem.id);
    this.reports.set(problem.id, kept.report);
    const contract = kept.report.llm?.contract ?? problem.contract;
    return { ...problem, entryPoint: kept.entryPoint, contract, tests: kept.tests };
  }
}

const keptOf = ({ problem, ...report }: Expansion): Kept => ({
  entryPoint: problem.entryPoint,
  tests: problem.tests,
  report,
});
