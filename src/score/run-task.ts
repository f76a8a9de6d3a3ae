/** Scores the candidates of one task by running them, and by their texts if running shows too little. */
import { counterexamplesOf, evidenceOf, type Observation, TaskRun } from "../behaviour/index.ts";
import { CodescoreError } from "../errors.ts";
import type { Executor } from "../execute/types.ts";
import type { ProgramReader } from "../languages/index.ts";
import type { Behaviour, InputFormat, Score, ScoreInput } from "../types.ts";
import { isTelling, type Joined, type JoinedScore, type Shown } from "./joined.ts";
import { lacksModule, missingIn } from "./missing.ts";
import { EMPTY_NOTE, isEmpty, readPrograms, rowError, type ScoreResult } from "./rows.ts";
import { isSilent, withFaults } from "./silent.ts";

/** Input counts of the successive rounds if `until` asks for a maximum interval width. */
const ROUNDS = [0, 5, 10, 20, 40, 80, 160, 320];

/** A row that can be scored. Its programs are extracted from their Markdown fences. */
export interface Checked {
  readonly row: ScoreInput;
  readonly format: InputFormat;
  readonly notes: readonly string[];
  /** Whether the candidate was read. A candidate that was not read has no fence, and may be in another language. */
  readonly isRead: boolean;
}

export interface TaskScoring {
  readonly reference: string | null;
  readonly description: string | null;
  readonly entryPoint: string | null;
  readonly rows: readonly Checked[];
}

/** Scores programs by their texts. A `CodeScorer` is one. */
export interface TextScorer {
  scoreAll(rows: readonly ScoreInput[], options: { readonly format: InputFormat }): Promise<ScoreResult[]>;
  signatureOf(format: InputFormat): string;
}

export interface TaskOptions {
  readonly executor: Executor;
  readonly inputs: number;
  readonly seed: number;
  readonly until?: number | undefined;
  readonly counterexamples: boolean;
  readonly keep: boolean;
  readonly alone: boolean;
  readonly joined: Joined;
  readonly read: ProgramReader;
  readonly text: TextScorer;
  /** Appended to the text scorer's signature. */
  readonly signature: string;
}

/** A result for each row. If the task cannot be run, `behaviour.reason` of its rows says why, and their scores come from their texts. */
export async function scoreTask(task: TaskScoring, options: TaskOptions): Promise<ScoreResult[]> {
  if (task.rows.length === 0) return [];
  const candidates = task.rows.map(({ row }) => row.candidate);
  const texts = new TextScores(task.rows, options.text);
  const unrun = async (reason: string): Promise<ScoreResult[]> =>
    (await texts.of(candidates.map((_, i) => i))).map((result, i) =>
      withReason(result, texts.isEmpty(i) ? "the candidate is empty" : reason),
    );
  try {
    const run = await TaskRun.open({ ...task, candidates }, options.executor, options);
    if (run === null) return await unrun("found no function to call");
    if (run.inputs.known.length + run.inputs.examples.length === 0)
      return await unrun(whyNothing(task, run, options.inputs));
    const { notes, refused } = await readSilent(run, task, options);
    if (refused.size > 0) {
      const left = task.rows.filter((_, i) => !refused.has(i));
      const scored = (await scoreTask({ ...task, rows: left }, options))[Symbol.iterator]();
      return task.rows.map((_, i) => refused.get(i) ?? (scored.next().value as ScoreResult));
    }
    const rows = task.rows.map((row, i) => (notes.has(i) ? { ...row, notes: [...notes.get(i)!, ...row.notes] } : row));
    const scored = await runRounds(run, texts, { ...task, rows }, options);
    if (!options.counterexamples) return scored;
    const observed = await run.observed();
    const { reference } = task;
    const results = await withFaults(scored, observed.candidates, { reference, candidates }, () =>
      options.executor.modules(),
    );
    const counterexampleOf = counterexamplesOf({ ...task, candidates }, observed, options.executor);
    return await Promise.all(
      results.map(async (result, i) => {
        if ("error" in result || result.behaviour!.source === null) return result;
        const counterexample = await counterexampleOf(i);
        return { ...result, behaviour: { ...result.behaviour!, counterexample } };
      }),
    );
  } catch (error) {
    if (error instanceof CodescoreError && error.code === "infra") return unrun(error.message);
    throw error;
  }
}

/**
 * Reads candidates that answered nothing in the first round and were not read before. `notes`: what the reader says of them. `refused`:
 * errors, for candidates in another language.
 */
async function readSilent(
  run: TaskRun,
  { rows }: TaskScoring,
  options: TaskOptions,
): Promise<{ notes: ReadonlyMap<number, readonly string[]>; refused: ReadonlyMap<number, ScoreResult> }> {
  const notes = new Map<number, readonly string[]>();
  const refused = new Map<number, ScoreResult>();
  await run.run(
    rows.map((_, i) => i),
    roundsOf(run, options)[0]!,
  );
  const { candidates } = await run.observed();
  for (const [i, ran] of candidates.entries()) {
    if (rows[i]!.isRead || !isSilent(ran)) continue;
    try {
      notes.set(i, (await readPrograms(options.read, rows[i]!.row, ["candidate"])).notes);
    } catch (error) {
      refused.set(i, { error: rowError(error) });
    }
  }
  return { notes, refused };
}

/** A task without examples has no round without inputs, which would run nothing. */
const roundsOf = (run: TaskRun, { inputs, until }: Pick<TaskOptions, "inputs" | "until">): readonly number[] =>
  until === undefined
    ? [inputs]
    : [...ROUNDS.filter((n) => n < inputs && (n > 0 || run.inputs.examples.length > 0)), inputs];

/** Runs on all inputs, or on more inputs each round until the interval is narrow enough. */
async function runRounds(
  run: TaskRun,
  texts: TextScores,
  task: TaskScoring,
  options: TaskOptions,
): Promise<ScoreResult[]> {
  const { until, joined } = options;
  const results = new Array<ScoreResult>(task.rows.length);
  let left = task.rows.map((_, i) => i);
  for (const count of roundsOf(run, options)) {
    const shown = await observe(run, texts, left, count, options);
    for (const [k, i] of left.entries()) {
      const one = shown[k]!;
      if ("evidence" in one) results[i] = scoreOf(task, i, one, joined.join(one), options);
      else results[i] = "error" in one ? one : joined.unbounded(one);
    }
    if (until === undefined || count >= run.inputs.known.length) break;
    const wide = left.filter((i) => widthOf(results[i]!) > until);
    if (wide.length === 0) break;
    // Without a reference all candidates continue if one does, because they are compared with each other.
    if (task.reference !== null) left = wide;
  }
  return results;
}

const widthOf = (result: ScoreResult): number => ("error" in result ? 0 : (result.high ?? 1) - (result.low ?? 0));

/** Runs candidates, given by index, on the first `count` inputs. Candidates that cannot run here get the scores of their texts. */
async function observe(
  run: TaskRun,
  texts: TextScores,
  places: readonly number[],
  count: number,
  { executor, alone = false }: { readonly executor: Executor; readonly alone?: boolean },
): Promise<(Shown | ScoreResult)[]> {
  await run.run(places, count);
  const observed = await run.observed();
  const candidates = places.map((i) => observed.candidates[i]!);
  const evidence = alone
    ? candidates.flatMap((candidate) => evidenceOf(observed, [candidate], count))
    : evidenceOf(observed, candidates, count);
  const missing = await Promise.all(places.map((i, k) => missingIn(texts.candidate(i), candidates[k]!, executor)));
  const about = { candidates: alone ? 1 : observed.candidates.length, killed: run.inputs.killed };
  const read = places.filter((_, k) => missing[k] !== null || !isTelling(evidence[k]!, about));
  const scores = new Map((await texts.of(read)).map((score, k) => [read[k]!, score]));
  return places.map((i, k) => {
    const text = scores.get(i) ?? null;
    if (text !== null && "error" in text) return text;
    if (missing[k] !== null) return withReason(text!, lacksModule(missing[k]!));
    return { evidence: evidence[k]!, about, text, isBroken: texts.isEmpty(i) || isBroken(candidates[k]!) };
  });
}

const NO_PROGRAM: ReadonlySet<string> = new Set(["SyntaxError", "IndentationError", "TabError"]);

/** Whether Python cannot compile a candidate. Such a candidate answers nothing. */
function isBroken({ answers, exampleAnswers }: Observation): boolean {
  const all = [...exampleAnswers, ...answers];
  return all.length > 0 && all.every((answer) => answer.outcome === "error" && NO_PROGRAM.has(answer.errorType));
}

/**
 * The evidence on each candidate after each of `counts` inputs. Scores are fitted to it (evaluate/fit/behaviour.ts). Empty if the task
 * cannot be run.
 */
export async function observeTask(
  task: TaskScoring,
  counts: readonly number[],
  options: Pick<TaskOptions, "executor" | "inputs" | "seed" | "text">,
): Promise<(Shown | ScoreResult)[][]> {
  const candidates = task.rows.map(({ row }) => row.candidate);
  const run = await TaskRun.open({ ...task, candidates }, options.executor, options);
  if (run === null || run.inputs.known.length + run.inputs.examples.length === 0) return [];
  const texts = new TextScores(task.rows, options.text);
  const found: (Shown | ScoreResult)[][] = [];
  for (const count of counts) {
    found.push(
      await observe(
        run,
        texts,
        candidates.map((_, i) => i),
        count,
        options,
      ),
    );
    if (count >= run.inputs.known.length) break;
  }
  return found;
}

function scoreOf(
  task: TaskScoring,
  i: number,
  { evidence, text }: Shown,
  joined: JoinedScore,
  options: TaskOptions,
): Score {
  const { row, format, notes: found } = task.rows[i]!;
  const notes = isEmpty(row.candidate) ? [...found, EMPTY_NOTE] : found;
  const { agree, inputs, examples, samples, variety } = evidence;
  const source = task.reference !== null && inputs > 0 ? "reference" : samples !== null ? "samples" : "examples";
  return {
    ...joined,
    format,
    ...(text?.cut === undefined ? {} : { cut: text.cut }),
    ...(notes.length > 0 ? { notes } : {}),
    signature: options.text.signatureOf(format) + options.signature,
    behaviour: {
      agree,
      inputs,
      examples: examples.total === 0 ? null : examples,
      samples,
      source,
      counterexample: null,
      ...(agree !== null && inputs > 1 && Math.round(variety * inputs) === 1 && { constant: true }),
    },
  };
}

/** Scores by text alone. Each text is scored at most once, and only if it is needed. */
class TextScores {
  readonly #rows: readonly Checked[];
  readonly #scorer: TextScorer;
  readonly #known = new Map<number, ScoreResult>();

  constructor(rows: readonly Checked[], scorer: TextScorer) {
    this.#rows = rows;
    this.#scorer = scorer;
  }

  candidate(place: number): string {
    return this.#rows[place]!.row.candidate;
  }

  isEmpty(place: number): boolean {
    return isEmpty(this.candidate(place));
  }

  async of(places: readonly number[]): Promise<ScoreResult[]> {
    const fresh = places.filter((i) => !this.#known.has(i));
    if (fresh.length > 0) {
      const { format } = this.#rows[fresh[0]!]!; // all rows of a task have the same format
      const scores = await this.#scorer.scoreAll(
        fresh.map((i) => this.#rows[i]!.row),
        { format },
      );
      for (const [k, i] of fresh.entries()) this.#known.set(i, scores[k]!);
    }
    return places.map((i) => this.#known.get(i)!);
  }
}

const nothing = (reason: string): Behaviour => ({
  agree: null,
  inputs: 0,
  examples: null,
  samples: null,
  source: null,
  counterexample: null,
  reason,
});

/** The score of a text, with the reason why its program was not run. */
export const withReason = (result: ScoreResult, reason: string): ScoreResult =>
  "error" in result ? result : { ...result, behaviour: nothing(reason) };

function whyNothing({ reference }: TaskScoring, { inputs }: TaskRun, wanted: number): string {
  if (inputs.missing !== null) return lacksModule(inputs.missing, true);
  if (wanted === 0) return "the description shows no example that can be run";
  if (inputs.incomparable !== null)
    return `the reference returns values that cannot be compared (${inputs.incomparable})`;
  return reference === null ? "no candidate answered any input" : "the reference answered no input";
}
