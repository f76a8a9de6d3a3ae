/** The tasks of IdentityChain, from the problems of a set. Recordings of the authors' release are in recorded.ts. */
import { CodescoreError } from "../../errors.ts";
import type { Problem } from "../../types.ts";
import { defaultPrompts, readTemplate, render } from "../llm/prompts.ts";
import { placeAnswer } from "../synthesis/place.ts";
import { compose, cutRegion, joinParts, type Region } from "../synthesis/region.ts";
import type { ChainTask } from "./chain.ts";
import { maskFor, renameFunction } from "./mask.ts";

export interface IdentityTask {
  readonly chain: ChainTask;
  readonly problem: Problem;
  /** Code that defines the function with `pass` as its body. Contracts are checked with it. */
  readonly header: string;
  /** The result of each test at each step, as another harness recorded it. */
  readonly recorded?: readonly (readonly string[])[];
}

export interface IdentityTasks {
  readonly tasks: readonly IdentityTask[];
  /** Problems that cannot form a chain, and why. */
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
  /** SHA-256 of each prompt file. Empty for recordings. */
  readonly prompts: Readonly<Record<string, string>>;
}

/** The frame of a problem's programs, with the function's original name and with a masked name. */
export interface Frame {
  readonly own: Region;
  readonly masked: Region;
  readonly header: string;
}

/**
 * The problems as chains.
 * @param prompts folder with identity-forward.txt and identity-backward.txt
 * @param shots number of their examples to show (default: all)
 * @throws `CodescoreError("input")` for unusable prompts
 */
export async function identityTasks(
  problems: Iterable<Problem>,
  prompts: string = defaultPrompts,
  shots?: number,
): Promise<IdentityTasks> {
  const forward = await readTemplate(prompts, "identity-forward", { places: ["code"], needed: ["code"], shots });
  const backward = await readTemplate(prompts, "identity-backward", {
    places: ["before", "indent", "description"],
    needed: ["before", "description"],
    shots,
  });
  const tasks: IdentityTask[] = [];
  const skipped: { id: string; reason: string }[] = [];
  for (const problem of problems) {
    const frame = await frameOf(problem);
    if (typeof frame === "string") {
      skipped.push({ id: problem.id, reason: frame });
      continue;
    }
    const { own, masked, header } = frame;
    const chain: ChainTask = {
      id: problem.id,
      description: problem.description,
      write: (description, step) => {
        const { context, header: lines, indent } = step === 0 ? own : masked;
        const before = joinParts([context, lines]).trimEnd();
        return render(backward, { before, indent, description: docstring(description, indent) });
      },
      describe: async (program) =>
        render(forward, { code: (await rename(program, own.entry, masked.entry)).trimEnd() }),
      read: readDocstring,
      place: (answer, step) => placeUnmasked(frame, answer, step),
    };
    tasks.push({ chain, problem, header });
  }
  return { tasks, skipped, prompts: { forward: forward.sha256, backward: backward.sha256 } };
}

/** The program in an answer, under the function's original name. */
export async function placeUnmasked({ own, masked }: Frame, answer: string, step: number): Promise<string> {
  if (step === 0) return placeAnswer(own, answer);
  return rename(await placeAnswer(masked, answer), masked.entry, own.entry);
}

/** The lines that surround a problem's programs, from its prompt or its reference. A string says why there are none. */
export async function frameOf({ entryPoint, prompt, references }: Problem): Promise<Frame | string> {
  if (entryPoint === null) return { own: wholeProgram, masked: wholeProgram, header: "" };
  const sources = [...(prompt === "" ? [] : [`${prompt.trimEnd()}\n    pass\n`]), ...references.slice(0, 1)];
  let why = "the problem has neither a prompt nor a reference that gives the function's signature";
  for (const source of sources) {
    const found = await cutRegion(source, entryPoint).catch((error: unknown) => {
      if (error instanceof CodescoreError && error.code === "input") return error.message;
      throw error;
    });
    if (typeof found === "string") {
      why = found;
      continue;
    }
    // Keep only the imports of a reference, because its helper functions would reveal the answer.
    const context = source === sources[0] && prompt !== "" ? found.context : importsOf(found.context);
    const own = { ...found, context, after: "", afterTop: "" };
    const header = compose(own, `${own.indent}pass`);
    const mask = maskFor(header);
    return { own, masked: await cutRegion(await rename(header, own.entry, mask), mask), header };
  }
  return why;
}

const wholeProgram: Region = {
  context: "",
  header: "",
  target: "",
  after: "",
  top: null,
  afterTop: "",
  indent: "",
  entry: null,
};

const importsOf = (code: string): string =>
  code
    .split("\n")
    .filter((line) => /^(?:import|from)\s/.test(line))
    .join("\n");

const rename = async (code: string, from: string | null, to: string | null): Promise<string> =>
  from === null || to === null ? code : renameFunction(code, from, to);

/** A description formatted to stand between a docstring's quotes. */
const docstring = (text: string, indent: string): string =>
  text.replaceAll('"""', "'''").replace(/\n(?=[^\n])/g, `\n${indent}`);

/** A model's answer as the text of a docstring: without a fence, quotes, and the indent that all lines share. */
function readDocstring(answer: string): string {
  const text = answer.replace(/\r\n?/g, "\n").trim();
  // Remove only a fence around the whole text. Fences inside it stay.
  const fenced = /^```[^\n`]*\n([\s\S]*?)\n?```$/.exec(text)?.[1] ?? text;
  const inner = /^\s*(?:"""([\s\S]*)"""|'''([\s\S]*)''')\s*$/.exec(fenced);
  const [first = "", ...rest] = (inner?.[1] ?? inner?.[2] ?? fenced).trim().split("\n");
  const depths = rest.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)![0].length);
  const depth = depths.length === 0 ? 0 : Math.min(...depths);
  return [first, ...rest.map((line) => line.slice(depth))].map((line) => line.trimEnd()).join("\n");
}
