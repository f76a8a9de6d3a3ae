/** What record.py told of a project's tests: which lines ran, and calls of functions as they were made. */
import type { ProjectLimits, ProjectTests } from "../../execute/index.ts";
import { lineOf, type PlacedFunction } from "./functions.ts";
import type { SourceFile, Span } from "./span.ts";

/** What is recorded of is an open project. */
export type RecordedProject = Pick<ProjectTests, "record">;

/** Lines that the tests run, by file; null where they do not pass while they are watched. */
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

/** A call as it was made. */
export interface RecordedCall {
  readonly file: string;
  readonly function: PlacedFunction;
  readonly module: string;
  /** Pickled, in base64. */
  readonly arguments: string;
  /** Lines of the function that ran, one name for the same ones. */
  readonly way: string;
  readonly lines: readonly number[];
  /** Null where it goes on after the call: an iterator came back. */
  readonly outcome: RecordedOutcome | null;
}

/** Canonical text (canon.py); null where it would be too long. */
export interface RecordedOutcome {
  readonly value?: string | null;
  /** The class of the exception. */
  readonly raised?: string;
  /** Arguments after the call. */
  readonly after: readonly (string | null)[];
}

export interface RecordedCalls {
  readonly calls: readonly RecordedCall[];
  readonly path: readonly string[];
  readonly modules: readonly string[];
  /** Of the tests while they were watched. */
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

/** Runs the tests once, and keeps what calls they make of functions; null where they do not pass while they are watched. */
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
  // The process that made most of the calls is the one whose paths hold.
  const [main] = [...recorded].sort((a, b) => b.calls.length - a.calls.length) as [Found];
  return { calls, path: main.path, modules: main.modules, cpuS: run.cpuS };
}
