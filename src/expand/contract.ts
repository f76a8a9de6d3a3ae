/**
 * Contracts written by a language model: the prompt, and a strict parser of its answer. Calls no model and runs nothing.
 * Source: EvalPlus writes contracts by hand (Liu et al. 2023, section 2.3).
 */
import { codeBlocks } from "../languages/index.ts";
import type { Problem, ProgramInput } from "../types.ts";

/** Maximum number of asserts that are read. Each may be run on its own. */
const mostAsserts = 20;
/** Maximum characters of an assert. A longer one lists values instead of a rule. */
const longestAssert = 300;
/** Maximum number of given inputs shown. */
const mostShown = 5;
/** Maximum characters of a shown input. */
const longestShown = 600;

/** The prompt that asks which arguments of a function are valid. */
export function contractPrompt(
  { entryPoint, references }: Pick<Problem, "entryPoint" | "references">,
  description: string,
  given: readonly ProgramInput[],
): string {
  const calls = given.flatMap((input) => ("args" in input ? [`${entryPoint}(${input.args})`] : []));
  const shown = calls.filter((text) => text.length <= longestShown).slice(0, mostShown);
  return [
    ...(description.trim() === "" ? [] : [`A task:\n\n${description.trim()}`]),
    `A correct solution in Python:\n\n\`\`\`python\n${(references[0] ?? "").trim()}\n\`\`\``,
    `Valid calls:\n\n\`\`\`python\n${shown.join("\n")}\n\`\`\``,
    `Which arguments of \`${entryPoint}\` does the task allow? Write the conditions that all valid arguments satisfy: types, ranges, lengths, order, letters. Write each as an \`assert\` on one line that uses only the parameters of \`${entryPoint}\`, in one \`\`\`python block, with nothing else in it. If all arguments are valid, leave the block empty.`,
  ].join("\n\n");
}

/**
 * The asserts in an answer: single lines in its fenced blocks, or in the whole answer if it has no block. An assert that calls the function
 * itself is a test, not a condition.
 */
export function readContract(answer: string, entryPoint: string): string[] {
  const blocks = codeBlocks(answer);
  const lines = (blocks.length > 0 ? blocks : [answer])
    .flatMap((block) => block.split("\n"))
    .map((line) => line.trim());
  const asserts = lines.filter(
    (line) => line.startsWith("assert ") && line.length <= longestAssert && !line.includes(`${entryPoint}(`),
  );
  return [...new Set(asserts)].slice(0, mostAsserts);
}
