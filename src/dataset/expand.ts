/**
 * Expands tests: proposes new inputs and takes the reference's answers as expectations (CodeScore 3.1.1; EvalPlus, section 2). Seeds are the given
 * inputs, or made-up inputs if none are given (made-up.ts), plus those of a language model if one is configured (seed-model.ts). The rest comes from type-aware
 * mutation and type-directed generation, guided by the inputs that references refused before.
 * expand-judge.ts decides which inputs become tests.
 */
import { Domain, isInAnyOrder } from "../behaviour/index.ts";
import type { Executor, ProgramInput } from "../execute/index.ts";
import { Proposer, readSeeds, seedPrompt, withoutPatterns } from "../expand/index.ts";
import { parseArguments, printLiteral } from "../languages/python/literals/index.ts";
import type { Problem, TestCase } from "../types.ts";
import { withAnyOrder } from "./any-order.ts";
import { type CheckedReferences, checkReferences, type Defect, type FailingReference } from "./defects.ts";
import { type Disagreement, type Dropped, InputJudge, type Judged, nothingDropped } from "./expand-judge.ts";
import { descriptionOf, examplesOf, type InputsFrom, madeUpInputs } from "./made-up.ts";
import { type LlmSeeds, type SeedModel, writtenContract } from "./seed-model.ts";

export interface ExpandOptions {
  /** Number of tests a problem has after expansion, given tests included. Given tests are never dropped. @default 100 */
  readonly count?: number;
  /** @default 0 */
  readonly seed?: number;
  /** @default null */
  readonly llm?: SeedModel | null;
  /** Runs the first reference the second time. Use an executor whose Python has another hash seed. @default the executor */
  readonly again?: Executor | null;
}

export const expandDefaults = {
  count: 100,
  seed: 0,
  llm: null,
  again: null,
} as const satisfies Required<ExpandOptions>;

/** What expanding a problem showed, without the tests themselves. */
export interface ExpansionReport {
  /** Number of tests before expansion. A HumanEval `check` counts as many as it has inputs. */
  readonly given: number;
  readonly added: number;
  /** What is wrong with the problem. */
  readonly defects: readonly Defect[];
  /** References that fail given tests. No answer is taken from them. */
  readonly failingReferences: readonly FailingReference[];
  /** Number of given inputs that violate the problem's contract. Either the contract or those tests are defective. */
  readonly givenOutside: number;
  /**
   * Number of new inputs that the task excludes, by its description, its given tests and its reference (behaviour/domain.ts). Each became a
   * test only after a change. 0 if the problem has a contract.
   */
  readonly outside: number;
  readonly dropped: Dropped;
  /** The first few disagreements. `dropped.disagreed` counts them all. */
  readonly disagreements: readonly Disagreement[];
  /** Conditions that refused inputs violate, each with the number of refused inputs that it explains. */
  readonly preconditions: readonly { readonly text: string; readonly explains: number }[];
  readonly llm: LlmSeeds | null;
  /** Origin of the first inputs, a language model's aside; null if there were none or nothing was tried. */
  readonly inputsFrom: InputsFrom | null;
  /** Why nothing was tried or nothing could be tried; null if something was. */
  readonly reason: string | null;
}

export interface Expansion extends ExpansionReport {
  /** The problem with all its tests, old and new. */
  readonly problem: Problem;
}

/** Number of inputs that a language model is asked for. */
const llmCount = 30;
/** Size of the first batch. It is small, so that its results can guide the later batches. */
const firstBatch = 24;
/** Maximum number of inputs to try, as a multiple of the tests still wanted. Some inputs are dropped. */
const overshoot = 4;
const mostExamples = 5;
/** Maximum number of rounds. A round that ends in timeouts takes seconds. */
const mostRounds = 12;

/**
 * Adds tests to a problem. Deterministic if the references and the model are. The problem stays unchanged if none of its
 * references passes its given tests. If the tests give no input, inputs are made up from the reference. If there is neither a
 * test nor a reference, the examples of the description become the given tests, and nothing more can be added. Throws only if the
 * executor or the model fails.
 */
export async function expandTests(whole: Problem, executor: Executor, options: ExpandOptions = {}): Promise<Expansion> {
  const { count, seed, llm, again } = { ...expandDefaults, ...options };
  if (whole.references.length === 0 && whole.tests.length === 0) return described(whole);
  const checked = await checkReferences(whole, executor);
  const given = whole.references.length === 0 ? [] : await executor.inputs(whole);
  const before = Math.max(given.length, whole.tests.length);
  if (checked.reason !== null || before >= count) return unchanged(whole, before, given.length > 0, checked);
  const passing = { ...whole, references: checked.passing };
  const isOpen = whole.tests.length === 0; // otherwise only the tests can tell which function to call
  const isMadeUp = given.length === 0 && (isOpen || whole.entryPoint !== null);
  const madeUp = isMadeUp ? await madeUpInputs(passing, executor, { count: count - before, seed }) : null;
  const problem = isOpen && madeUp !== null ? { ...passing, entryPoint: madeUp.entryPoint } : passing;
  const shown = given.length > 0 ? given : (madeUp?.shown ?? []);
  const written = llm === null ? null : await writtenContract(problem, executor, llm, shown);
  const bound = { ...problem, contract: written?.contract ?? problem.contract };
  const judge = new InputJudge(bound, executor, again ?? executor);
  const givenOutside = given.length - (await judge.satisfying(given)).length;
  const domain = domainOf(problem, shown, shown[0] ?? madeUp?.inputs[0]);
  const collected = new Collected(judge, domain, isInAnyOrder(descriptionOf(problem)), given, count - before);

  const start = madeUp === null ? given : (await collected.add(collected.unseen(madeUp.inputs))).answered;
  let seeds: readonly ProgramInput[] = [];
  let fromModel: LlmSeeds | null = null;
  if (llm !== null && written !== null) {
    const { inputs, junk } = readSeeds(problem, await llm.ask(seedPrompt(bound, start, llmCount)));
    const proposed = collected.unseen(inputs);
    const before = collected.tests.length;
    const { answered } = await collected.add(proposed, false);
    seeds = answered;
    const kept = collected.tests.length - before;
    fromModel = { model: llm.name, proposed: proposed.length, junk, kept, ...written };
  }
  const data = { ...problem, references: problem.references.map(withoutPatterns) };
  const proposer = new Proposer(data, [...start, ...seeds], seed);
  let waiting: readonly ProgramInput[] = [];
  let [left, rounds] = [overshoot * collected.missing, 0];
  for (let size = firstBatch; collected.missing > 0 && left > 0 && rounds < mostRounds; rounds++) {
    const most = Math.min(size, left, collected.missing); // never more than could still be used
    const held = waiting.slice(0, most);
    const batch = [...held, ...collected.unseen(proposer.next(most - held.length))];
    if (batch.length === 0) break;
    const { answered, refused, unreached } = await collected.add(batch);
    proposer.learn({ accepted: answered, rejected: refused });
    left -= batch.length - unreached.length;
    waiting = [...unreached, ...waiting.slice(held.length)].filter((input) => proposer.likes(input));
    if (unreached.length === 0) size = Number.POSITIVE_INFINITY;
  }
  const { tests, dropped, disagreements, outside } = collected;
  const nothing = given.length === 0 && tests.length === 0;
  return {
    problem: {
      ...whole,
      entryPoint: problem.entryPoint,
      contract: bound.contract,
      tests: [...whole.tests, ...withIds(whole, tests)],
    },
    given: before,
    added: tests.length,
    defects: [
      ...checked.defects,
      ...(dropped.disagreed > 0 ? (["disagreeing-references"] as const) : []),
      ...(dropped.unstable > 0 ? (["unstable-reference"] as const) : []),
      ...(givenOutside > 0 ? (["contract-violation"] as const) : []),
    ],
    failingReferences: checked.failing,
    givenOutside,
    outside,
    dropped,
    disagreements: disagreements.slice(0, mostExamples),
    preconditions: proposer.preconditions.map(({ text, explains }) => ({ text, explains })),
    llm: fromModel,
    inputsFrom: given.length > 0 ? "tests" : start.length > 0 ? (madeUp?.from ?? null) : null,
    reason: nothing ? "the given tests contain no readable input, and the reference answers no made-up input" : null,
  };
}

/** The tests found so far, and counts of the dropped inputs. */
class Collected {
  readonly #judge: InputJudge;
  readonly #domain: Domain | null;
  readonly #inAnyOrder: boolean;
  readonly #seen: Set<string>;
  readonly #wanted: number;
  readonly tests: TestCase[] = [];
  readonly disagreements: Disagreement[] = [];
  /** Number of proposed inputs that the task excludes. */
  outside = 0;
  readonly dropped: { -readonly [why in keyof Dropped]: number } = { ...nothingDropped };

  constructor(
    judge: InputJudge,
    domain: Domain | null,
    inAnyOrder: boolean,
    given: readonly ProgramInput[],
    wanted: number,
  ) {
    this.#judge = judge;
    this.#domain = domain;
    this.#inAnyOrder = inAnyOrder;
    this.#seen = new Set(given.map(canonical));
    this.#wanted = wanted;
  }

  get missing(): number {
    return this.#wanted - this.tests.length;
  }

  /** Filters out inputs that were given or tried before. */
  unseen(inputs: readonly ProgramInput[]): ProgramInput[] {
    return inputs.filter((input) => {
      const key = canonical(input);
      return !this.#seen.has(key) && this.#seen.add(key);
    });
  }

  /**
   * Judges inputs. Those that the task excludes show defects and what the reference refuses, but become tests only after a change into
   * inputs that the task means. `isOurs`: whether we proposed them. A language model has read the description.
   */
  async add(inputs: readonly ProgramInput[], isOurs = true): Promise<Judged> {
    const domain = isOurs ? this.#domain : null;
    const outside = new Set(domain === null ? [] : inputs.filter((input) => !domain.has(input)));
    const judged = await this.#judged(inputs, outside);
    const changed = this.unseen([...outside].flatMap((input) => domain?.fitted(input) ?? []));
    if (this.missing > 0 && changed.length > 0) await this.#judged(changed, new Set());
    this.outside += outside.size;
    return judged;
  }

  async #judged(inputs: readonly ProgramInput[], outside: ReadonlySet<ProgramInput>): Promise<Judged> {
    const judged = await this.#judge.judge(inputs);
    const excluded = new Set([...outside].flatMap((input) => ("args" in input ? [input.args] : [])));
    const inside = judged.tests.filter((test) => test.kind !== "call" || !excluded.has(test.args));
    const tests = this.#inAnyOrder ? inside.flatMap(withAnyOrder) : inside;
    this.tests.push(...tests.slice(0, this.missing));
    this.dropped.incomparable += inside.length - tests.length;
    this.disagreements.push(...judged.disagreements);
    for (const why of Object.keys(this.dropped) as (keyof Dropped)[]) this.dropped[why] += judged.dropped[why];
    return judged;
  }
}

/** What inputs the task means; null if the problem has a contract, or reads standard input. */
function domainOf(problem: Problem, given: readonly ProgramInput[], sample: ProgramInput | undefined): Domain | null {
  const { contract, entryPoint, references } = problem;
  if (contract.trim() !== "" || entryPoint === null || sample === undefined) return null;
  return new Domain({ description: descriptionOf(problem), references, entryPoint }, given, sample);
}

const unchanged = (
  problem: Problem,
  given: number,
  hasInputs: boolean,
  { defects, failing, reason }: Omit<CheckedReferences, "passing">,
): Expansion => ({
  problem,
  given,
  added: 0,
  defects,
  failingReferences: failing,
  givenOutside: 0,
  outside: 0,
  dropped: nothingDropped,
  disagreements: [],
  preconditions: [],
  llm: null,
  inputsFrom: hasInputs ? "tests" : null,
  reason,
});

/** Expands a problem that is only a description: its examples are all that is known. */
function described(problem: Problem): Expansion {
  const found = examplesOf(problem);
  const reason = found
    ? "there is no reference, so only the examples of the description became tests"
    : "there is no reference, and the description has no readable example";
  const same = unchanged({ ...problem, ...found }, 0, false, { defects: [], failing: [], reason });
  return found === null ? same : { ...same, added: found.tests.length, inputsFrom: "examples" };
}

function withIds(problem: Problem, tests: readonly TestCase[]): TestCase[] {
  const taken = new Set(problem.tests.map(({ id }) => id));
  return tests.map((test, i) => {
    let id = `expanded-${i}`;
    while (taken.has(id)) id = `${id}'`;
    taken.add(id);
    return { ...test, id };
  });
}

/** Maps inputs that differ only in notation to the same text. */
function canonical(input: ProgramInput): string {
  if ("stdin" in input) return input.stdin;
  try {
    const { positional, keyword } = parseArguments(input.args);
    return [
      ...positional.map(printLiteral),
      ...keyword.map(([name, value]) => `${name}=${printLiteral(value)}`),
    ].join();
  } catch {
    return input.args.trim(); // an expression that is not a literal
  }
}
