/** Counts, per model and task, how many programs pass. pass@k is computed from these counts. Only programs that models wrote count. */
import type { LabelledRow } from "../types.ts";
import { kindOf } from "./kinds.ts";

/** Labelled programs of one task. */
export interface TaskPasses {
  readonly task: string;
  readonly programs: number;
  /** Programs that pass every test. */
  readonly passed: number;
  /** Programs that pass every test that the problem first came with; null if this is unknown for one of them. */
  readonly passedBase: number | null;
  /** Programs that lack a package and so count as failing. */
  readonly missing: number;
}

/** The programs of one model at one temperature. */
export interface ModelPasses {
  readonly model: string;
  /** Null if the samples do not say. */
  readonly temperature: number | null;
  /** In order of first appearance. */
  readonly tasks: readonly TaskPasses[];
}

interface Model {
  readonly model: string;
  readonly temperature: number | null;
  readonly tasks: Map<string, TaskPasses>;
}

const NONE = { programs: 0, passed: 0, passedBase: 0, missing: 0 } as const;

/** Counts rows as they stream past. Keeps five values per task and model. */
export class PassTally {
  readonly #models = new Map<string, Model>();

  /** Columns may be absent in rows that are older than these columns or that another tool made. */
  add({ task_id, made_by, temperature = null, pass_ratio, passes_base = null, status }: LabelledRow): void {
    if (pass_ratio === null || kindOf(made_by) !== "llm") return;
    const key = JSON.stringify([made_by, temperature]);
    const { tasks } = this.#models.get(key) ?? this.#begin(key, made_by, temperature);
    const { programs, passed, passedBase, missing } = tasks.get(task_id) ?? NONE;
    tasks.set(task_id, {
      task: task_id,
      programs: programs + 1,
      passed: passed + Number(pass_ratio === 1),
      passedBase: passedBase === null || passes_base === null ? null : passedBase + passes_base,
      missing: missing + Number(status === "missing"),
    });
  }

  /** Sorted by name, then temperature. */
  get models(): ModelPasses[] {
    const models = [...this.#models.values()].map(({ tasks, ...rest }) => ({ ...rest, tasks: [...tasks.values()] }));
    return models.sort((a, b) =>
      a.model === b.model ? (a.temperature ?? -1) - (b.temperature ?? -1) : a.model < b.model ? -1 : 1,
    );
  }

  #begin(key: string, model: string, temperature: number | null): Model {
    const begun = { model, temperature, tasks: new Map<string, TaskPasses>() };
    this.#models.set(key, begun);
    return begun;
  }
}
