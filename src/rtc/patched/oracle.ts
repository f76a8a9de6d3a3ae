/**
 * Oracles of Patched RTC (Sharma 2024, "Evaluation"): a command that judges the response, such as a static analyser or a test
 * run. Exit status 0 is a pass. If code was changed, the code before is judged too. If that passes already, there is nothing to
 * fix, and the response is left out. So the rate is the paper's Fix % with one finding per test.
 * An oracle that counts its findings (findings.ts) gives the paper's own Fix %: (findings before - findings after) / findings
 * before, pooled over all responses. The rates of responses that pass and that fail the round trip show whether the round trip
 * tells good from bad.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { sha256 } from "../../util/files.ts";
import { readJsonLines } from "../../util/jsonl.ts";
import { startProgress } from "../../util/progress.ts";
import { openKnown } from "../llm/journal.ts";
import { limiter } from "../llm/llm.ts";
import { type Estimate, estimateOf, rtcByProblem } from "../trip/arithmetic.ts";
import type { SampleRow } from "../trip/rows.ts";
import { type CommandResult, parseCommand, runCommand } from "./command.ts";
import { countFindings, type OracleKind } from "./findings.ts";
import type { Query } from "./queries.ts";

export interface OracleOptions {
  /**
   * A program and its arguments, without a shell. `{code}`: file with the response (for the shape `out`, the code after).
   * `{before}` and `{query}`: files with the code before and the query.
   */
  readonly command: string;
  /** Time limit of one run. A run that exceeds it does not pass. @default 60_000 */
  readonly timeoutMs?: number;
  /** How to read its result: pass or fail, or a count. @default "pass" */
  readonly kind?: OracleKind;
}

export const oracleDefaults = { timeoutMs: 60_000 } as const;

/** The oracle's result on one response. */
export interface OracleResult {
  readonly task_id: string;
  /** The repeated run that it belongs to. */
  readonly repeat: number;
  readonly passed: boolean;
  /** Whether the code before the patch passes. Null if the response is not changed code. */
  readonly before: boolean | null;
  readonly timed_out: boolean;
  /** If the oracle counts: findings in the response and in the code before. Null if unknown. */
  readonly findings?: { readonly after: number | null; readonly before: number | null };
}

export interface OracleSplit {
  readonly sim: string;
  readonly threshold: number;
  /** The oracle's rate of responses that pass the round trip, of those that fail it, and the difference (passed - failed). */
  readonly passed: Estimate | null;
  readonly failed: Estimate | null;
  readonly difference: Estimate | null;
}

export interface OracleSummary {
  readonly command: string;
  readonly judged: number;
  /** Responses whose code before passed already. They are left out of the rates unless the oracle counts. */
  readonly nothing_to_mend: number;
  readonly timeouts: number;
  /**
   * Share of responses that the oracle passes. If it counts and code was changed: the share of findings that are fixed. This is
   * below 0 if there are more findings than before.
   */
  readonly rate: Estimate | null;
  /**
   * If it counts: the total findings of the responses whose counts are known, and the number of other responses. `before` is null
   * if no code was changed.
   */
  readonly findings: { readonly before: number | null; readonly after: number; readonly unknown: number } | null;
  readonly splits: readonly OracleSplit[];
}

/**
 * The oracle's result on the response of every query that made the round trip. Each run is written to `oracle.jsonl` immediately,
 * and the same command is not run again on the same files.
 * @param mends whether the response is the code that `before` was changed to
 */
export async function runOracle(
  samples: readonly SampleRow[],
  queries: readonly Query[],
  { command, timeoutMs = oracleDefaults.timeoutMs, kind = "pass" }: OracleOptions,
  { out, mends, quiet }: { readonly out: string; readonly mends: boolean; readonly quiet: boolean },
): Promise<OracleResult[]> {
  const words = parseCommand(command, ["code", "before", "query"]);
  if (!command.includes("{code}")) {
    throw new CodescoreError(
      "usage",
      `the oracle command must contain {code}, the file with the response; got: ${command}`,
    );
  }
  const { journal, known } = await openKnown(join(out, "oracle.jsonl"), readRuns);
  const running = new Map<string, Promise<Run>>();
  const names = new Map(queries.map(({ id, file }) => [id, file ?? "code.txt"]));
  const responses = [...new Map(samples.map((row) => [responseOf(row), row])).values()];
  const progress = startProgress({ label: "oracle", total: responses.length, unit: "responses", quiet });

  /** An analyser may fail on a response that is not a program. Such a response is not counted. */
  let uncounted: CodescoreError | null = null;
  const counted = (how: Exclude<OracleKind, "pass">, result: CommandResult): number | null => {
    try {
      return countFindings(how, result);
    } catch (error) {
      if (!(error instanceof CodescoreError)) throw error;
      uncounted ??= error;
      return null;
    }
  };

  const judge = ({ task_id, shown }: SampleRow, code: string): Promise<Run> => {
    const name = names.get(task_id)!;
    const all = {
      code: { name, text: `${code.trimEnd()}\n` },
      before: { name, text: shown?.before ?? "" },
      query: { name: "query.txt", text: shown?.query ?? "" },
    };
    // Only the files that the command reads, so that equal code of several queries is judged once.
    const files = Object.fromEntries(Object.entries(all).filter(([place]) => command.includes(`{${place}}`)));
    const key = sha256(JSON.stringify([command, timeoutMs, files, ...(kind === "pass" ? [] : [kind])]));
    const done = known.get(key);
    if (done) return Promise.resolve(done);
    const fresh = async (): Promise<Run> => {
      const result = await runCommand(words, files, timeoutMs);
      const { status, timedOut, output } = result;
      const findings = kind === "pass" || timedOut ? null : counted(kind, result);
      const passed = kind === "pass" ? status === 0 : findings === 0;
      const run = { passed, timed_out: timedOut, ...(kind !== "pass" && { findings }) };
      const isCounted = kind === "pass" || timedOut || findings !== null; // otherwise the next run tries again
      if (isCounted) await journal.append([{ oracle_sha256: key, task_id, ...run, status, output }]);
      return run;
    };
    const run = running.get(key) ?? fresh();
    running.set(key, run);
    return run;
  };

  const limit = limiter(availableParallelism());
  try {
    const results = await Promise.all(
      responses.map((row) =>
        limit(async () => {
          const before = row.shown?.before;
          const after = await judge(row, row.reference);
          const earlier = before === undefined || !mends ? null : await judge(row, before);
          progress.tick();
          const timed_out = after.timed_out || earlier?.timed_out === true;
          const { task_id, repeat } = row;
          const findings = { after: after.findings ?? null, before: earlier?.findings ?? null };
          return {
            ...{ task_id, repeat, passed: after.passed, before: earlier?.passed ?? null, timed_out },
            ...(kind !== "pass" && { findings }),
          };
        }),
      ),
    );
    if (uncounted !== null && results.every(({ findings }) => findings?.after === null)) throw uncounted;
    return results;
  } finally {
    progress.done();
    await journal.close();
  }
}

/** Identifies a response: each repeated run has its own response to a query. */
const responseOf = ({ task_id, repeat }: Pick<OracleResult, "task_id" | "repeat">): string =>
  JSON.stringify([task_id, repeat]);

/** The oracle's result on a response as a fraction. The rate of several responses is the sum of `good` over the sum of `of`. */
interface Rated {
  readonly task: string;
  readonly response: string;
  readonly good: number;
  readonly of: number;
}

/** Null if the response is in no rate: it was not counted, or it had nothing to fix and the oracle does not count. */
function ratedOf(result: OracleResult): Rated | null {
  const { findings, before, passed, task_id: task } = result;
  const response = responseOf(result);
  if (findings === undefined) return before === true ? null : { task, response, good: Number(passed), of: 1 };
  if (findings.after === null) return null;
  if (before === null) return { task, response, good: Number(passed), of: 1 };
  return findings.before === null
    ? null
    : { task, response, good: findings.before - findings.after, of: findings.before };
}

/** NaN or infinite if there was nothing to fix. */
const rate = (rows: readonly Rated[]): number => {
  const sum = (of: (row: Rated) => number): number => rows.reduce((total, row) => total + of(row), 0);
  return sum(({ good }) => good) / sum((row) => row.of);
};

/** Null if the rate of all rows is undefined. */
function rateOf(rows: readonly Rated[], statistic: (rows: readonly Rated[]) => number, seed: number): Estimate | null {
  return Number.isFinite(statistic(rows)) ? estimateOf(rows, statistic, seed) : null;
}

/** The oracle's rate over all responses, and over those that pass and those that fail the round trip by each similarity. */
export function splitByOracle(
  results: readonly OracleResult[],
  samples: readonly SampleRow[],
  thresholds: Readonly<Record<string, number>>,
  { oracle, seed }: { readonly oracle: OracleOptions; readonly seed: number },
): OracleSummary {
  const rated = results.flatMap((result) => ratedOf(result) ?? []);
  const sims = Object.keys(samples[0]?.sims ?? {});
  return {
    command: oracle.command,
    judged: results.length,
    nothing_to_mend: results.filter(({ before }) => before === true).length,
    timeouts: results.filter(({ timed_out }) => timed_out).length,
    rate: rateOf(rated, rate, seed),
    findings: findingsOf(results),
    splits: sims.map((sim) => {
      const threshold = thresholds[sim]!;
      const scores = rtcByProblem(
        samples.map((row) => ({ task: responseOf(row), forward: row.forward, value: row.sims[sim] ?? null })),
      );
      const passes = ({ response }: Rated): boolean => scores.get(response)! >= threshold;
      const scored = rated.filter(({ response }) => scores.has(response));
      const passed = scored.filter(passes);
      const failed = scored.filter((row) => !passes(row));
      const both = passed.length > 0 && failed.length > 0;
      const difference = (rows: readonly Rated[]): number =>
        rate(rows.filter(passes)) - rate(rows.filter((row) => !passes(row)));
      return {
        sim,
        threshold,
        passed: rateOf(passed, rate, seed),
        failed: rateOf(failed, rate, seed),
        difference: both ? rateOf(scored, difference, seed) : null,
      };
    }),
  };
}

/** Null if the oracle does not count. */
function findingsOf(results: readonly OracleResult[]): OracleSummary["findings"] {
  const counted = results.flatMap(({ findings, before }) =>
    findings ? [{ ...findings, mends: before !== null }] : [],
  );
  if (counted.length === 0) return null;
  const known = counted.filter(({ after, before, mends }) => after !== null && (!mends || before !== null));
  return {
    before: known.some(({ mends }) => mends) ? known.reduce((sum, { before }) => sum + (before ?? 0), 0) : null,
    after: known.reduce((sum, { after }) => sum + after!, 0),
    unknown: counted.length - known.length,
  };
}

interface Run extends Pick<OracleResult, "passed" | "timed_out"> {
  readonly findings?: number | null;
}

async function readRuns(path: string): Promise<Map<string, Run>> {
  const runs = new Map<string, Run>();
  for await (const { value, where } of readJsonLines(path)) {
    const { oracle_sha256: key, passed, timed_out, findings } = value;
    if (typeof key !== "string" || typeof passed !== "boolean" || typeof timed_out !== "boolean") {
      throw new CodescoreError("input", `${where}: expected a run of an oracle; delete the file to run it again`);
    }
    runs.set(key, { passed, timed_out, ...(findings !== undefined && { findings: findings as number | null }) });
  }
  return runs;
}
