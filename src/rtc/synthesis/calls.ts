/**
 * The similarity `calls` for a project's spans. The tests run once while their calls of the functions around the spans are
 * recorded. A candidate is then judged by replaying these calls: 1 if every call has the same outcome as before, otherwise 0. If
 * calls cannot judge it, the tests do.
 */

import { join } from "node:path";
import { openReplay, type ProjectReplay, type ProjectTests } from "../../execute/index.ts";
import { counted } from "../../util/counted.ts";
import { sha256 } from "../../util/files.ts";
import { type Journal, openJournal } from "../llm/journal.ts";
import type { SignedSimilarity } from "../trip/similarity.ts";
import { candidates, functionsOf, originals, type PlacedFunction } from "./functions.ts";
import type { ProjectSpans } from "./project.ts";
import { type ProjectPass, placeKey, type Tested, type Timed, type TimesItself } from "./project-pass.ts";
import { type RecordedCalls, recordCalls } from "./recorded.ts";
import { readOutcomes } from "./replays.ts";
import { firstDifference, type Prepared, prepare } from "./scene.ts";
import type { SourceFile, Span } from "./span.ts";

export interface ProjectCallsOptions {
  readonly project: Pick<ProjectTests, "record" | "snapshot" | "environment" | "sandbox" | "python">;
  readonly found: ProjectSpans;
  /** Judges if calls cannot. */
  readonly pass: ProjectPass;
  /** Folder of the run. `calls.jsonl` in it records what judged each candidate. */
  readonly out: string;
}

/** A row of calls.jsonl. */
export interface JudgedRow {
  readonly span: string;
  /** Hash of `candidate` in samples.jsonl. */
  readonly candidate_sha256: string;
  readonly by: "calls" | "tests";
  readonly value: number | null;
  readonly cpu_s: number;
  /** What differs, if calls judge it wrong. Why the tests judge, if they do. */
  readonly why: string | null;
}

export type ProjectCalls = SignedSimilarity & TimesItself & { close(): Promise<void> };

/** A row of calls.jsonl about preparation. No candidate's time includes the CPU seconds of recording the tests or preparing a span. */
export interface PreparedRow {
  readonly prepared: string;
  readonly calls: number;
  readonly cpu_s: number;
  readonly why: string | null;
}

/** Factor for the tests' limits while calls are recorded, because recording makes them slower. */
const WATCHED = 30;

/** Opens the similarity. The caller closes it. Nothing runs before the first candidate is compared. */
export function projectCalls({ project, found, pass, out }: ProjectCallsOptions): ProjectCalls {
  const spans = new Map(found.spans.map((span) => [span.id, span]));
  const reasons = new Map<string, number>();
  const times: Timed[] = [];
  let judge: Promise<Judge> | null = null;
  let judged = 0;
  return {
    name: "calls",
    signature: `calls|project:${found.fingerprint.slice(0, 12)}|sandbox:${project.sandbox}|python:${project.python}|v:1`,
    compare: async (pairs) => {
      judge ??= Judge.open({ project, found, out });
      const those = await judge;
      // Candidates are judged one after another, because a span's scene is open at a time. The tests of the others run beside.
      const waiting: Promise<{ verdict: Verdict; tested: Tested | null } | null>[] = [];
      for (const pair of pairs) {
        const { candidate, problemId = "" } = pair;
        const span = spans.get(problemId);
        const code = pass.placed.get(placeKey(problemId, candidate));
        if (!span || code === undefined) {
          waiting.push(Promise.resolve(null));
          continue;
        }
        const verdict = await those.judge(span, code);
        const needsTests = verdict.value === null;
        if (needsTests) reasons.set(verdict.why!, (reasons.get(verdict.why!) ?? 0) + 1);
        else judged += 1;
        const tested = needsTests ? pass.test(pair) : Promise.resolve(null);
        const done = tested.then((result) => ({ verdict, tested: result }));
        done.catch(() => {}); // it is awaited after the last candidate
        waiting.push(done);
      }
      const values: number[] = [];
      for (const [i, one] of (await Promise.all(waiting)).entries()) {
        if (one === null) {
          values.push(Number.NaN);
          continue;
        }
        const { verdict, tested } = one;
        const value = verdict.value ?? tested?.value ?? Number.NaN;
        const time = tested?.time ?? verdict.time;
        times.push(time);
        values.push(value);
        const { candidate, problemId = "" } = pairs[i]!;
        await those.write({
          span: problemId,
          candidate_sha256: sha256(candidate),
          by: verdict.value === null ? "tests" : "calls",
          value: Number.isNaN(value) ? null : value,
          cpu_s: time.cpu_s,
          why: verdict.why,
        });
      }
      return values;
    },
    takeTimes: () => times.splice(0),
    notes: () =>
      judge === null
        ? []
        : [
            `calls judged ${counted(judged, "candidate")}`,
            ...[...reasons].map(([why, count]) => `calls: ${counted(count, "candidate")} judged by the tests: ${why}`),
          ],
    close: async () => {
      await (await judge)?.close();
    },
  };
}

interface Verdict {
  /** Null if calls cannot judge. */
  readonly value: number | null;
  readonly time: Timed;
  readonly why: string | null;
}

class Judge {
  readonly #journal: Journal;
  readonly #recorded: RecordedCalls | null;
  readonly #replay: ProjectReplay | null;
  readonly #prepared = new Map<string, Prepared | string>();
  /** The span whose scene is open. */
  #open: string | null = null;

  constructor(journal: Journal, recorded: RecordedCalls | null, replay: ProjectReplay | null) {
    this.#journal = journal;
    this.#recorded = recorded;
    this.#replay = replay;
  }

  static async open({ project, found, out }: Omit<ProjectCallsOptions, "pass">): Promise<Judge> {
    const journal = await openJournal(join(out, "calls.jsonl"));
    try {
      const { wallS, cpuS } = found.limits;
      const functions = await allFunctions(found.spans);
      const recorded = await recordCalls(project, functions, { wallS: WATCHED * wallS, cpuS: WATCHED * cpuS });
      const replay = recorded === null ? null : await openReplay(project, recorded);
      await journal.append([
        {
          prepared: "the tests, watched",
          calls: recorded?.calls.length ?? 0,
          cpu_s: recorded?.cpuS ?? 0,
          why: recorded === null ? NOT_WATCHED : null,
        } satisfies PreparedRow,
      ]);
      return new Judge(journal, recorded, replay);
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  write(row: JudgedRow): Promise<void> {
    return this.#journal.append([row]);
  }

  async close(): Promise<void> {
    await this.#replay?.close();
    await this.#journal.close();
  }

  async judge(span: Span, code: string): Promise<Verdict> {
    const prepared = await this.#prepare(span);
    const [cpu, wall] = [process.cpuUsage(), performance.now()];
    let replayed = 0;
    const verdict = (value: number | null, why: string | null): Verdict => {
      const { user, system } = process.cpuUsage(cpu);
      const time = { cpu_s: replayed + (user + system) / 1e6, wall_s: (performance.now() - wall) / 1e3 };
      return { value, time, why };
    };
    if (typeof prepared === "string") return verdict(null, prepared);
    const { found, calls, shown, limits } = prepared;
    const texts = await candidates(span, found, code);
    if (typeof texts === "string") return verdict(null, texts);
    if (texts.some((text, i) => text !== null && !shown[i])) {
      return verdict(null, "calls do not cover one of its changed functions");
    }
    const own = originals(span, found);
    if (texts.every((text, i) => text === null || text === own[i])) return verdict(1, null);
    const functions = found.functions.map(({ path }, number) => ({
      number,
      path,
      text: texts[number] ?? own[number]!,
    }));
    const result = await this.#replay!.run({ functions, calls }, limits);
    replayed = result.cpuS;
    if (result.end === "unfit") return verdict(null, `its code changes more than function bodies: ${result.reason}`);
    if (result.end === "broken") return verdict(0, "it does not compile");
    const difference = firstDifference(readOutcomes(result, calls.length), prepared);
    return verdict(difference === null ? 1 : 0, difference);
  }

  /** Prepares a span once. Afterwards the span's scene is open, if it has one. */
  async #prepare(span: Span): Promise<Prepared | string> {
    const known = this.#prepared.get(span.id);
    if (known !== undefined) {
      if (typeof known !== "string" && this.#open !== span.id) {
        this.#open = null;
        const loaded = await this.#replay!.open(known.scene);
        if (typeof loaded === "string") return loaded;
        this.#open = span.id;
      }
      return known;
    }
    this.#open = null;
    const prepared = this.#recorded === null ? NOT_WATCHED : await prepare(span, this.#recorded.calls, this.#replay!);
    if (typeof prepared !== "string") this.#open = span.id;
    this.#prepared.set(span.id, prepared);
    const row: PreparedRow =
      typeof prepared === "string"
        ? { prepared: span.id, calls: 0, cpu_s: 0, why: prepared }
        : { prepared: span.id, calls: prepared.kept.filter(Boolean).length, cpu_s: prepared.cpuS, why: null };
    await this.#journal.append([row]);
    return prepared;
  }
}

const NOT_WATCHED = "the tests fail while their calls are recorded";

/** Every function around or inside a span, once. */
async function allFunctions(
  spans: readonly Span[],
): Promise<{ readonly file: SourceFile; readonly function: PlacedFunction }[]> {
  const found = new Map<string, { file: SourceFile; function: PlacedFunction }>();
  for (const span of spans) {
    const those = await functionsOf(span);
    if (typeof those === "string") continue;
    for (const one of those.functions) found.set(`${span.file.path}:${one.start}`, { file: span.file, function: one });
  }
  return [...found.values()];
}
