/** What goes along the chains of IdentityChain: problems of a set. Recordings of the authors' release: recorded.ts. */
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
  /** Code that defines the function with a body of `pass`: what a contract is checked with. */
  readonly header: string;
  /** What each test came to at each step, as another harness wrote it down. */
  readonly recorded?: readonly (readonly string[])[];
}

export interface IdentityTasks {
  readonly tasks: readonly IdentityTask[];
  /** What cannot go along a chain, and why. */
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
  /** SHA-256 of each prompt file; empty for recordings. */
  readonly prompts: Readonly<Record<string, string>>;
}

/** A frame for programs, under the function's own name and with the name hidden. */
export interface Frame {
  readonly own: Region;
  readonly masked: Region;
  readonly header: string;
}

/**
 * The problems as chains. `prompts` is a folder with identity-forward.txt and identity-backward.txt, `shots` how many of its examples
 * are shown (default: all).
 * Throws `CodescoreError("input")` for prompts that cannot be used.
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

/** The program in an answer, under the function's own name. */
export async function placeUnmasked({ own, masked }: Frame, answer: string, step: number): Promise<string> {
  if (step === 0) return placeAnswer(own, answer);
  return rename(await placeAnswer(masked, answer), masked.entry, own.entry);
}

/** Around which lines programs for the problem are written: its prompt's, or its reference's; or why there are none. */
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
    // Of a reference only imports stand around: its helpers would give the answer away.
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

/** As it stands between the quotes of a docstring. */
const docstring = (text: string, indent: string): string =>
  text.replaceAll('"""', "'''").replace(/\n(?=[^\n])/g, `\n${indent}`);

/** What a model said as a docstring's text: without a fence, quotes, and the white space that all lines share. */
function readDocstring(answer: string): string {
  const text = answer.replace(/\r\n?/g, "\n").trim();
  // A fence around all of it: the text may have fences of its own, which stay.
  const fenced = /^```[^\n`]*\n([\s\S]*?)\n?```$/.exec(text)?.[1] ?? text;
  const inner = /^\s*(?:"""([\s\S]*)"""|'''([\s\S]*)''')\s*$/.exec(fenced);
  const [first = "", ...rest] = (inner?.[1] ?? inner?.[2] ?? fenced).trim().split("\n");
  const depths = rest.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)![0].length);
  const depth = depths.length === 0 ? 0 : Math.min(...depths);
  return [first, ...rest.map((line) => line.slice(depth))].map((line) => line.trimEnd()).join("\n");
}
