/**
 * Problems none of whose programs passes every test. Either the programs are wrong or a test is, and the problem's references tell which. To
 * check the references of all problems would double the work of a set with one sample each, so these are checked alone, and not all of many.
 */
import type { LabelledRow, Problem } from "../types.ts";
import { mapInOrder } from "../util/ordered.ts";
import type { Labeller } from "./labeller.ts";
import type { Preparation } from "./prepare.ts";

/** Number of problems that are checked in any case, and the rows for each further one: a tenth more programs are executed at most. */
const ALWAYS = 20;
const ROWS_EACH = 10;
const WINDOW = 64;

/** Problems of which no program and no reference passes every test. */
export interface Doubtful {
  /** Their ids, sorted. */
  readonly ids: readonly string[];
  /** Number of problems whose references were checked. */
  readonly checked: number;
  /** Number of problems of which no program passes every test. */
  readonly suspects: number;
}

export class Suspects {
  /** Number of judged rows by problem, of which none passes; null if one does. */
  readonly #failed = new Map<string, number | null>();
  #rows = 0;

  add({ task_id, status, pass_ratio }: LabelledRow): void {
    this.#rows += 1;
    if (status !== "ok") return;
    const before = this.#failed.get(task_id);
    this.#failed.set(task_id, pass_ratio === 1 || before === null ? null : (before ?? 0) + 1);
  }

  /** Checks references. The problems with the most programs come first. @param known problems that are known to have a wrong reference */
  async check(
    problems: ReadonlyMap<string, Problem>,
    known: ReadonlySet<string>,
    preparation: Preparation,
    labeller: Labeller,
  ): Promise<Doubtful> {
    const suspects = [...this.#failed]
      .flatMap(([id, count]) => {
        const problem = problems.get(id);
        const isChecked = count !== null && problem !== undefined && problem.references.length > 0 && !known.has(id);
        return isChecked ? [{ problem, count }] : [];
      })
      .sort((a, b) => b.count - a.count);
    const chosen = suspects.slice(0, Math.max(ALWAYS, Math.floor(this.#rows / ROWS_EACH)));
    const ids: string[] = [];
    const fails = async ({ problem }: { readonly problem: Problem }): Promise<string | null> => {
      const prepared = await preparation.of(problem);
      for (const reference of problem.references) {
        const { status, pass_ratio } = await labeller.label(prepared, reference);
        if (status !== "ok" || pass_ratio === 1) return null;
      }
      return problem.id;
    };
    for await (const id of mapInOrder(chosen, WINDOW, fails)) if (id !== null) ids.push(id);
    return { ids: ids.sort(), checked: chosen.length, suspects: suspects.length };
  }
}
