/** Labels programs by executing them. Each distinct program of a problem is executed once. */
import type { Executor } from "../execute/types.ts";
import type { Execution, LabelledRow, Problem, Verdict } from "../types.ts";
import { sha256 } from "../util/files.ts";
import type { Known } from "./journal.ts";
import { type Missing, missingModule, reasonOfMissing } from "./missing.ts";
import type { Prepared } from "./prepare.ts";

/** The part of an execution that a row keeps, and the names of tests for messages. */
export interface Label {
  readonly status: LabelledRow["status"];
  readonly pass_ratio: number | null;
  readonly executable: 0 | 1 | null;
  readonly n_tests: number;
  readonly n_passed: number;
  readonly n_opaque: number;
  /** The first of these tests; absent if there are none. */
  readonly opaque?: string;
  readonly passes_base: 0 | 1 | null;
  readonly first_error: string | null;
  readonly reason: string | null;
}

/** The tests of a problem that ran beside its programs: their number, and the id of the first. */
export interface OpaqueTests {
  readonly count: number;
  readonly first: string;
}

/** Whether two programs behaved the same, judged by their labels. A program that could not be judged counts as the same. */
export const alike = (a: Label, b: Label): boolean =>
  a.status === "infra" ||
  b.status === "infra" ||
  (a.n_passed === b.n_passed && a.executable === b.executable && a.first_error === b.first_error);

/** Executes each distinct program of a problem once, over all runs that share the journal. */
export class Labeller {
  readonly #executor: Executor;
  readonly #journal: Known;
  readonly #environment: string;
  readonly #running = new Map<string, Promise<Label>>();
  executed = 0;
  /** By problem id; only problems that have such tests. They are the same for all programs of a problem. */
  readonly opaque = new Map<string, OpaqueTests>();

  constructor(executor: Executor, journal: Known, environment: string) {
    this.#executor = executor;
    this.#journal = journal;
    this.#environment = environment;
  }

  async label(prepared: Prepared, program: string): Promise<Label> {
    const label = await this.#labelled(prepared, program);
    const { n_opaque: count, opaque: first } = label;
    if (first !== undefined && count > 0) this.opaque.set(prepared.problem.id, { count, first });
    return label;
  }

  async #labelled({ problem, hash }: Prepared, program: string): Promise<Label> {
    const key = sha256(JSON.stringify(["label", this.#environment, hash, program]));
    const known = this.#journal.get(key) as Label | undefined;
    if (known !== undefined) return known;
    const running = this.#running.get(key) ?? this.#execute(problem, program, key);
    this.#running.set(key, running);
    return running;
  }

  async #execute(problem: Problem, program: string, key: string): Promise<Label> {
    try {
      const execution = await this.#executor.execute(problem, program);
      const missing = await missingModule(problem, program, execution, this.#executor);
      const label = missing === null ? labelOf(problem, execution) : lacking(problem, missing, execution);
      this.executed += 1;
      // `infra` and `missing` labels are not stored, so they are tried again. The module may be installed by then.
      if (label.status === "ok" || label.status === "no_label") this.#journal.put(key, label);
      return label;
    } finally {
      this.#running.delete(key);
    }
  }
}

function labelOf(problem: Problem, execution: Execution): Label {
  const { status, passRatio, executable, verdicts, firstError, reason } = execution;
  const passed = verdicts.filter(({ outcome }) => outcome === "pass").length;
  const opaque = verdicts.filter((verdict) => verdict.opaque);
  return {
    status,
    pass_ratio: status === "ok" ? passRatio : null,
    executable: status === "ok" ? executable : null,
    n_tests: verdicts.length,
    n_passed: passed,
    n_opaque: opaque.length,
    ...(opaque.length > 0 && { opaque: opaque[0]!.testId }),
    passes_base: status === "ok" ? passesBase(problem, verdicts) : null,
    first_error: firstError,
    reason,
  };
}

/** Computes `LabelledRow.passes_base`. A test that was split has the verdicts `ID/0`, `ID/1` and so on. */
function passesBase({ tests }: Problem, verdicts: readonly Verdict[]): 0 | 1 | null {
  const base = new Set(tests.flatMap(({ id, origin, added }) => (origin === "given" && !added ? id : [])));
  if (base.size === 0 || base.size === tests.length) return null;
  const judged = verdicts.filter(
    ({ testId }) => base.has(testId) || base.has(testId.slice(0, testId.lastIndexOf("/"))),
  );
  if (judged.length === 0) return null;
  return judged.every(({ outcome }) => outcome === "pass") ? 1 : 0;
}

/**
 * The label of a program that lacks a module. If only the candidate needs the module, its tests count as failed, as under any labeller, and the
 * row says why. Otherwise a candidate could choose not to be judged. If the problem needs the module, there is no label.
 */
const lacking = (problem: Problem, { module, byProblem }: Missing, execution: Execution): Label => ({
  ...labelOf(problem, execution),
  status: "missing",
  ...(byProblem ? { pass_ratio: null, executable: null, n_tests: 0, n_passed: 0, n_opaque: 0, passes_base: null } : {}),
  first_error: "ModuleNotFoundError",
  reason: reasonOfMissing(module),
});
