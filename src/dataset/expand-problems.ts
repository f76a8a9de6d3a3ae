/**
 * Expands problem files into codescore's format: one problem per line in input order, and a report of each problem's expansion
 * beside it. A killed run resumes from its journal.
 */
import { settingsOf } from "../execute/settings.ts";
import type { Executor } from "../execute/types.ts";
import { countingLeftOut, type LeftOut, printProblem, readProblems } from "../problems/index.ts";
import type { Problem } from "../types.ts";
import { writeAtomic } from "../util/files.ts";
import { mapInOrder } from "../util/ordered.ts";
import { startProgress } from "../util/progress.ts";
import type { Defects } from "./defects.ts";
import { type ExpandOptions, type ExpansionReport, expandDefaults } from "./expand.ts";
import { INPUTS_FROM, reportPath } from "./expand-report.ts";
import { Journal } from "./journal.ts";
import type { InputsFrom } from "./made-up.ts";
import { manifestPath, writeCard } from "./manifest.ts";
import { isInShard, type Shard } from "./placed.ts";
import { Positions } from "./positions.ts";
import { Preparation } from "./prepare.ts";
import { outputFile, writeLines, writeWhole } from "./whole.ts";

export interface ExpandProblemsOptions extends ExpandOptions {
  /** Problem files and folders. */
  readonly problems: readonly string[];
  /** The JSON-lines file to write. */
  readonly out: string;
  readonly executor: Executor;
  /** Expand only this part of the problems. @default null */
  readonly shard?: Shard | null;
  /** Shows a progress bar on stderr. @default false */
  readonly progress?: boolean;
}

export interface ExpandProblemsResult {
  readonly out: string;
  readonly manifest: string;
  /** `OUT.report.json`: one `ExpansionReport` per problem, by its id. */
  readonly report: string;
  readonly problems: number;
  readonly testsAdded: number;
  /** Given tests that cannot be made runnable. */
  readonly testsLeftOut: LeftOut;
  /** Problems with fewer tests than requested. */
  readonly short: readonly string[];
  /** What expanding showed, by problem id. */
  readonly reports: ReadonlyMap<string, ExpansionReport>;
  readonly defects: Defects;
  /** Number of problems by the origin of their first inputs. `none`: no input was found. */
  readonly inputsFrom: Readonly<Partial<Record<InputsFrom | "none", number>>>;
  /** Totals over a language model's answers for all problems; null without a model. */
  readonly llm: LlmTotal | null;
}

export interface LlmTotal {
  readonly proposed: number;
  readonly junk: number;
  readonly kept: number;
  /** Problems that got a contract. */
  readonly contracts: number;
  /** Written asserts that given inputs break, or that are no Python. */
  readonly contractRefused: number;
}

const window = 32;

/** Throws `CodescoreError("input")` for files that cannot be used. */
export async function expandProblems(options: ExpandProblemsOptions): Promise<ExpandProblemsResult> {
  const { out, executor, shard = null, progress = false } = options;
  const { count, seed, llm, again } = { ...expandDefaults, ...options };
  await outputFile(out);
  const { leaveOut, counts: testsLeftOut } = countingLeftOut();
  const all = await readProblems(options.problems, { leaveOut });
  const positions = new Positions();
  const problems = new Map(
    [...all].filter(([id], position) => {
      if (!isInShard(id, shard)) return false;
      positions.add(position);
      return true;
    }),
  );
  const journal = await Journal.open(`${out}.journal.jsonl`);
  const preparation = new Preparation({ executor, expand: count, seed, journal, llm, again });
  const bar = startProgress({ label: "expand", total: problems.size, unit: "problems", quiet: !progress });
  async function* lines(): AsyncGenerator<string> {
    const work = async (problem: Problem) => (await preparation.of(problem)).problem;
    for await (const problem of mapInOrder(problems.values(), window, work)) {
      bar.tick();
      yield printProblem(problem);
    }
  }
  try {
    await writeWhole(out, (part) => writeLines(part, lines()));
  } finally {
    bar.done();
    await journal.close();
  }
  const { testsAdded, defects, short, reports } = preparation;
  const inOrder = [...problems.keys()].flatMap((id) => (reports.has(id) ? [[id, reports.get(id)]] : []));
  const report = reportPath(out);
  await writeAtomic(report, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`);
  const inputsFrom = countFrom([...reports.values()]);
  const seeds = llm && llmTotal([...reports.values()]);
  await writeCard(out, options.problems, {
    executor: settingsOf(executor),
    expand: count,
    seed,
    llm: llm && { model: llm.name, ...seeds },
    ...(shard && { shard: { step: "expand", ...shard, rows: all.size, positions: positions.text } }),
    counts: { problems: problems.size, tests_added: testsAdded, short: short.length, inputs_from: inputsFrom },
    defects,
  });
  await journal.remove();
  const paths = { out, manifest: manifestPath(out), report };
  return {
    ...paths,
    problems: problems.size,
    testsAdded,
    testsLeftOut,
    short,
    reports,
    defects,
    inputsFrom,
    llm: seeds,
  };
}

function countFrom(reports: readonly ExpansionReport[]): ExpandProblemsResult["inputsFrom"] {
  const counts: Partial<Record<InputsFrom | "none", number>> = {};
  for (const name of INPUTS_FROM) {
    const count = reports.filter(({ inputsFrom }) => (inputsFrom ?? "none") === name).length;
    if (count > 0) counts[name] = count;
  }
  return counts;
}

function llmTotal(reports: readonly ExpansionReport[]): LlmTotal {
  const total = { proposed: 0, junk: 0, kept: 0, contracts: 0, contractRefused: 0 };
  for (const { llm } of reports) {
    for (const name of ["proposed", "junk", "kept", "contractRefused"] as const) total[name] += llm?.[name] ?? 0;
    if (llm?.contract) total.contracts += 1;
  }
  return total;
}
