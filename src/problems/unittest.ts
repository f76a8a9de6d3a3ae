/**
 * Splits a unittest file that imports the solution's module into one assert per test method: the method's class with its helpers,
 * and `assert Case("test_x").debug() is None`, which lets the method's exceptions through. The candidate's names are already in the
 * test's namespace, so imports of its module are removed. Works on the layout (top-level statements, members of classes) and does
 * not parse. Leaves out methods that unittest would skip.
 * Limitation: what a test patches inside the solution's module does not reach the candidate.
 */

import { blocks, indentOf, unixNewlines } from "../languages/python/syntax/source.ts";
import type { TestCase } from "../types.ts";

/** @param module the name under which the file imports the solution */
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
 * Tests from a unittest file that expects the program's names to be defined already (BigCodeBench): the whole file and
 * one of its test methods, run beside the program. Method and class fixtures run too. A method that skips itself passes.
 */
export function wholeTests(file: string): TestCase[] {
  const code = unixNewlines(file).trimEnd();
  return methodsOf(code).map(([name, method]): TestCase => {
    // In a process the part before `import unittest as _unittest` runs once for all tests that have it (candidate.py).
    const lines = [
      code,
      "",
      "import unittest as _unittest",
      "try:",
      `    _unittest.TestSuite([${name}("${method}")]).debug()`,
      "except _unittest.SkipTest:",
      "    pass",
      "",
    ];
    return { id: `${name}.${method}`, origin: "given", kind: "assert", whole: true, code: lines.join("\n") };
  });
}

/** Comments and strings. A string can have anything at the start of its lines. */
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

/** Removes an import of the solution's module, but keeps other names that it gives to the candidate's definitions. */
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
