/**
 * Inputs proposed by a language model: the prompt, and a strict parser of its answer. Calls no model.
 * Source: EvalPlus (Liu et al. 2023, section 2.1): shows the reference and some inputs, and asks for difficult ones.
 */

import { CodescoreError } from "../errors.ts";
import { codeBlocks } from "../languages/index.ts";
import { parseLiteral, printLiteral } from "../languages/python/literals/index.ts";
import type { Problem, ProgramInput } from "../types.ts";
import { readCall } from "./call.ts";

/** Maximum number of given inputs shown. */
const mostShown = 5;
/** Maximum characters of a shown input. A longer one would suggest long inputs and cost tokens. */
const longestShown = 600;

/** The prompt that asks for `count` inputs of a problem that has a reference. */
export function seedPrompt(problem: Problem, given: readonly ProgramInput[], count: number): string {
  const { references, entryPoint } = problem;
  const texts = given.map((input) =>
    "args" in input ? `${entryPoint}(${input.args})` : printLiteral({ t: "str", v: input.stdin }),
  );
  const shown = texts.filter((text) => text.length <= longestShown).slice(0, mostShown);
  const [what, form] =
    entryPoint === null
      ? ["texts that this program reads from standard input", "a Python string literal"]
      : [`calls of the function \`${entryPoint}\``, `\`${entryPoint}(...)\` with literals as arguments`];
  return [
    `Here is a correct Python program:\n\n\`\`\`python\n${(references[0] ?? "").trim()}\n\`\`\``,
    ...(problem.contract.trim() === ""
      ? []
      : [`Valid inputs satisfy:\n\n\`\`\`python\n${problem.contract.trim()}\n\`\`\``]),
    ...(shown.length === 0 ? [] : [`Examples of its inputs:\n\n\`\`\`python\n${shown.join("\n")}\n\`\`\``]),
    `Write ${count} more ${what} that a wrong implementation may get wrong: corner cases and difficult inputs, all of them valid and different. Write each as ${form}, one a line, in one \`\`\`python block, with nothing else in it.`,
  ].join("\n\n");
}

export interface ReadSeeds {
  /** Distinct, in the order of the model's answer. */
  readonly inputs: readonly ProgramInput[];
  /** Number of lines that are not inputs: prose, expressions, calls of another function. */
  readonly junk: number;
}

/**
 * The inputs in an answer: calls with only literals (or string literals, for programs that read stdin), one per line, in its
 * fenced blocks, or in the whole answer if it has no block. Nothing is evaluated and nothing is guessed: every other line is junk.
 */
export function readSeeds(problem: Problem, answer: string): ReadSeeds {
  const blocks = codeBlocks(answer);
  const lines = (blocks.length > 0 ? blocks : [answer])
    .flatMap((block) => block.split("\n"))
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const inputs = new Map<string, ProgramInput>();
  let junk = 0;
  for (const line of lines) {
    const input = readSeed(problem, line);
    if (input === null) junk += 1;
    else inputs.set(JSON.stringify(input), input);
  }
  return { inputs: [...inputs.values()], junk };
}

function readSeed({ entryPoint }: Problem, line: string): ProgramInput | null {
  try {
    if (entryPoint === null) {
      const value = parseLiteral(line);
      return value.t === "str" ? { stdin: value.v } : null;
    }
    const args = line.startsWith(`${entryPoint}(`) && line.endsWith(")") ? line.slice(entryPoint.length + 1, -1) : null;
    if (args === null) return null;
    const call = readCall(args);
    return call.length > 0 && call.every(({ value }) => value !== null) ? { args: args.trim() } : null;
  } catch (error) {
    if (error instanceof CodescoreError) return null;
    throw error;
  }
}
