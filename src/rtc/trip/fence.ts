/** Code blocks of answers, in any language. */

/** What stands in each fenced block, in order; the last may lack its end. Line ends are `\n`. */
export function codeBlocks(text: string): string[] {
  const blocks = text
    .replace(/\r\n?/g, "\n")
    .matchAll(/^[ \t]*(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)(?:^[ \t]*\1|$(?![\s\S]))/gm);
  return [...blocks].map((block) => block[2]!);
}

/** The first block of an answer, or the answer where it has none. */
export const answeredCode = (answer: string): string => codeBlocks(answer)[0] ?? answer;
