/**
 * Drops what does not change what a Python program does: comments, docstrings, blank lines, trailing white space.
 * A light scanner rather than a parser: candidates are often broken, and a broken program must still be scored. Text
 * that the scanner cannot follow (an unclosed string) is kept as it is.
 */

/** Strings with prefixes (longest quote first), comments, joined lines, brackets, line breaks, words, anything else. */
const PIECES =
  /(?<string>(?:\b[rbuf]{1,2})?(?:"""(?:\\[\s\S]|[^\\])*?"""|\x27\x27\x27(?:\\[\s\S]|[^\\])*?\x27\x27\x27|"(?:\\[\s\S]|[^"\\\n])*"|\x27(?:\\[\s\S]|[^\x27\\\n])*\x27))|(?<comment>#[^\n]*)|(?<joined>\\\r?\n)|(?<open>[([{])|(?<close>[)\]}])|(?<newline>\r?\n)|\w+|[\s\S]/gi;

export function stripPython(source: string): string {
  const lines: string[] = [];
  let emptied: number | null = null; // indent of a `def f():` line whose docstring was dropped
  let line = "";
  let depth = 0;
  let hasString = false;
  let hasCode = false;
  const endLine = (): void => {
    const kept = hasCode || (hasString && depth > 0);
    if (kept) {
      // A docstring may have been the whole body: the function keeps one.
      if (emptied !== null && indent(line) <= emptied) lines.push(`${" ".repeat(emptied + 1)}pass`);
      emptied = null;
      lines.push(line.trimEnd());
    } else if (hasString && lines.at(-1)?.endsWith(":") && indent(line) > indent(lines.at(-1)!)) {
      emptied = indent(lines.at(-1)!);
    }
    line = "";
    hasString = false;
    hasCode = false;
  };
  for (const match of source.matchAll(PIECES)) {
    const { string, comment, joined, open, close, newline } = match.groups!;
    if (newline !== undefined) {
      endLine();
      continue;
    }
    if (comment !== undefined) continue;
    if (open !== undefined) depth += 1;
    if (close !== undefined) depth = Math.max(0, depth - 1);
    if (string !== undefined) hasString = true;
    else if (joined !== undefined || match[0].trim() !== "") hasCode = true;
    line += match[0];
  }
  endLine();
  if (emptied !== null) lines.push(`${" ".repeat(emptied + 1)}pass`);
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

const indent = (line: string): number => line.length - line.trimStart().length;
