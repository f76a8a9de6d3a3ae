/**
 * A unittest file that imports the solution's module, as one assert a test method: the method's class with its helpers,
 * and `assert Case("test_x").debug() is None`, which lets the method's own exceptions through. The candidate's names are
 * in the test's namespace already, so that the imports of its module fall away. Seen by layout (top-level statements,
 * members of classes), not parsed; methods that unittest would skip are left out.
 * Not here: what a test patches inside of the solution's module does not reach the candidate.
 */

import { blocks, indentOf, unixNewlines } from "../languages/python/syntax/source.ts";
import type { TestCase } from "../types.ts";

/** `module` is what the file calls the solution's module. */
export function unittestTests(file: string, module: string): TestCase[] {
  const top = blocks(unixNewlines(file), 0);
  const isCase = (block: string): boolean => /^class\s+\w+\s*\([^)]*\bTestCase\b/m.test(block);
  const before = top
    .filter((block) => !isCase(block) && !/^if\s+__name__\b/.test(block))
    .map((block) => withoutImport(block, module))
    .filter((block) => block.trim() !== "");
  return top.filter(isCase).flatMap((block) => {
    const name = /^class\s+(\w+)/m.exec(block)?.[1] as string;
    const from = block.search(/^class\b/m);
    const headEnd = block.indexOf("\n", from) + 1;
    const body = block.slice(headEnd);
    const members = blocks(body, indentOf(body));
    const isTest = (member: string): boolean => testName(member) !== null;
    const helpers = members.filter((member) => !isTest(member));
    const head = [...before, block.slice(0, headEnd).trimEnd(), ...helpers.map((member) => member.trimEnd())];
    return members
      .filter((member) => isTest(member) && !/^[ \t]*@(?:unittest\.)?skip/m.test(member))
      .map((member): TestCase => {
        const code = [...head, member.trimEnd(), `assert ${name}("${testName(member)}").debug() is None`, ""];
        return { id: `${name}.${testName(member)}`, origin: "given", kind: "assert", code: code.join("\n") };
      });
  });
}

/**
 * A unittest file in which the program's names are already there, as BigCodeBench has it: the whole file for each of its test
 * methods, run beside the program. A method has its fixtures, those of its class included; one that skips itself passes.
 */
export function wholeTests(file: string): TestCase[] {
  const code = unixNewlines(file).trimEnd();
  return methodsOf(code).map(([name, method]): TestCase => {
    const run = `_unittest.TestSuite([${name}("${method}")]).debug()`;
    const lines = [
      code,
      "",
      "import unittest as _unittest",
      "try:",
      `    ${run}`,
      "except _unittest.SkipTest:",
      "    pass",
      "",
    ];
    return { id: `${name}.${method}`, origin: "given", kind: "assert", whole: true, code: lines.join("\n") };
  });
}

/** Comments, and strings, which may have anything at the left. */
const TEXTS = /#.*|("""|''')(?:\\[\s\S]|(?!\1)[\s\S])*\1|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/g;

/** Class and name of each test method, in the order in which `unittest` runs them. */
function methodsOf(code: string): [name: string, method: string][] {
  const found = new Map<string, [string, string]>();
  let [name, indent] = ["", ""];
  for (const line of code.replace(TEXTS, (text) => (text.startsWith("#") ? "" : '""')).split("\n")) {
    const head = /^class\s+(\w+)\s*\(.*\b\w*TestCase\b/.exec(line);
    if (/^[^\s)\]}]/.test(line)) [name, indent] = [head?.[1] ?? "", ""];
    const [, space = "", method = ""] = /^([ \t]+)(?:async\s+)?def\s+(\w+)/.exec(line) ?? [];
    if (name === "" || method === "") continue;
    if (indent === "") indent = space;
    if (space === indent && method.startsWith("test")) found.set(`${name}.${method}`, [name, method]);
  }
  const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);
  return [...found].sort(byName).map(([, method]) => method);
}

const testName = (member: string): string | null => /^[ \t]*def\s+(test\w*)/m.exec(member)?.[1] ?? null;

/** An import of the solution's module as what remains of it: other names for what the candidate defines. */
function withoutImport(block: string, module: string): string {
  const plain = new RegExp(`^import\\s+${module}(?:\\s+as\\s+(\\w+))?\\s*(?:#.*)?$`).exec(block.trim());
  if (plain !== null) return `import types\n${plain[1] ?? module} = types.SimpleNamespace(**globals())`;
  const from = new RegExp(`^from\\s+\\.?${module}\\s+import\\s+([\\s\\S]+)$`).exec(block.trim());
  if (from === null) return block;
  const names = (from[1] as string).replace(/#[^\n]*|[()\\]/g, " ").split(",");
  return names
    .flatMap((name) => {
      const [, own, other] = /^\s*(\w+)\s+as\s+(\w+)\s*$/.exec(name) ?? [];
      return own === undefined ? [] : [`${other} = ${own}`];
    })
    .join("\n");
}
