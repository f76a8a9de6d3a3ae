/**
 * IdentityChain (Min et al. 2024): is a model consistent with itself? Follows chains (chain.ts), executes every program, compares
 * it with the one before, and writes to a folder:
 *
 * - `recording.jsonl`: the models' answers (recording.ts). A killed run asks nothing twice.
 * - `executions.jsonl`: the programs' behaviour (executions.ts). A killed run executes nothing twice.
 * - `comparisons.jsonl`: the values of the similarities
 * - `steps.jsonl`: one row per step of a chain
 * - `summary.json`: the results (summary.ts)
 */
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import type { Executor } from "../../execute/index.ts";
import { counted, some } from "../../util/counted.ts";
import { makeFolder, packageVersion, sha256, writeAtomic } from "../../util/files.ts";
import { startProgress } from "../../util/progress.ts";
import { type Llm, limiter } from "../llm/llm.ts";
import { openCache } from "../llm/recording.ts";
import { compareAll } from "../trip/compare.ts";
import { findRecital } from "../trip/recited.ts";
import { checkSampling, checkThresholds } from "../trip/run.ts";
import { type Failure, openAsker, tripsAtOnce } from "../trip/sample.ts";
import type { SignedSimilarity } from "../trip/similarity.ts";
import { answerText, type Behaviour, type Inputs, testOutputMatch } from "./behaviour.ts";
import { type Chain, type ChainSampling, chainSampling, followChain } from "./chain.ts";
import { openExecutions } from "./executions.ts";
import type { Difference, StepRow } from "./rows.ts";
import { type IdentitySummary, summarizeChains } from "./summary.ts";
import type { IdentityTask, IdentityTasks } from "./tasks.ts";

export interface IdentityOptions {
  /** Describes programs. */
  readonly forward: Llm;
  /** Writes programs. May be the same object as `forward`. */
  readonly backward: Llm;
  /** Runs the tests. The caller closes it. */
  readonly executor: Executor;
  /** Compare each program with the one before. The summary reports their agreement with the Test Output Match. */
  readonly similarities: readonly SignedSimilarity[];
  /**
   * Compare each description with the one before, as metrics of PL -> NL do. The summary reports their agreement with execution.
   * @default none
   */
  readonly descriptionSimilarities?: readonly SignedSimilarity[];
  /** Output folder. */
  readonly out: string;
  /** Number of steps after step 0. @default 5, as in the paper */
  readonly length?: number;
  /** Sampling settings. @default greedy, as in the paper, which asks only Gemini at 0.2 */
  readonly samples?: {
    readonly [side in "forward" | "backward"]?: { readonly temperature?: number; readonly maxTokens?: number };
  };
  /** File of the models' answers. @default recording.jsonl in `out` */
  readonly cache?: string;
  /** By similarity: the value from which it counts as yes. @default 1 for `pass` and `exact`, none for the others */
  readonly thresholds?: Readonly<Record<string, number>>;
  /** Seed of the bootstrap. Also sent to servers if a temperature is given. @default 0 for the bootstrap, no seed for servers */
  readonly seed?: number;
  /** Whether to hide progress on stderr. @default false */
  readonly quiet?: boolean;
}

export interface IdentityResult {
  readonly summary: IdentitySummary;
  readonly steps: readonly StepRow[];
  readonly files: { readonly samples: string; readonly summary: string };
}

/** A chain after execution, with one behaviour per step. */
interface Executed {
  readonly task: IdentityTask;
  readonly chain: Chain;
  readonly inputs: Inputs;
  readonly behaviours: readonly Behaviour[];
}

/**
 * Runs IdentityChain.
 * @throws `CodescoreError`: `usage` for options that contradict each other, `input` if no chain starts or a file in `out` is
 * damaged, and the errors of models and similarities if no sample can succeed
 */
export async function identityChain(what: IdentityTasks, options: IdentityOptions): Promise<IdentityResult> {
  const { out, similarities, length = 5, seed = 0, quiet = false } = options;
  if (!Number.isInteger(length) || length < 1) {
    throw new CodescoreError("usage", `expected \`length\` to be an integer of at least 1, got ${length}`);
  }
  const thresholds = checkThresholds(similarities, options.thresholds ?? {});
  await makeFolder(out);
  const sampling: ChainSampling = {
    forward: checkSampling("forward", { ...chainSampling.forward, ...options.samples?.forward }),
    backward: checkSampling("backward", { ...chainSampling.backward, ...options.samples?.backward }),
  };
  const { chains, failures } = await followAll(what, options, length, sampling);
  if (chains.every(({ steps }) => steps.length === 0)) throw nothingBegun(what, failures);
  const executed = await executeAll(what.tasks, chains, options);

  const rows = executed.flatMap(rowsOf);
  const compared = rows.filter((row) => row.reference !== null && row.repeats !== "description");
  const problems = new Map(what.tasks.map(({ problem }) => [problem.id, problem]));
  const values = await compareAll(
    compared.map(({ task_id: problemId, reference, candidate }) => ({
      pair: { reference: reference!, candidate, problemId, entryPoint: problems.get(problemId)!.entryPoint },
      fingerprint: fingerprint(problems.get(problemId)!),
    })),
    similarities,
    { journal: join(out, "comparisons.jsonl"), quiet },
  );
  const words = await compareDescriptions(rows, compared, options);
  const place = new Map(compared.map((row, i) => [row, i]));
  const steps = rows.map((row): StepRow => {
    const i = place.get(row);
    if (i === undefined) return row;
    return { ...row, sims: namedValues(values, i), ...(words && { description_sims: namedValues(words, i) }) };
  });
  const summary = summarizeChains({
    what,
    version: await packageVersion(),
    models: { forward: options.forward, backward: options.backward },
    length,
    sampling,
    seed,
    chains,
    refused: executed.reduce((sum, { inputs }) => sum + inputs.valid.filter((valid) => !valid).length, 0),
    madeUp: executed.filter(({ inputs }) => inputs.madeUp && inputs.valid.includes(true)).length,
    uncounted: new Set(executed.flatMap(({ chain, inputs }) => (inputs.valid.includes(true) ? [] : [chain.id]))),
    steps,
    failures,
    similarities,
    descriptionSimilarities: options.descriptionSimilarities ?? [],
    thresholds,
    unscored: new Map([...values, ...(words ?? [])].map(([name, { unscored }]) => [name, unscored])),
  });
  const files = { samples: join(out, "steps.jsonl"), summary: join(out, "summary.json") };
  await writeAtomic(files.samples, steps.map((row) => `${JSON.stringify(row)}\n`).join(""));
  await writeAtomic(files.summary, `${JSON.stringify(summary, null, 2)}\n`);
  return { summary, steps, files };
}

/** Compares the description of each compared row with that of the step before. Null without metrics. */
async function compareDescriptions(
  rows: readonly StepRow[],
  compared: readonly StepRow[],
  { descriptionSimilarities = [], out, quiet = false }: IdentityOptions,
): Promise<Awaited<ReturnType<typeof compareAll>> | null> {
  if (descriptionSimilarities.length === 0) return null;
  const before = new Map(rows.map((row) => [stepOf(row.task_id, row.step + 1), row.description]));
  return compareAll(
    compared.map(({ task_id, step, description }) => ({
      pair: { reference: wordsOf(before.get(stepOf(task_id, step))!), candidate: wordsOf(description) },
      fingerprint: "description",
    })),
    descriptionSimilarities,
    { journal: join(out, "comparisons.jsonl"), quiet },
  );
}

const stepOf = (task: string, step: number): string => JSON.stringify([task, step]);

/** The text between a docstring's quotes. Recordings include the quotes, and the signature in the first description. */
const wordsOf = (description: string): string =>
  (
    /"""([\s\S]*?)"""|'''([\s\S]*?)'''/
      .exec(description)
      ?.slice(1)
      .find((text) => text !== undefined) ?? description
  ).trim();

const namedValues = (values: Awaited<ReturnType<typeof compareAll>>, i: number): Record<string, number | null> =>
  Object.fromEntries([...values].map(([name, { values: column }]) => [name, column[i] ?? null]));

const fingerprint = ({ entryPoint, setup, tests }: IdentityTask["problem"]): string =>
  sha256(JSON.stringify([entryPoint, setup, tests]));

async function followAll(
  { tasks }: IdentityTasks,
  { forward, backward, out, cache: path = join(out, "recording.jsonl"), seed, quiet = false }: IdentityOptions,
  length: number,
  sampling: ChainSampling,
): Promise<{ chains: readonly Chain[]; failures: readonly Failure[] }> {
  const cache = [forward, backward].some((llm) => llm.recorded === undefined) ? await openCache(path) : null;
  const through = (llm: Llm): Llm => (cache === null || llm.recorded ? llm : cache.wrap(llm));
  const llms = { forward: through(forward), backward: through(backward) };
  const progress = startProgress({ label: "sampling", total: tasks.length, unit: "chains", quiet });
  const isGreedy = sampling.forward.temperature === 0 && sampling.backward.temperature === 0;
  const asker = openAsker(isGreedy ? undefined : seed);
  const limit = limiter(tripsAtOnce);
  try {
    const chains = await Promise.all(
      tasks.map(({ chain }) =>
        limit(async () => {
          const followed = await followChain(chain, length, asker, llms, sampling);
          progress.tick();
          return followed;
        }),
      ),
    );
    return { chains, failures: asker.failures() };
  } finally {
    progress.done();
    await cache?.close();
  }
}

async function executeAll(
  tasks: readonly IdentityTask[],
  chains: readonly Chain[],
  { executor, out, quiet = false }: IdentityOptions,
): Promise<Executed[]> {
  const executions = await openExecutions(join(out, "executions.jsonl"), executor);
  const total = chains.reduce((sum, { steps }) => sum + steps.length, 0);
  const progress = startProgress({ label: "executing", total, unit: "programs", quiet });
  const limit = limiter(tripsAtOnce);
  try {
    return await Promise.all(
      chains.map((chain, i) =>
        limit(async () => {
          const task = tasks[i]!;
          const programs = [...new Set(chain.steps.map(({ executed }) => executed).filter((code) => code !== ""))];
          const inputs = await executions.inputs(task.problem, task.header, programs);
          const behaviours: Behaviour[] = [];
          for (const { executed } of chain.steps) {
            behaviours.push(await executions.behaviour(task.problem, executed, inputs));
            progress.tick();
          }
          return { task, chain, inputs, behaviours };
        }),
      ),
    );
  } finally {
    progress.done();
    await executions.close();
  }
}

function rowsOf({ task, chain, inputs, behaviours }: Executed): StepRow[] {
  return chain.steps.map((step, i): StepRow => {
    const here = behaviours[i]!;
    const before = behaviours[i - 1];
    const passed = passes(here);
    const passedBefore = before ? passes(before) : null;
    const recorded = task.recorded?.[i];
    const reference = chain.steps[i - 1]?.program ?? null;
    return {
      task_id: chain.id,
      step: step.step,
      description: step.description,
      recited: reference === null ? null : findRecital(reference, step.description),
      ...(step.copied && { copied: step.copied }),
      answer: step.answer,
      reference,
      candidate: step.program,
      repeats: step.repeats,
      answers: here.answers.map(answerText),
      pass_ratio: here.passRatio,
      passed,
      tom: before === undefined ? null : matchOf(step.program, before, here, inputs),
      pass_fail_match: passed === null || passedBefore === null ? null : passed === passedBefore,
      sims: {},
      ...(recorded && { differences: differencesOf(here, recorded) }),
    };
  });
}

const passes = ({ passRatio }: Behaviour): boolean | null => (passRatio === null ? null : passRatio === 1);

/** The match of two programs. An answer without code matches nothing. Null without an input that counts. */
function matchOf(program: string, before: Behaviour, here: Behaviour, inputs: Inputs): number | null {
  const match = testOutputMatch(before, here, inputs);
  return match !== null && program === "" ? 0 : match;
}

/** The tests whose result differs from the recording. Results are worded as in the release (`str`, not `repr`). */
function differencesOf({ answers, verdicts }: Behaviour, recorded: readonly string[]): Difference[] {
  return recorded.flatMap((text, test) => {
    const answer = answers[test]!;
    const here =
      verdicts[test]?.outcome === "pass"
        ? "Passed"
        : answer.outcome === "ok"
          ? `AssertionError: outputs ${answer.value.t === "str" ? answer.value.v : answerText(answer)}`
          : answerText(answer);
    return here === text ? [] : [{ test, recorded: text, here }];
  });
}

function nothingBegun({ tasks, skipped }: IdentityTasks, failures: readonly Failure[]): CodescoreError {
  const [failed, left] = [failures[0], skipped[0]];
  const why = failed
    ? `${failed.direction} of ${failed.task_id}: ${failed.message}`
    : left
      ? `${left.id}: ${left.reason}`
      : tasks.length === 0
        ? "there are no problems"
        : `the recording has no program of step 0 of the ${counted(tasks.length, "problem")} (${some(tasks.map(({ problem }) => problem.id))})`;
  return new CodescoreError("input", `no chain could start: ${why}`);
}
