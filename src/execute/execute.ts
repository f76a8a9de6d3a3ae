/**
 * The executor: runs candidates on prepared problems and turns their answers into verdicts, outside of the process that gave the answers
 * (verdicts.ts). Answers are compared as Python compares them (value.ts), or, for asserts of any other form, judged in the trusted Python
 * process. How a test is judged is decided before any candidate runs.
 */
import { CodescoreError, messageOf } from "../errors.ts";
import type { DataFiles, Execution, Problem, Verdict } from "../types.ts";
import { sha256 } from "../util/files.ts";
import { remember } from "../util/remember.ts";
import { wasmError } from "../util/wasm-memory.ts";
import { DataPool, type Staged } from "./data-pool.ts";
import { Judge, type JudgeAnswer, type Judgement } from "./judge.ts";
import { NotebookRunner } from "./notebook/notebook.ts";
import { Pool } from "./pool.ts";
import { asGiven, inputsOf, type Prepared, prepareProblem, problemKey } from "./prepare.ts";
import type { Hello, Line, Suite } from "./protocol.ts";
import type { Sandbox } from "./sandbox/backend.ts";
import { unknownBudget } from "./timed.ts";
import type { Answer, Executor, LandlockLevel, Limits, ProgramInput, SandboxKind } from "./types.ts";
import { decodeValue } from "./value.ts";
import {
  describe,
  equalVerdict,
  failure,
  firstFailure,
  judgeAnswers,
  judgedVerdict,
  MALFORMED,
  streamVerdict,
  summarise,
  tryDecode,
  unlabelled,
  wholeVerdict,
} from "./verdicts.ts";

const KEPT_PROBLEMS = 256;
const KEPT_JUDGEMENTS = 20_000;
const LONG_ANSWER = 1000; // characters; a longer answer is kept as text only: its value takes up to seventy times as much memory
const REMEMBERED = 2 ** 20; // maximum total characters of the short answers whose values are remembered

type Program = Parameters<Executor["answers"]>[0];

/** The sandboxes that can show data files to programs. */
const SHOWS_FILES: readonly SandboxKind[] = ["bwrap", "landlock"];

export class PythonExecutor implements Executor {
  readonly sandbox: SandboxKind;
  readonly python: string;
  readonly packages?: readonly string[];
  readonly seccomp: boolean | null;
  readonly landlock: LandlockLevel | null;
  readonly limits: Limits;
  readonly #pool: Pool;
  readonly #data: DataPool;
  readonly #judge: Judge;
  readonly #sandbox: Sandbox;
  readonly #workers: number;
  #notebooks: NotebookRunner | null = null;
  #modules: Promise<readonly string[]> | null = null;
  readonly #keys = new WeakMap<Problem, string>();
  readonly #prepared = new Map<string, Promise<Prepared>>();
  readonly #judgements = new Map<string, Judgement>();

  /** Starts the workers. Throws CodescoreError("environment") when they do not come up. */
  static async open(sandbox: Sandbox, limits: Limits, workers: number, isolate: boolean): Promise<PythonExecutor> {
    const pool = new Pool(sandbox, limits, workers, isolate);
    try {
      const data = new DataPool((folder) => new Pool(sandbox, limits, workers, isolate, folder));
      return new PythonExecutor(sandbox, await pool.start(), limits, pool, data, workers);
    } catch (error) {
      await pool.close();
      const why = messageOf(wasmError(error));
      throw new CodescoreError("environment", `the ${sandbox.kind} sandbox does not start: ${why}`, { cause: error });
    }
  }

  private constructor(
    sandbox: Sandbox,
    { python, unfiltered, landlock }: Hello,
    limits: Limits,
    pool: Pool,
    data: DataPool,
    workers: number,
  ) {
    this.#sandbox = sandbox;
    this.#workers = workers;
    this.sandbox = sandbox.kind;
    this.python = python;
    if (sandbox.packages) this.packages = sandbox.packages;
    this.seccomp = unfiltered === undefined ? null : unfiltered === null;
    this.landlock = landlock ?? null;
    this.limits = limits;
    this.#pool = pool;
    this.#data = data;
    this.#judge = new Judge(sandbox, limits.maxTimeouts);
  }

  async execute(problem: Problem, code: string): Promise<Execution> {
    try {
      if (problem.notebook) return await this.#notebookRunner().execute(problem, code);
      if (!this.#shows(problem.files)) return unlabelled("no_label", this.#noFiles());
      const prepared = await this.#prepare(problem);
      if (prepared.reason !== null) return unlabelled("no_label", prepared.reason);
      return summarise(await this.#verdicts(problem, prepared, asGiven(problem, code)));
    } catch (error) {
      if (error instanceof CodescoreError && error.code === "infra") return unlabelled("infra", error.message);
      throw error;
    }
  }

  async answers(
    program: Program,
    inputs: readonly ProgramInput[],
    cpuS: number | readonly number[] = unknownBudget(this.limits),
    maxTimeouts = this.limits.maxTimeouts,
  ): Promise<Answer[]> {
    if (inputs.length === 0) return [];
    const { pool, name } = await this.#poolFor(program.files);
    const suite = suiteOf(program, inputs, name);
    const seconds = typeof cpuS === "number" ? inputs.map(() => cpuS) : cpuS;
    const lines = await pool.run(suite, program.code, () => ({ seconds, final: true, maxTimeouts }));
    return lines.map(answerOf);
  }

  async inputs(problem: Problem): Promise<ProgramInput[]> {
    return problem.notebook || !this.#shows(problem.files) ? [] : inputsOf(await this.#prepare(problem));
  }

  modules(): Promise<readonly string[]> {
    this.#modules ??= this.#judge.modules().catch((error: unknown) => {
      this.#modules = null; // do not cache a fault of the harness
      throw error;
    });
    return this.#modules;
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#data.close(), this.#judge.close(), this.#notebooks?.close()]);
  }

  #poolFor(files: DataFiles | undefined): { readonly pool: Pool; readonly name?: string } | Promise<Staged> {
    if (files === undefined) return { pool: this.#pool };
    if (!this.#shows(files)) throw new CodescoreError("environment", this.#noFiles());
    return this.#data.for(files);
  }

  #shows(files: DataFiles | undefined): boolean {
    return files === undefined || SHOWS_FILES.includes(this.sandbox);
  }

  #noFiles(): string {
    return (
      `the problem has data files, which the sandbox \`${this.sandbox}\` does not show to programs; ` +
      `use ${SHOWS_FILES.join(" or ")} (--sandbox)`
    );
  }

  #notebookRunner(): NotebookRunner {
    this.#notebooks ??= new NotebookRunner(this.#sandbox, this.limits, this.#workers);
    return this.#notebooks;
  }

  #prepare(problem: Problem): Promise<Prepared> {
    const key = this.#keys.get(problem) ?? problemKey(problem);
    this.#keys.set(problem, key);
    let prepared = this.#prepared.get(key);
    this.#prepared.delete(key);
    if (!prepared) {
      prepared = this.#prepareIn(problem);
      prepared.catch(() => this.#prepared.delete(key)); // do not cache a fault of the harness
    }
    this.#prepared.set(key, prepared);
    forgetOldest(this.#prepared, KEPT_PROBLEMS);
    return prepared;
  }

  async #prepareIn(problem: Problem): Promise<Prepared> {
    return prepareProblem(problem, this.#judge, await this.#poolFor(problem.files), this.limits);
  }

  async #verdicts(problem: Problem, prepared: Prepared, code: string): Promise<Verdict[]> {
    const [calls, streams, whole, script] = await Promise.all([
      prepared.calls.run(code),
      prepared.streams.run(code),
      prepared.whole.run(code),
      prepared.script.run(code),
    ]);
    const beside = { whole, script };
    const judgements = await this.#judgeAll(problem, prepared, calls);
    return prepared.units.map((unit, index) => {
      if (unit.kind === "equal") {
        return equalVerdict(unit, calls[unit.inputs[0] as number] as Line, this.limits.strictTypes, problem.oracle);
      }
      if (unit.kind === "stdio") return streamVerdict(unit, streams[unit.input] as Line, problem.oracle);
      if (unit.kind === "opaque") return wholeVerdict(unit, beside[unit.suite][unit.input] as Line);
      const failed = firstFailure(unit, calls);
      if (failed) return failure(unit.test, failed);
      return judgedVerdict(unit.test, judgements.get(index) as Judgement);
    });
  }

  /** Judgements of the units that need the trusted process, by the unit's index. The same answers are judged only once. */
  async #judgeAll(problem: Problem, prepared: Prepared, calls: readonly Line[]): Promise<Map<number, Judgement>> {
    const found = new Map<number, Judgement>();
    const asked: { index: number; memo: string; request: readonly [number, readonly JudgeAnswer[]] }[] = [];
    prepared.units.forEach((unit, index) => {
      if (unit.kind !== "judge" || firstFailure(unit, calls)) return;
      const answers = judgeAnswers(unit, calls);
      const memo = sha256(JSON.stringify([prepared.key, unit.number, answers]));
      const known = this.#judgements.get(memo);
      if (known) found.set(index, known);
      else asked.push({ index, memo, request: [unit.number, answers] });
    });
    if (asked.length === 0) return found;
    const codeTests = problem.tests.filter((test) => test.kind !== "stdio");
    const replies = await this.#judge.check(
      prepared.key,
      { ...problem, tests: codeTests },
      asked.map(({ request }) => request),
    );
    asked.forEach(({ index, memo }, i) => {
      found.set(index, replies[i] as Judgement);
      this.#judgements.set(memo, replies[i] as Judgement);
    });
    forgetOldest(this.#judgements, KEPT_JUDGEMENTS);
    return found;
  }
}

/** The last suite made from each list of inputs, with a copy of that list. The programs of one task run on the same list in turn. */
const suites = new WeakMap<
  readonly ProgramInput[],
  { readonly held: readonly ProgramInput[]; readonly suite: Suite }
>();

function suiteOf({ entryPoint, setup }: Program, inputs: readonly ProgramInput[], files?: string): Suite {
  const made = suites.get(inputs);
  const isSame = made?.held.length === inputs.length && inputs.every((input, i) => input === made.held[i]);
  if (isSame && made.suite.entry === (entryPoint ?? "") && made.suite.setup === setup && made.suite.files === files)
    return made.suite;
  const args = inputs.flatMap((input) => ("args" in input ? [input.args] : []));
  const texts = inputs.flatMap((input) => ("stdin" in input ? [input.stdin] : []));
  if (args.length > 0 && texts.length > 0) {
    throw new CodescoreError("usage", "expected inputs of one kind, argument lists or stdin, got both");
  }
  if (args.length > 0 && entryPoint === null) {
    throw new CodescoreError("usage", "expected a program with an entry point for inputs that are argument lists");
  }
  const mode = args.length > 0 ? "call" : "stdin";
  const suite = {
    mode,
    entry: entryPoint ?? "",
    setup,
    inputs: args.length > 0 ? args : texts,
    ...(files && { files }),
  } as const;
  const keyed = { ...suite, key: sha256(JSON.stringify(suite)) };
  suites.set(inputs, { held: [...inputs], suite: keyed });
  return keyed;
}

/** Values of short answers. The programs of one task mostly give the same answers. */
const decoded = remember((payload) => ({ value: tryDecode(payload) }), REMEMBERED);

function answerOf(line: Line): Answer {
  if (line.status === "t") return { outcome: "timeout" };
  if (line.status === "m") return { outcome: "memory" };
  if (line.status === "v") {
    const { payload, cpuS } = line;
    if (payload.length <= LONG_ANSWER) {
      const { value } = decoded(payload);
      if (value) return { outcome: "ok", value, text: payload, cpuS };
    } else if (tryDecode(payload)) {
      return {
        outcome: "ok",
        text: payload,
        cpuS,
        get value() {
          return decodeValue(payload);
        },
      };
    }
  }
  const [errorType, message, baseType] = line.status === "v" ? MALFORMED : describe(line.payload);
  return { outcome: "error", errorType, baseType, message };
}

function forgetOldest(map: Map<string, unknown>, kept: number): void {
  for (const key of map.keys()) {
    if (map.size <= kept) return;
    map.delete(key);
  }
}
