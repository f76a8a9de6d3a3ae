/**
 * Executes random programs with the shortcuts and without (`isolate`), and compares them test by test. Expected answers are those with
 * the shortcuts, so that a wrong answer becomes a wrong verdict. A difference close to a time limit is not an error: it is detected by the time
 * that the test takes alone, and counted.
 */
import type { Executor, ExecutorOptions, SandboxKind } from "../../../src/execute/index.ts";
import { printLiteral } from "../../../src/languages/python/literals/index.ts";
import type { Problem, Verdict } from "../../../src/types.ts";
import { Random } from "../../../src/util/random.ts";
import { open, problem } from "../open.ts";
import { eachProgram } from "../python.ts";

export interface RandomProgram {
  readonly code: string;
  readonly entry: string;
  /** The arguments of its tests. */
  readonly args: readonly string[];
}

export interface Found {
  /** Differences, each with its program. */
  readonly faults: readonly string[];
  /** Number of programs with a test so close to a time limit that any two runs may differ. */
  readonly near: number;
  /** Number of programs with a test of that outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/** One limit for all tests, so that a program's own time tells how near it is. */
const LIMIT_S = 0.06;
const NEAR = [0.4, 2.5] as const;
/** This many programs wait at once, and so share processes. */
const CROWD = 64;
const QUICK = "def %s(*a, **k): return 0";

/** An executor with the shortcuts and one without. */
export type Pair = readonly [shortened: Executor, isolated: Executor];

/** @param maxTimeouts after this many timeouts, a program's remaining tests are not run */
export function openPair(sandbox: SandboxKind, maxTimeouts: number): Promise<Pair> {
  const options: ExecutorOptions = { limits: { testCpuS: LIMIT_S, testFactor: 1, maxTimeouts }, workers: 1 };
  return Promise.all([open(sandbox, options), open(sandbox, { ...options, isolate: true })]);
}

export async function compared(
  [shortened, isolated]: Pair,
  make: (random: Random) => RandomProgram,
  count: number,
  seed: number,
): Promise<Found> {
  const random = new Random(seed);
  const [faults, outcomes]: [string[], Record<string, number>] = [[], {}];
  let near = 0;
  for (let done = 0; done < count; done += CROWD) {
    const programs = Array.from({ length: Math.min(CROWD, count - done) }, () => make(random));
    const tasks = await Promise.all(programs.map((program) => taskOf(program, shortened, random)));
    const run = (executor: Executor): Promise<readonly Verdict[][]> =>
      Promise.all(programs.map(async ({ code }, i) => [...(await executor.execute(tasks[i]!, code)).verdicts]));
    const [a, b] = [await run(shortened), await run(isolated)];
    for (const [i, program] of programs.entries()) {
      for (const outcome of new Set(b[i]!.map((verdict) => verdict.outcome)))
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      const place = b[i]!.findIndex((verdict, k) => textOf(verdict) !== textOf(a[i]![k]));
      if (place < 0 && a[i]!.length === b[i]!.length) continue;
      const [x, y] = [a[i]![place], b[i]![place]];
      const late = x?.outcome === "timeout" || y?.outcome === "timeout";
      if (late && (await isNear(program, place, isolated))) near += 1;
      else faults.push(`${program.args[place]}: ${JSON.stringify(x)}, alone ${JSON.stringify(y)}\n${program.code}`);
    }
  }
  return { faults, near, outcomes };
}

/** A verdict to compare. Ignores the message of a RecursionError: it names the failing call, which depends on what the interpreter has optimized. */
const textOf = (verdict: Verdict | undefined): string =>
  JSON.stringify(verdict?.errorType === "RecursionError" ? { ...verdict, message: "" } : verdict);

/** Tests that expect the program's own answers. Every second task has a reference that takes no time, so that budgets are provisional at first. */
async function taskOf({ code, entry, args }: RandomProgram, shortened: Executor, random: Random): Promise<Problem> {
  const inputs = args.map((text) => ({ args: text }));
  const answers = await shortened.answers({ code, entryPoint: entry, setup: "" }, inputs, LIMIT_S);
  const tests = args.map((text, i) => {
    const answer = answers[i];
    return [text, answer?.outcome === "ok" ? expectedOf(answer.value) : "0"] as const;
  });
  return problem(entry, tests, random.chance(0.5) ? { references: [QUICK.replace("%s", entry)] } : {});
}

function expectedOf(value: Parameters<typeof printLiteral>[0]): string {
  try {
    return printLiteral(value);
  } catch {
    return "0"; // not a plain value
  }
}

/** Whether a test, run alone, takes about as long as the limit. */
async function isNear({ code, entry, args }: RandomProgram, place: number, isolated: Executor): Promise<boolean> {
  const inTime = async (seconds: number): Promise<boolean> => {
    const inputs = [{ args: args[place] as string }];
    const [answer] = await isolated.answers({ code, entryPoint: entry, setup: "" }, inputs, seconds);
    return answer?.outcome !== "timeout";
  };
  return !(await inTime(NEAR[0] * LIMIT_S)) && (await inTime(NEAR[1] * LIMIT_S));
}

/** The share of programs for which a Python expression over `code` and its `tree` is true. */
export function share(
  make: (random: Random) => RandomProgram,
  count: number,
  seed: number,
  expression: string,
): number {
  const random = new Random(seed);
  const programs = Array.from({ length: count }, () => make(random).code);
  return eachProgram<boolean>(`bool(${expression})`, programs).filter(Boolean).length / count;
}
