/**
 * Removes what does not affect a Python program's behaviour: comments, docstrings, blank lines, trailing white space. A light
 * scanner instead of a parser, because candidates are often broken and must still be scored. Text that the scanner cannot follow
 * (an unclosed string) is kept unchanged.
 */

/** Strings with prefixes (longest quote first), comments, joined lines, brackets, line breaks, words, any other character. */
const PIECES =
  /(?<string>(?:\b[rbuf]{1,2})?(?:"""(?:\\[\s\S]|[^\\])*?"""|\x27\x27\x27(?:\\[\s\S]|[^\\])*?\x27\x27\x27|"(?:\\[\s\S]|[^"\\\n])*"|\x27(?:\\[\s\S]|[^\x27\\\n])*\x27))|(?<comment>#[^\n]*)|(?<joined>\\\r?\n)|(?<open>[([{])|(?<close>[)\]}])|(?<newline>\r?\n)|\w+|[\s\S]/gi;

export function stripPython(source: string): string {
  const lines: string[] = [];
  let emptied: number | null = null; // indent of a `def f():` line whose docstring was removed
  let line = "";
  let depth = 0;
  let hasString = false;
  let hasCode = false;
  const endLine = (): void => {
    const kept = hasCode || (hasString && depth > 0);
    if (kept) {
      // If the docstring was the whole body, the function gets `pass` as its body.
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
