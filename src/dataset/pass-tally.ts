/** How many of each model's programs pass, task by task: what pass@k is computed from. Programs of our own making are no model's. */
import type { LabelledRow } from "../types.ts";
import { kindOf } from "./kinds.ts";

/** Labelled programs of one task. */
export interface TaskPasses {
  readonly task: string;
  readonly programs: number;
  /** Those that pass every test. */
  readonly passed: number;
  /** Those that pass every test that the problem first came with; null where that is not known of all. */
  readonly passedBase: number | null;
  /** Those that miss a package and so count as failing. */
  readonly missing: number;
}

/** Of one model at one temperature. */
export interface ModelPasses {
  readonly model: string;
  /** Null where samples do not say. */
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

/** Counts rows as they pass; keeps five values a task and model. */
export class PassTally {
  readonly #models = new Map<string, Model>();

  /** Rows labelled before these columns were there, or made elsewhere, lack them. */
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

  /** By name, then temperature. */
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
