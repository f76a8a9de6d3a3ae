/** For each candidate, the one input that shows best what is wrong. */
import type { Answer, Executor } from "../execute/index.ts";
import { parseLiteral } from "../languages/python/literals/index.ts";
import type { Counterexample, ProgramInput } from "../types.ts";
import { sizeOf } from "./choose.ts";
import type { Constraints } from "./constraints/index.ts";
import { isPrinted } from "./entry.ts";
import { holds } from "./examples.ts";
import { constraintsOf } from "./find.ts";
import { keepsKeys } from "./keys.ts";
import { LEAST_CPU_S, type Observed } from "./observe.ts";
import { type Known, Oracle, sameAnswer } from "./oracle.ts";
import { refusing } from "./raised.ts";
import { showAnswer, showInput, showValue } from "./show.ts";
import { type Difference, shrink } from "./shrink.ts";
import type { Task } from "./types.ts";
import { handledBy, type Trait, unusual } from "./unusual.ts";

/** A program without any of these keeps nothing from one call to the next: variables outside of functions, defaults that are objects, classes. */
const MAY_REMEMBER =
  /^(?!def\b|from\b|import\b|#)\w[^\n=]*=|\bdef\b[^\n]*=[ \t]*(?:[[{]|\w+\()|^class\b|\b(?:global|nonlocal|random|setattr)\b/m;

/**
 * Returns a function that finds the counterexample of a candidate, given its place. It is the smallest example of the description that the
 * candidate fails; otherwise the smallest input on which candidate and reference differ, after shrinking. An input that is unusual (unusual.ts)
 * or refused (raised.ts) is used only if they differ on no other. Null if there is no such input.
 */
export function counterexamplesOf(
  task: Task,
  { inputs, candidates }: Observed,
  executor: Executor,
): (index: number) => Promise<Counterexample | null> {
  const { entry, setup, known, examples } = inputs;
  const shown = examples.map(({ input }) => input);
  /** Read from the texts of the task only if a candidate differs. */
  let read: { readonly handled: readonly Trait[]; readonly constraints: Constraints | undefined } | undefined;
  const areUnusual = (tried: readonly ProgramInput[]): boolean[] => {
    if (read === undefined) {
      // Of all inputs the longest, because it shows the kinds of items.
      const [sample] = known.map(({ input }) => input).sort((a, b) => sizeOf(b) - sizeOf(a));
      const constraints = sample === undefined ? undefined : constraintsOf(task, entry, sample, shown);
      read = { handled: handledBy(task, entry), constraints };
    }
    return unusual(tried, shown, read.handled, read.constraints);
  };
  const limit = { steps: null, cpuS: LEAST_CPU_S[entry.kind] };
  const oracle = new Oracle(executor, entry, setup, task, { asked: 0, limit });
  const valid = remembering(oracle);
  /** By a candidate's answers: the shrunk difference of the first candidate with these answers. */
  const found = new Map<string, Promise<Difference>>();
  /** Whether a candidate gives the wrong answer only after other calls in the same process, as with a mutable default argument. */
  const needsOthers = async (
    index: number,
    input: ProgramInput,
    got: Answer,
    isRight: (answer: Answer) => boolean,
  ): Promise<boolean> => {
    if (got.outcome !== "ok" && got.outcome !== "error") return false; // time and memory differ from run to run
    const code = task.candidates[index]!;
    if (!MAY_REMEMBER.test(code)) return false;
    const [alone] = await oracle.run(code, [input]);
    return isRight(alone!);
  };
  return async (index) => {
    const { agrees, refused, answers, exampleAnswers } = candidates[index]!;
    const failed = examples
      .map((example, i) => ({ example, got: exampleAnswers[i]! }))
      .filter(({ example, got }) => !holds(example, got))
      .sort((a, b) => sizeOf(a.example.input) - sizeOf(b.example.input))[0];
    if (failed !== undefined) {
      const { example, got } = failed;
      const value =
        "stdin" in example.input ? ({ t: "str", v: example.expected } as const) : parseLiteral(example.expected);
      const texts = { input: showInput(example.input, entry), expected: showValue(value), got: showAnswer(got) };
      const isLater = await needsOthers(index, example.input, got, (answer) => holds(example, answer));
      return isLater ? { ...texts, afterOtherCalls: true } : texts;
    }
    if (agrees === null || task.reference === null) return null;
    const places = answers.flatMap((_, i) => (agrees[i] ? [] : [i]));
    const differing = places.map(
      (i): Difference => ({ input: known[i]!.input, expected: known[i]!.answer!, got: answers[i]! }),
    );
    if (differing.length === 0) return null;
    const refuses = refused.includes(true) ? refusing(task.candidates[index]!) : () => false;
    const isUnusual = areUnusual(differing.map(({ input }) => input));
    const usual = differing.filter((_, i) => !isUnusual[i] && !refused[places[i]!]);
    const smallest = (usual.length > 0 ? usual : differing).sort((a, b) => sizeOf(a.input) - sizeOf(b.input))[0]!;
    const hasKeys = keepsKeys(task.reference, [smallest.input]);
    const differ = async (tried: readonly ProgramInput[]): Promise<Difference[]> => {
      // A usual input is only shrunk to usual ones that are not refused, because the task defines their answers.
      const isOut = usual.length > 0 ? areUnusual(tried) : [];
      const answered = await valid(tried.filter((input, i) => !isOut[i] && hasKeys(input)));
      if (answered.length === 0) return [];
      const got = await oracle.run(
        task.candidates[index]!,
        answered.map(({ input }) => input),
      );
      // Inputs after a timeout were not run.
      const late = got.findIndex(({ outcome }) => outcome === "timeout");
      return answered
        .slice(0, late < 0 ? answered.length : late + 1)
        .flatMap(({ input, answer }, i) =>
          sameAnswer(got[i]!, answer!, isPrinted(entry)) || (usual.length > 0 && refuses(got[i]!))
            ? []
            : [{ input, expected: answer!, got: got[i]! }],
        );
    };
    const key = JSON.stringify(answers.map((answer) => (answer.outcome === "ok" ? answer.text : answer)));
    const before = found.get(key);
    const shrunk = (async (): Promise<Difference> => {
      // Candidates with the same answers mostly fail on the same smallest input.
      const [same] = before === undefined ? [] : await differ([(await before).input]);
      return same ?? shrink(smallest, differ);
    })();
    if (before === undefined) found.set(key, shrunk);
    const { input, expected, got } = await shrunk;
    const texts = { input: showInput(input, entry), expected: showAnswer(expected), got: showAnswer(got) };
    const isLater = await needsOthers(index, input, got, (answer) => sameAnswer(answer, expected, isPrinted(entry)));
    return {
      ...texts,
      // An unusual input may have been shrunk to a usual one.
      ...((areUnusual([input])[0] || refuses(got)) && { unusual: true }),
      ...(isLater && { afterOtherCalls: true }),
    };
  };
}

/** `oracle.known` with a memory: the reference runs once per input. Candidates that fail on one input mostly share the smaller inputs to try. */
function remembering(oracle: Oracle): (inputs: readonly ProgramInput[]) => Promise<Known[]> {
  const asked = new Map<string, Promise<Known | undefined>>();
  return async (inputs) => {
    const fresh = inputs.filter((input) => !asked.has(JSON.stringify(input)));
    const known = oracle.known(fresh);
    for (const input of fresh) {
      asked.set(
        JSON.stringify(input),
        known.then((all) => all.find((one) => one.input === input)),
      );
    }
    const all = await Promise.all(inputs.map((input) => asked.get(JSON.stringify(input))!));
    return all.filter((one) => one !== undefined);
  };
}
