/**
 * Prepares a problem once: turns its test cases into suites of inputs and units to judge. The first reference runs if the tests leave
 * answers open, and to find asserts that cannot be judged on plain answers. Judges no candidate.
 */
import type { Problem, TestCase } from "../types.ts";
import { sha256 } from "../util/files.ts";
import type { Judge, JudgeUnit } from "./judge.ts";
import { takesAnyForm } from "./oracle.ts";
import type { Pool } from "./pool.ts";
import type { Line, Suite } from "./protocol.ts";
import { TimedSuite } from "./timed.ts";
import type { Limits, ProgramInput } from "./types.ts";
import { firstFailure, judgeAnswers, type Unit } from "./verdicts.ts";

export interface Prepared {
  readonly key: string;
  readonly units: readonly Unit[];
  readonly calls: TimedSuite;
  readonly streams: TimedSuite;
  /** Tests that run unsplit in the program's namespace, one process per test. */
  readonly whole: TimedSuite;
  /** Unsplit tests that come as a script, all in one process. */
  readonly script: TimedSuite;
  /** Why the problem has no label; null if there is something to run. */
  readonly reason: string | null;
}

export const problemKey = ({ prompt, entryPoint, setup, tests, references, oracle, asText, files }: Problem): string =>
  sha256(JSON.stringify([prompt, entryPoint, setup, tests, references[0] ?? null, oracle, asText, files?.sha256]));

/** The program to run. If the tests want the program's text, a program that assigns it to a name. A JSON string is also a Python string. */
export const asGiven = ({ asText }: Problem, code: string): string =>
  asText ? `solution = ${JSON.stringify(code)}\n` : code;

/** `files`: the name of the folder with the problem's data files (`Suite`). */
export async function prepareProblem(
  problem: Problem,
  judge: Judge,
  { pool, name: files }: { readonly pool: Pool; readonly name?: string },
  limits: Limits,
): Promise<Prepared> {
  const key = problemKey(problem);
  const streamTests = problem.tests.filter((test) => test.kind === "stdio");
  const codeTests = problem.tests.filter((test) => test.kind !== "stdio");
  const split = codeTests.length > 0 ? await judge.prepare(key, { ...problem, tests: codeTests }) : NOTHING;
  const { setup, entryPoint } = problem;
  const [first] = problem.references;
  const reference = first === undefined ? first : asGiven(problem, first);
  const timed = (suite: Suite): TimedSuite =>
    new TimedSuite(files === undefined ? suite : { ...suite, files }, reference, pool, limits);
  const calls = timed({ key, mode: "call", entry: entryPoint ?? "", setup, inputs: split.inputs });
  const inputs = streamTests.map(({ stdin }) => stdin);
  const streams = timed({ key: `${key}/stdin`, mode: "stdin", entry: "", setup, inputs });
  const [callLines, streamLines] = await Promise.all([
    split.units.some((unit) => unit.kind === "judge" || (unit.kind === "equal" && unit.expected === null))
      ? calls.reference()
      : [],
    streamTests.some(({ expected }) => expected === null) ? streams.reference() : [],
  ]);
  const objects = await unfit(split.units, callLines, key, { ...problem, tests: codeTests }, judge);
  const skipped: (readonly [string, string])[] = [...split.skipped];
  const units: Unit[] = [];
  const beside: Record<"whole" | "script", string[]> = { whole: [], script: [] };
  const scripts = new Set(codeTests.flatMap((test) => (test.kind === "assert" && test.whole ? [test.id] : [])));
  split.units.forEach((unit) => {
    if (unit.kind === "opaque" || (unit.kind === "judge" && objects.has(unit))) {
      const suite = scripts.has(unit.test) ? "script" : "whole";
      units.push({ kind: "opaque", test: unit.test, suite, input: beside[suite].push(unit.code) - 1 });
    } else if (unit.kind === "equal" && unit.expected === null) {
      const line = callLines[unit.inputs[0] as number];
      if (line?.status === "v" && (takesAnyForm(problem.oracle) || comparable(line.payload)))
        units.push({ ...unit, expected: line.payload });
      else skipped.push([unit.test, noAnswer(line)]);
    } else {
      units.push(unit);
    }
  });
  streamTests.forEach((test, input) => {
    const expected = test.expected ?? streamAnswer(streamLines[input]);
    if (expected !== null) units.push({ kind: "stdio", test: test.id, input, expected });
    else skipped.push([test.id, noAnswer(streamLines[input])]);
  });
  const order = new Map(problem.tests.map(({ id }, index) => [id, index]));
  const place = ({ test }: Unit): number => order.get(test) ?? order.get(test.slice(0, test.lastIndexOf("/"))) ?? 0;
  return {
    key,
    units: units
      .map((unit, i) => [unit, place(unit), i] as const)
      .sort((a, b) => a[1] - b[1] || a[2] - b[2])
      .map(([unit]) => unit),
    calls,
    streams,
    whole: timed({ key: `${key}/whole`, mode: "exec", entry: "", setup, inputs: beside.whole }),
    script: timed({ key: `${key}/script`, mode: "script", entry: "", setup, inputs: beside.script }),
    reason: units.length > 0 ? null : reasonOf(problem.tests, skipped),
  };
}

/** Asserts that cannot be judged even on the reference's plain answers: they need its objects, or make other calls. */
async function unfit(
  units: readonly JudgeUnit[],
  reference: readonly Line[],
  key: string,
  problem: Problem,
  judge: Judge,
): Promise<ReadonlySet<JudgeUnit>> {
  const asked = units.flatMap((unit) =>
    unit.kind === "judge" && reference.length > 0 && !firstFailure(unit, reference) ? [unit] : [],
  );
  if (asked.length === 0) return new Set();
  const judgements = await judge.check(
    key,
    problem,
    asked.map((unit) => [unit.number, judgeAnswers(unit, reference)]),
  );
  return new Set(asked.filter((_, i) => judgements[i] === "opaque"));
}

const NOTHING = { inputs: [], units: [], skipped: [] } as const;

const streamAnswer = (line: Line | undefined): string | null =>
  line?.status === "v" ? (JSON.parse(line.payload) as string) : null;

function noAnswer(line: Line | undefined): string {
  if (!line) return "it has no expected answer, and the problem has no reference";
  return `it has no expected answer, and the reference gives none (${line.status === "e" || line.status === "l" ? line.payload : STOPPED[line.status]})`;
}

/** Whether an answer can be compared: iterators and functions have an empty form. */
const comparable = (text: string): boolean => !/\["o","[^"]*",""\]/.test(text);

const STOPPED = { v: "an iterator or function", m: "out of memory", t: "timeout", n: "timeout" } as const;

function reasonOf(tests: readonly TestCase[], skipped: readonly (readonly [string, string])[]): string {
  const [first] = skipped;
  if (tests.length === 0 || !first) return "the problem has no test cases";
  return `none of the ${tests.length} test cases can be judged; ${first[0]}: ${first[1]}`;
}

/** The inputs on which the candidates of a problem run. */
export const inputsOf = ({ calls, streams }: Prepared): ProgramInput[] => [
  ...calls.suite.inputs.map((args) => ({ args })),
  ...streams.suite.inputs.map((stdin) => ({ stdin })),
];
