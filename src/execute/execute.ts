/**
 * The executor: runs candidates on prepared problems and turns their answers into verdicts, outside of the process that
 * gave them. Answers that are the expected text are right at once; others are decoded and compared as Python would
 * (value.ts); asserts of any other form are judged in the trusted Python process.
 */
import { CodescoreError } from "../errors.ts";
import type { Execution, Problem, Verdict } from "../types.ts";
import { sha256 } from "../util/files.ts";
import { Judge, type JudgeAnswer, type Judgement } from "./judge.ts";
import { Pool } from "./pool.ts";
import { inputsOf, opaqueSuite, type Prepared, prepareProblem, problemKey, type Unit } from "./prepare.ts";
import type { Hello, Line, Suite } from "./protocol.ts";
import type { Sandbox } from "./sandbox/backend.ts";
import { unknownBudget } from "./timed.ts";
import type { Answer, Executor, Limits, ProgramInput, SandboxKind } from "./types.ts";
import { decodeValue, equalValues } from "./value.ts";

const KEPT_PROBLEMS = 256;
const KEPT_JUDGEMENTS = 20_000;

type Program = { readonly code: string; readonly entryPoint: string | null; readonly setup: string };

export class PythonExecutor implements Executor {
  readonly sandbox: SandboxKind;
  readonly python: string;
  readonly seccomp: boolean | null;
  readonly limits: Limits;
  readonly #pool: Pool;
  readonly #judge: Judge;
  readonly #keys = new WeakMap<Problem, string>();
  readonly #prepared = new Map<string, Promise<Prepared>>();
  readonly #judgements = new Map<string, Judgement>();

  /** Starts the workers. Throws CodescoreError("environment") when they do not come up. */
  static async open(sandbox: Sandbox, limits: Limits, workers: number, isolate: boolean): Promise<PythonExecutor> {
    const pool = new Pool(sandbox, limits, workers, isolate);
    try {
      return new PythonExecutor(sandbox, await pool.start(), limits, pool);
    } catch (error) {
      await pool.close();
      const why = error instanceof Error ? error.message : String(error);
      throw new CodescoreError("environment", `the ${sandbox.kind} sandbox does not start: ${why}`, { cause: error });
    }
  }

  private constructor(sandbox: Sandbox, { python, unfiltered }: Hello, limits: Limits, pool: Pool) {
    this.sandbox = sandbox.kind;
    this.python = python;
    this.seccomp = unfiltered === undefined ? null : unfiltered === null;
    this.limits = limits;
    this.#pool = pool;
    this.#judge = new Judge(sandbox);
  }

  async execute(problem: Problem, code: string): Promise<Execution> {
    try {
      const prepared = await this.#prepare(problem);
      if (prepared.reason !== null) return unlabelled("no_label", prepared.reason);
      return summarise(await this.#verdicts(problem, prepared, code));
    } catch (error) {
      if (error instanceof CodescoreError && error.code === "infra") return unlabelled("infra", error.message);
      throw error;
    }
  }

  async answers(
    program: Program,
    inputs: readonly ProgramInput[],
    cpuS = unknownBudget(this.limits),
  ): Promise<Answer[]> {
    if (inputs.length === 0) return [];
    const suite = suiteOf(program, inputs);
    const seconds = inputs.map(() => cpuS);
    const lines = await this.#pool.run(suite, program.code, () => ({ seconds, final: true }));
    return lines.map(answerOf);
  }

  async inputs(problem: Problem): Promise<ProgramInput[]> {
    return inputsOf(await this.#prepare(problem));
  }

  modules(): Promise<readonly string[]> {
    return this.#judge.modules();
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#judge.close()]);
  }

  #prepare(problem: Problem): Promise<Prepared> {
    const key = this.#keys.get(problem) ?? problemKey(problem);
    this.#keys.set(problem, key);
    let prepared = this.#prepared.get(key);
    this.#prepared.delete(key);
    if (!prepared) {
      prepared = prepareProblem(problem, this.#judge, this.#pool, this.limits);
      prepared.catch(() => this.#prepared.delete(key)); // a fault of the harness is not kept
    }
    this.#prepared.set(key, prepared);
    forgetOldest(this.#prepared, KEPT_PROBLEMS);
    return prepared;
  }

  async #verdicts(problem: Problem, prepared: Prepared, code: string): Promise<Verdict[]> {
    const [calls, streams] = await Promise.all([prepared.calls.run(code), prepared.streams.run(code)]);
    const judgements = await this.#judgeAll(problem, prepared, calls);
    return Promise.all(
      prepared.units.map((unit, index) => {
        if (unit.kind === "equal") {
          return equalVerdict(unit, calls[unit.inputs[0] as number] as Line, this.limits.strictTypes);
        }
        if (unit.kind === "stdio") return streamVerdict(unit, streams[unit.input] as Line);
        if (unit.kind === "opaque") return this.#opaque(unit.test, unit.suite, code);
        const failed = firstFailure(unit, calls);
        if (failed) return failure(unit.test, failed);
        const judgement = judgements.get(index) as Judgement;
        if (judgement === "opaque") {
          return this.#opaque(unit.test, opaqueSuite(prepared.key, problem, index, unit.code), code);
        }
        return judgedVerdict(unit.test, judgement);
      }),
    );
  }

  /** Judgements of the units that need the trusted process, by place; the same answers are judged once. */
  async #judgeAll(problem: Problem, prepared: Prepared, calls: readonly Line[]): Promise<Map<number, Judgement>> {
    const found = new Map<number, Judgement>();
    const asked: { index: number; memo: string; request: readonly [number, readonly JudgeAnswer[]] }[] = [];
    prepared.units.forEach((unit, index) => {
      if (unit.kind !== "judge" || firstFailure(unit, calls)) return;
      const lines = unit.inputs.map((i) => calls[i] as Line);
      const answers = lines.map(({ status, payload }) => (status === "v" ? payload : describe(payload)));
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

  /** Test code that runs beside the program, in a process of its own. */
  async #opaque(test: string, suite: Suite, code: string): Promise<Verdict> {
    const budgets = { seconds: [unknownBudget(this.limits)] };
    const [line] = (await this.#pool.run(suite, code, () => budgets)) as [Line];
    if (line.status === "v") return { testId: test, outcome: "pass", opaque: true };
    return { ...failure(test, line), opaque: true };
  }
}

function suiteOf({ entryPoint, setup }: Program, inputs: readonly ProgramInput[]): Suite {
  const args = inputs.flatMap((input) => ("args" in input ? [input.args] : []));
  const texts = inputs.flatMap((input) => ("stdin" in input ? [input.stdin] : []));
  if (args.length > 0 && texts.length > 0) {
    throw new CodescoreError("usage", "expected inputs of one kind, argument lists or stdin, got both");
  }
  if (args.length > 0 && entryPoint === null) {
    throw new CodescoreError("usage", "expected a program with an entry point for inputs that are argument lists");
  }
  const mode = args.length > 0 ? "call" : "stdin";
  const suite = { mode, entry: entryPoint ?? "", setup, inputs: args.length > 0 ? args : texts } as const;
  return { ...suite, key: sha256(JSON.stringify(suite)) };
}

function answerOf(line: Line): Answer {
  if (line.status === "t") return { outcome: "timeout" };
  if (line.status === "m") return { outcome: "memory" };
  if (line.status === "v") {
    const value = tryDecode(line.payload);
    if (value) return { outcome: "ok", value, cpuS: line.cpuS };
  }
  const [errorType, message] = line.status === "v" ? MALFORMED : describe(line.payload);
  return { outcome: "error", errorType, message };
}

const MALFORMED = ["MalformedAnswer", "the program's process sent something that is no answer"] as const;

/** [class, message] of an error line; whatever else a program may have sent instead is malformed. */
function describe(payload: string): readonly [string, string] {
  try {
    const [type, message] = JSON.parse(payload) as unknown[];
    if (typeof type === "string" && typeof message === "string") return [type, message];
  } catch {
    // below
  }
  return MALFORMED;
}

function tryDecode(text: string): ReturnType<typeof decodeValue> | null {
  try {
    return decodeValue(text);
  } catch {
    return null;
  }
}

function equalVerdict(unit: Extract<Unit, { kind: "equal" }>, line: Line, strict: boolean): Verdict {
  const { test, expected, tolerance } = unit;
  if (line.status !== "v") return failure(test, line);
  if (line.payload === expected) return { testId: test, outcome: "pass" };
  const value = tryDecode(line.payload);
  if (!value) return { testId: test, outcome: "error", errorType: MALFORMED[0], message: MALFORMED[1] };
  const same = equalValues(value, decodeValue(expected as string), tolerance, strict);
  return { testId: test, outcome: same ? "pass" : "fail" };
}

function streamVerdict({ test, expected }: Extract<Unit, { kind: "stdio" }>, line: Line): Verdict {
  if (line.status !== "v") return failure(test, line);
  const printed = JSON.parse(line.payload) as string;
  return { testId: test, outcome: sameOutput(printed, expected) ? "pass" : "fail" };
}

/** Output compared as APPS does: spaces at the ends of lines and empty lines at the end do not count. */
export const sameOutput = (a: string, b: string): boolean => normalised(a) === normalised(b);

const normalised = (text: string): string => text.replace(/[ \t\r\f\v]+$/gm, "").replace(/\n+$/, "");

const firstFailure = (unit: Extract<Unit, { kind: "judge" }>, calls: readonly Line[]): Line | undefined =>
  unit.inputs
    .map((i) => calls[i] as Line)
    .find(({ status }) => status === "t" || status === "m" || status === "l" || (status === "e" && !unit.guarded));

function failure(test: string, { status, payload }: Line): Verdict {
  if (status === "t") return { testId: test, outcome: "timeout" };
  if (status === "m") return { testId: test, outcome: "memory" };
  const [errorType, message] = describe(payload);
  // An assert that does not hold in a call, the program's own or the test's, is a wrong answer and not a crash.
  if (status === "e" && errorType === "AssertionError") return { testId: test, outcome: "fail" };
  return { testId: test, outcome: "error", errorType, message };
}

function judgedVerdict(test: string, judgement: Judgement): Verdict {
  if (judgement === "pass" || judgement === "fail") return { testId: test, outcome: judgement };
  const [errorType, message] = judgement as readonly [string, string];
  return { testId: test, outcome: "error", errorType, message };
}

function summarise(verdicts: readonly Verdict[]): Execution {
  const stopped = verdicts.find(({ outcome }) => outcome !== "pass" && outcome !== "fail");
  return {
    status: "ok",
    verdicts,
    passRatio: verdicts.filter(({ outcome }) => outcome === "pass").length / verdicts.length,
    executable: stopped ? 0 : 1,
    firstError: stopped ? nameOf(stopped) : null,
    reason: null,
  };
}

function nameOf({ outcome, errorType }: Verdict): string {
  if (outcome === "timeout") return "Timeout";
  return outcome === "memory" ? "MemoryError" : (errorType ?? "Error");
}

const unlabelled = (status: "no_label" | "infra", reason: string): Execution => ({
  status,
  verdicts: [],
  passRatio: null,
  executable: null,
  firstError: null,
  reason,
});

function forgetOldest(map: Map<string, unknown>, kept: number): void {
  for (const key of map.keys()) {
    if (map.size <= kept) return;
    map.delete(key);
  }
}
