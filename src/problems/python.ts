/**
 * What the readers must see in Python source, by pattern: docstrings, top-level functions, calls. Good enough for the
 * shapes that data sets have; nothing here judges a candidate.
 */

/** Names of the functions defined at the top level, in order. */
export const definedFunctions = (code: string): string[] =>
  [...code.matchAll(/^(?:async[ \t]+)?def[ \t]+(\w+)/gm)].map((match) => match[1] as string);

/** True when every statement of the source is an import. */
export const onlyImports = (code: string): boolean =>
  code.split("\n").every((line) => /^\s*(?:#.*)?$|^(?:import|from)\s/.test(line));

/** Newlines as Python counts them. */
export const unixNewlines = (code: string): string => code.replace(/\r\n?/g, "\n");

/**
 * The function that tests are about: the one they call most often among those that the reference defines (MBPP names it
 * nowhere, and its reference may begin with helpers). Null when they call none of them.
 */
export function calledFunction(tests: readonly string[], reference: string): string | null {
  const calls = new Map(definedFunctions(reference).map((name) => [name, 0]));
  for (const test of tests) {
    for (const [, name] of test.matchAll(/(?<![\w.])(\w+)\s*\(/g)) {
      const seen = calls.get(name as string);
      if (seen !== undefined) calls.set(name as string, seen + 1);
    }
  }
  let best: string | null = null;
  for (const [name, count] of calls) if (count > 0 && count > (calls.get(best ?? "") ?? 0)) best = name;
  return best;
}

/** The docstring of a function, else of the module, dedented as `inspect.cleandoc` does; null when there is none. */
export function docstring(code: string, functionName: string | null): string | null {
  const from =
    functionName === null ? -1 : code.search(new RegExp(`^[ \\t]*(?:async )?def\\s+${functionName}\\b`, "m"));
  const inFunction = from < 0 ? null : /:[ \t]*(?:#[^\n]*)?\n\s*[rRuU]?("""|'''|"|')/.exec(code.slice(from));
  if (inFunction !== null)
    return stringAt(code, from + inFunction.index + inFunction[0].length, inFunction[1] as string);
  const ofModule = /^\s*[rRuU]?("""|''')/.exec(code);
  return ofModule === null ? null : stringAt(code, ofModule[0].length, ofModule[1] as string);
}

function stringAt(code: string, start: number, quote: string): string {
  let end = start;
  while (end < code.length && !code.startsWith(quote, end)) end += code[end] === "\\" ? 2 : 1;
  return cleandoc(code.slice(start, end));
}

/** The common indentation of all lines but the first, and blank lines at both ends, removed. */
function cleandoc(text: string): string {
  const lines = text.replaceAll("\t", "        ").split("\n");
  const rest = lines.slice(1).filter((line) => line.trim() !== "");
  const margin = Math.min(...rest.map((line) => line.length - line.trimStart().length));
  const dedented = lines.map((line, i) => (i === 0 ? line.trimStart() : line.slice(margin)).trimEnd());
  return dedented.join("\n").replace(/^\n+|\n+$/g, "");
}
