/** What record.py recorded of a project's tests: the lines that ran, and calls of functions. */
import type { ProjectLimits, ProjectTests } from "../../execute/index.ts";
import { lineOf, type PlacedFunction } from "./functions.ts";
import type { SourceFile, Span } from "./span.ts";

/** The part of an open project that is needed to record. */
export type RecordedProject = Pick<ProjectTests, "record">;

/** The lines that the tests run, by file. Null if the tests do not pass while they are recorded. */
export async function recordLines(
  project: RecordedProject,
  files: readonly SourceFile[],
  limits: ProjectLimits,
): Promise<ReadonlyMap<string, ReadonlySet<number>> | null> {
  const run = await project.record({ mode: "lines", files: files.map(({ path }) => path) }, limits);
  if (run.outcome !== "pass" || run.recorded.length === 0) return null;
  const lines = new Map(files.map(({ path }) => [path, new Set<number>()]));
  for (const found of run.recorded as Readonly<Record<string, number[]>>[]) {
    for (const [path, those] of Object.entries(found)) for (const line of those) lines.get(path)?.add(line);
  }
  return lines;
}

/** Whether the tests run a line of the span. */
export function isReached({ file, start, end }: Span, lines: ReadonlyMap<string, ReadonlySet<number>>): boolean {
  const ran = lines.get(file.path);
  const first = file.text.slice(0, start).split("\n").length;
  const last = first + file.text.slice(start, end).split("\n").length - 1;
  for (let line = first; line <= last; line++) if (ran?.has(line)) return true;
  return false;
}

/** One recorded call. */
export interface RecordedCall {
  readonly file: string;
  readonly function: PlacedFunction;
  readonly module: string;
  /** Pickled, in base64. */
  readonly arguments: string;
  /** The lines of the function that ran, as text. Calls with the same lines share it. */
  readonly way: string;
  readonly lines: readonly number[];
  /** Null if the call returned an iterator, because that continues after the call. */
  readonly outcome: RecordedOutcome | null;
}

/** What a call did. Values are canonical texts (canon.py), or null if they would be too long. */
export interface RecordedOutcome {
  readonly value?: string | null;
  /** The class of the exception. */
  readonly raised?: string;
  /** The arguments after the call. */
  readonly after: readonly (string | null)[];
}

export interface RecordedCalls {
  readonly calls: readonly RecordedCall[];
  readonly path: readonly string[];
  readonly modules: readonly string[];
  /** CPU seconds of the tests while they were recorded. */
  readonly cpuS: number;
}

interface Found {
  readonly calls: readonly {
    readonly function: number;
    readonly module: string;
    readonly lines: readonly number[];
    readonly arguments: string;
    readonly outcome: RecordedOutcome | null;
  }[];
  readonly path: readonly string[];
  readonly modules: readonly string[];
}

/** Runs the tests once and records their calls of functions. Null if the tests do not pass while they are recorded. */
export async function recordCalls(
  project: RecordedProject,
  functions: readonly { readonly file: SourceFile; readonly function: PlacedFunction }[],
  limits: ProjectLimits,
): Promise<RecordedCalls | null> {
  const places = functions.map(({ file, function: one }) => ({
    file: file.path,
    line: lineOf(file.text, one),
    name: one.name,
  }));
  const run = await project.record({ mode: "calls", functions: places }, limits);
  if (run.outcome !== "pass" || run.recorded.length === 0) return null;
  const recorded = run.recorded as readonly Found[];
  const calls = recorded
    .flatMap((found) => found.calls)
    .map(({ function: number, lines, ...call }) => ({
      ...call,
      file: functions[number]!.file.path,
      function: functions[number]!.function,
      lines,
      way: lines.join(),
    }));
  // Use the paths of the process that made most of the calls.
  const [main] = [...recorded].sort((a, b) => b.calls.length - a.calls.length) as [Found];
  return { calls, path: main.path, modules: main.modules, cpuS: run.cpuS };
}
