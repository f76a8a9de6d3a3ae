/**
 * SynthesisRTC over a Python project with tests (Allamanis et al. 2024, section 4.2). Spans of consecutive statements are drawn
 * from its files. Spans that no test reaches are left out, if the lines that the tests run could be recorded. Spans whose
 * deletion changes no test result are dropped and counted. The others make the round trip one by one. The project's own tests run
 * in the sandbox on a copy with the span replaced, and decide whether a candidate passes.
 */
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { CodescoreError } from "../../errors.ts";
import type { ProjectLimits, ProjectRun, ProjectTests } from "../../execute/index.ts";
import { counted } from "../../util/counted.ts";
import { sha256 } from "../../util/files.ts";
import { readJsonLines } from "../../util/jsonl.ts";
import { startProgress } from "../../util/progress.ts";
import { openJournal } from "../llm/journal.ts";
import { limiter } from "../llm/llm.ts";
import { isReached, recordLines } from "./recorded.ts";
import { drawSpans, findSpans, type SourceFile, type Span, withoutSpan } from "./span.ts";

/** The parts of an open project that are needed here. */
export type TestedProject = Pick<ProjectTests, "run" | "snapshot" | "command" | "sandbox" | "python" | "workers"> &
  Partial<Pick<ProjectTests, "record">>;

export interface ProjectSpansOptions {
  readonly project: TestedProject;
  /** Folder of the run. `deletions.jsonl` in it keeps results, so that a killed run can continue. */
  readonly out: string;
  /** Number of spans. @default 100 */
  readonly spans?: number;
  /** Seed of the draw. @default 0 */
  readonly seed?: number;
  /** Whether to hide progress on stderr. @default false */
  readonly quiet?: boolean;
}

/** The spans of a project that make the round trip, and how they were found. */
export interface ProjectSpans {
  readonly spans: readonly Span[];
  readonly counts: {
    /** Python files read, and those left out because they hold tests or are not UTF-8. */
    readonly files: number;
    readonly test_files: number;
    readonly unreadable_files: number;
    /** All spans of the files. */
    readonly candidates: number;
    /** Spans with a line that the tests run. Null if this is unknown; then all spans can be drawn. */
    readonly reached: number | null;
    readonly drawn: number;
    /** Drawn spans whose deletion changes no test result. */
    readonly without_effect: number;
  };
  /** The maximum over the two runs of the unchanged project. */
  readonly baseline: { readonly cpu_s: number; readonly wall_s: number };
  readonly limits: ProjectLimits;
  /** Hash of the project's files, the test command, the sandbox and the Python. */
  readonly fingerprint: string;
}

/** Limits for the unchanged project. */
const baselineLimits: ProjectLimits = { wallS: 1800, cpuS: 1800 };

/**
 * Runs the unchanged tests twice, then without each drawn span, until enough spans have an effect.
 * @throws `CodescoreError("input")` with the names of the tests if the unchanged tests fail or disagree, or if no span can be
 * used
 */
export async function projectSpans(options: ProjectSpansOptions): Promise<ProjectSpans> {
  const { project, out, spans: wanted = 100, seed = 0, quiet = false } = options;
  const first = await project.run({}, baselineLimits);
  const second = await project.run({}, baselineLimits);
  checkBaseline(first, second);
  const baseline = {
    cpu_s: Math.max(first.cpuS, second.cpuS),
    wall_s: Math.max(first.wallS, second.wallS),
  };
  const limits = { wallS: Math.max(30, 10 * baseline.wall_s), cpuS: Math.max(5, 5 * baseline.cpu_s) };
  const { sources, tests, unreadable, hash } = await readProject(project.snapshot);
  const fingerprint = sha256(JSON.stringify([hash, project.command, project.sandbox, project.python]));
  const all = (await Promise.all(sources.map((file) => findSpans(file)))).flat();
  const record = project.record?.bind(project);
  const lines = record === undefined ? null : await recordLines({ record }, sources, baselineLimits);
  // Draw first, then leave out spans that no test reaches. This keeps the order of the others.
  const order = drawSpans(all, seed).filter((span) => lines === null || isReached(span, lines));

  const path = join(out, "deletions.jsonl");
  const journal = await openJournal(path);
  const progress = startProgress({ label: "deletions", total: Math.min(wanted, order.length), unit: "spans", quiet });
  const kept: Span[] = [];
  let drawn = 0;
  try {
    const known = await readDeletions(path);
    const limit = limiter(project.workers);
    const hasEffect = async (span: Span): Promise<boolean> => {
      const key = sha256(JSON.stringify([fingerprint, span.id]));
      const before = known.get(key);
      if (before !== undefined) return before !== "pass";
      const { outcome, cpuS } = await project.run({ [span.file.path]: withoutSpan(span) }, limits);
      await journal.append([{ deletion_sha256: key, span: span.id, outcome, cpu_s: cpuS }]);
      return outcome !== "pass";
    };
    while (kept.length < wanted && drawn < order.length) {
      // At most as many as are missing, so that the chosen spans do not depend on how many run in parallel.
      const batch = order.slice(drawn, drawn + wanted - kept.length);
      drawn += batch.length;
      const effects = await Promise.all(batch.map((span) => limit(() => hasEffect(span))));
      const those = batch.filter((_, i) => effects[i]);
      kept.push(...those);
      progress.tick(those.length);
    }
  } finally {
    progress.done();
    await journal.close();
  }
  if (kept.length === 0) {
    const why =
      drawn === 0
        ? `no span in ${counted(sources.length, "file")}`
        : `deleting any of ${counted(drawn, "span")} changes no test`;
    throw new CodescoreError("input", `no usable span in the project: ${why}`);
  }
  return {
    spans: kept,
    counts: {
      files: sources.length,
      test_files: tests,
      unreadable_files: unreadable,
      candidates: all.length,
      reached: lines === null ? null : order.length,
      drawn,
      without_effect: drawn - kept.length,
    },
    baseline,
    limits,
    fingerprint,
  };
}

function checkBaseline(first: ProjectRun, second: ProjectRun): void {
  const failed = [first, second].filter(({ outcome }) => outcome !== "pass");
  if (failed.length === 0) return;
  const [run] = failed as [ProjectRun];
  const names = failingTests(run.output);
  const which = names.length > 0 ? names.join(", ") : (run.output.trim().split("\n").at(-1) ?? "no output");
  const how =
    failed.length === 1
      ? "the tests are flaky: one of two runs of the unchanged project failed"
      : "the tests fail on the unchanged project";
  const fix = "exclude those tests in the test command, or select a Python with the packages they need (--python)";
  throw new CodescoreError("input", `${how} (${run.outcome}): ${which}; ${fix}`);
}

/** The names of failed tests, as pytest and unittest print them. At most five. */
export function failingTests(output: string): string[] {
  const names = [...output.matchAll(/^(?:(?:FAILED|ERROR) (\S+)|(?:FAIL|ERROR): (\S+(?: \(\S+\))?))/gm)];
  return [...new Set(names.map(([, pytest, unittest]) => (pytest ?? unittest)!))].slice(0, 5);
}

const testFolder = /(?:^|\/)tests?\//;
const testFile = /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?|conftest)\.py$/;

/** Whether a file holds tests or their helpers. */
export const isTestFile = (path: string): boolean => testFolder.test(path) || testFile.test(path);

async function readProject(
  folder: string,
): Promise<{ sources: SourceFile[]; tests: number; unreadable: number; hash: string }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
  const sources: SourceFile[] = [];
  const hashes: [string, string][] = [];
  let [tests, unreadable] = [0, 0];
  for (const path of paths) {
    const bytes = await readFile(join(folder, path));
    hashes.push([path, sha256(bytes)]);
    if (!path.endsWith(".py")) continue;
    if (isTestFile(path)) tests += 1;
    else {
      try {
        sources.push({ path, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) });
      } catch {
        unreadable += 1;
      }
    }
  }
  return { sources, tests, unreadable, hash: sha256(JSON.stringify(hashes)) };
}

async function readDeletions(path: string): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  for await (const { value, where } of readJsonLines(path)) {
    const { deletion_sha256: key, outcome } = value;
    if (typeof key !== "string" || typeof outcome !== "string") {
      throw new CodescoreError(
        "input",
        `${where}: expected \`deletion_sha256\` and \`outcome\`; delete the file to run the tests again`,
      );
    }
    known.set(key, outcome);
  }
  return known;
}
