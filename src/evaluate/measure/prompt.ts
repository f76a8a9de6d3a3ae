/**
 * Removes what a candidate and its reference share because both continue the same prompt. Otherwise a text metric would measure
 * mostly the length of the prompt.
 */

/**
 * Removes the head that both programs begin with: the longest run of equal first lines that ends in an import, a signature or a
 * docstring. Equal lines of the bodies after it stay, because the candidate earned them. If there is no such head, or the
 * reference ends with it, both texts are returned whole. Only these two texts count, so a row's value never depends on which
 * other rows are evaluated. For Python only; in other languages nothing is removed.
 * For HumanEval's prompts this leaves exactly the bodies. There chrF's r_s with PassRatio is .460 on the bodies and .350 on whole
 * programs, BLEU's .399 and .391.
 */
export function stripSharedPrompt(candidate: string, reference: string): [candidate: string, reference: string] {
  const a = candidate.split("\n");
  const b = reference.split("\n");
  let equal = 0;
  while (equal < Math.min(a.length, b.length) && a[equal] === b[equal]) equal += 1;
  const head = headEnd(a.slice(0, equal));
  const rest = b.slice(head).join("\n");
  return rest.trim() === "" ? [candidate, reference] : [a.slice(head).join("\n"), rest];
}

/** Number of leading lines up to the end of the last import, signature or docstring. */
function headEnd(lines: readonly string[]): number {
  let end = 0;
  let quote: string | null = null; // quotes of the docstring that the line is in
  let inClass = false;
  lines.forEach((line, i) => {
    const text = line.trim();
    if (quote !== null) {
      if (!text.endsWith(quote)) return;
      quote = null;
      end = i + 1;
      return;
    }
    if (/^\S/.test(line)) inClass = text.startsWith("class ");
    const opening = /^[rRuU]?("""|''')/.exec(text);
    if (opening) {
      const closed = text.length >= opening[0].length + 3 && text.endsWith(opening[1]!);
      if (closed) end = i + 1;
      else quote = opening[1]!;
    } else if (/^(import|from) /.test(line) || isSignature(line, inClass)) {
      end = i + 1;
    }
  });
  return end;
}

/** Whether the line is a one-line signature. An indented one counts only inside a class, because otherwise it is a helper in a body. */
const isSignature = (line: string, inClass: boolean): boolean =>
  /^(async def|def|class) .*:/.test(inClass ? line.trimStart() : line);
