/** Finds the fenced blocks of a Markdown answer, and which of them may be the program. */
import { foreignNamed, type Language } from "./registry.ts";

/** The code of each block, in any language, of an answer that begins outside a block. Line ends are `\n`. */
export const codeBlocks = (answer: string): string[] =>
  readFences(answer.replace(/\r\n?/g, "\n"), { begun: false }).blocks.map(({ code }) => code);

/** The first block of such an answer, or the whole answer if it has no block. */
export const answeredCode = (answer: string): string => codeBlocks(answer)[0] ?? answer;

/** The parts of an answer that may be the program, the most likely first. */
export function candidatesIn(answer: string): string[] {
  const text = answer.replace(/\r\n?/g, "\n");
  const { blocks } = readFences(text);
  return blocks.length === 0 ? [text] : pythonParts(blocks);
}

export interface Block {
  /** The text after the fence's ticks; usually empty or a language. */
  readonly tag: string;
  readonly code: string;
}

export interface Fenced {
  readonly blocks: readonly Block[];
  /** The text before the first block. */
  readonly before: string;
  /** All text that is in no block. */
  readonly outside: string;
}

/** The blocks that are untagged or tagged as Python. If there are several, all of them joined come last. */
export function pythonParts(blocks: readonly Block[]): string[] {
  const python = blocks.filter(({ tag }) => /^(?:python\w*|py\w*|)$/i.test(tag)).map(({ code }) => code);
  return [...python, ...(python.length > 1 ? [python.join("\n")] : [])];
}

export interface FenceOptions {
  /**
   * Whether the first block may lack its opening fence because the prompt contained it. This is guessed from what looks like
   * code. Use false if the first block is taken without further checks, because an indented line of prose looks like code too.
   * @default true
   */
  readonly begun?: boolean;
}

/**
 * Reads the blocks between lines of three or more backticks or tildes. The last may lack its closing fence, the first its
 * opening fence.
 */
export function readFences(text: string, { begun = true }: FenceOptions = {}): Fenced {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  const outside: string[] = [];
  let before: string | null = null;
  let open: { fence: string; tag: string; indent: number; lines: string[] } | null = null;
  for (const [i, line] of lines.entries()) {
    const fence = /^([ \t]*)(`{3,}|~{3,})(.*)/s.exec(line);
    const rest = fence?.[3]?.trimStart() ?? "";
    const tag = /^[\w+#.-]*/.exec(rest)?.[0] ?? "";
    if (open === null) {
      if (fence === null || rest.slice(tag.length).includes("`")) {
        outside.push(line);
        continue;
      }
      const [, indent = "", ticks = ""] = fence;
      // A closing fence without an opening one: the prompt contained it, and the answer began inside the block.
      const closes = begun && blocks.length === 0 && tag === "" && isCode(lines.slice(0, i));
      if (closes) {
        blocks.push({ tag: "", code: lines.slice(0, i).join("\n") });
        outside.length = 0;
      } else open = { fence: ticks, tag, indent: indent.length, lines: [] };
      before ??= outside.join("\n");
    } else if (fence !== null && (fence[2] as string).startsWith(open.fence) && rest === "") {
      blocks.push({ tag: open.tag, code: open.lines.join("\n") });
      open = null;
    } else {
      open.lines.push(/^[ \t]*$/.test(line.slice(0, open.indent)) ? line.slice(open.indent) : line);
    }
  }
  if (open !== null) blocks.push({ tag: open.tag, code: open.lines.join("\n") });
  return { blocks, before: before ?? text, outside: outside.join("\n") };
}

/** Whether lines look like the inside of a block: they contain a definition, or begin indented. */
const isCode = (lines: readonly string[]): boolean =>
  lines.some((line) => /^(?:async\s+def|def|class)\s+\w.*:/.test(line)) || /^[ \t]+\S/.test(lines[0] ?? "");

/** The first language other than Python that a block is tagged as; null if there is none. */
export const foreignTag = (blocks: readonly Block[]): Language | null =>
  blocks.map(({ tag }) => foreignNamed(tag)).find((language) => language !== null) ?? null;
