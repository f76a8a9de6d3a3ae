/** Expansion as a shard's worker (docs/clusters.md): takes problems in batches, returns one expanded problem per problem, in order. */
import { CodescoreError, messageOf } from "../errors.ts";
import { settingsOf } from "../execute/settings.ts";
import type { Executor } from "../execute/types.ts";
import { printProblem, problemOfRow, rowOfText } from "../problems/index.ts";
import { packageVersion } from "../util/files.ts";
import { mapInOrder } from "../util/ordered.ts";
import { type InRow, lineOf, type OutKind, type OutRow, type WorkedBatch } from "../util/row-stream.ts";
import type { ExpansionReport } from "./expand.ts";
import { Recent } from "./journal.ts";
import { Preparation } from "./prepare.ts";

const WINDOW = 32;

export interface ExpandWorkerOptions {
  readonly executor: Executor;
  /** See `ExpandOptions.again`. */
  readonly again: Executor;
  readonly count: number;
  readonly seed: number;
}

/** `problem` and `report` are JSON text, so that columns cannot change the tests. */
export const expandColumns: Readonly<Record<string, OutKind>> = {
  task_id: "text",
  problem: "text",
  given: "integer",
  added: "integer",
  report: "text",
  error_code: "text",
  error: "text",
};

export class ExpandWorker {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly #options: ExpandWorkerOptions;

  private constructor(settings: ExpandWorker["settings"], options: ExpandWorkerOptions) {
    this.settings = settings;
    this.#options = options;
  }

  static async open(options: ExpandWorkerOptions): Promise<ExpandWorker> {
    const { executor, count: expand, seed } = options;
    const settings = { codescore: await packageVersion(), executor: settingsOf(executor), expand, seed };
    return new ExpandWorker(settings, options);
  }

  batch(rows: AsyncIterable<InRow>): WorkedBatch {
    const { count: expand, ...rest } = this.#options;
    const preparation = new Preparation({ ...rest, expand, journal: new Recent() }); // a journal per batch: problems of two batches may share an id
    let problems = 0;
    const work = async (row: InRow): Promise<OutRow> => {
      try {
        const problem = await problemOfRow(rowOfText(textOf(row), row.where), () => {});
        const expanded = (await preparation.of(problem)).problem;
        problems += 1;
        return expandedOut(problem.id, printProblem(expanded), preparation.reports.get(problem.id));
      } catch (error) {
        const code = error instanceof CodescoreError ? error.code : "infra";
        const message = messageOf(error);
        return { cells: { error_code: code, error: message }, line: JSON.stringify({ error: { code, message } }) };
      }
    };
    const card = () => {
      const { testsAdded, short, defects } = preparation;
      return { counts: { problems, tests_added: testsAdded, short: short.length }, defects };
    };
    return { rows: mapInOrder(rows, WINDOW, work), card };
  }
}

/** The problem as JSON text: the line itself, or the column `problem` of a row with columns. */
function textOf(row: InRow): string {
  if ("text" in row) return row.text;
  const line = lineOf(row);
  const text = line instanceof CodescoreError ? line : line.value.problem;
  if (typeof text === "string") return text;
  throw new CodescoreError("input", `${row.where}: expected the column \`problem\` to hold a problem as JSON`);
}

function expandedOut(task_id: string, problem: string, report: ExpansionReport | undefined): OutRow {
  const { given = null, added = null } = report ?? {};
  return { cells: { task_id, problem, given, added, report: report ? JSON.stringify(report) : null }, line: problem };
}
