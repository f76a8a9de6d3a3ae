/** The one input that shows best how a candidate goes wrong. */
import type { Executor } from "../execute/index.ts";
import { parseLiteral } from "../languages/python/literals/index.ts";
import type { Counterexample, ProgramInput } from "../types.ts";
import { sizeOf } from "./choose.ts";
import { holds } from "./examples.ts";
import type { Observed } from "./observe.ts";
import { Oracle, sameAnswer } from "./oracle.ts";
import { showAnswer, showInput, showValue } from "./show.ts";
import { type Difference, shrink } from "./shrink.ts";
import type { Task } from "./types.ts";

/**
 * A failed example of the description, the smallest; else the smallest input on which candidate and reference differ, made smaller still.
 * Null where nothing of that kind was seen.
 */
export async function counterexampleOf(
  task: Task,
  { inputs, candidates }: Observed,
  index: number,
  executor: Executor,
): Promise<Counterexample | null> {
  const { entry, setup, known, examples } = inputs;
  const { agrees, answers, exampleAnswers } = candidates[index]!;
  const failed = examples
    .map((example, i) => ({ example, got: exampleAnswers[i]! }))
    .filter(({ example, got }) => !holds(example, got))
    .sort((a, b) => sizeOf(a.example.input) - sizeOf(b.example.input))[0];
  if (failed !== undefined) {
    const { example, got } = failed;
    const isPrinted = "stdin" in example.input;
    const value = isPrinted ? ({ t: "str", v: example.expected } as const) : parseLiteral(example.expected);
    return { input: showInput(example.input, entry), expected: showValue(value), got: showAnswer(got) };
  }
  if (agrees === null || task.reference === null) return null;
  const differing = known
    .slice(0, answers.length)
    .flatMap(({ input, answer }, i): Difference[] =>
      agrees[i] ? [] : [{ input, expected: answer!, got: answers[i]! }],
    );
  const [smallest] = differing.sort((a, b) => sizeOf(a.input) - sizeOf(b.input));
  if (smallest === undefined) return null;
  const oracle = new Oracle(
    executor,
    entry,
    setup,
    { reference: task.reference, candidates: [] },
    { asked: 0, trialCpuS: 0.1 },
  );
  const differ = async (tried: readonly ProgramInput[]): Promise<Difference[]> => {
    const valid = await oracle.known(tried);
    if (valid.length === 0) return [];
    const got = await oracle.run(
      task.candidates[index]!,
      valid.map(({ input }) => input),
    );
    return valid.flatMap(({ input, answer }, i) =>
      sameAnswer(got[i]!, answer!, "stdin" in input) ? [] : [{ input, expected: answer!, got: got[i]! }],
    );
  };
  const { input, expected, got } = await shrink(smallest, differ);
  return { input: showInput(input, entry), expected: showAnswer(expected), got: showAnswer(got) };
}
