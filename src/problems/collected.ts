/**
 * Training rows collected from many sources into one shape: `task_id, source, nl, entry_point, signature, references,
 * tests, tests_kind`, and where known `tests_et, prelude, test_setup, llm_passing`. Kinds: `assert` (source text),
 * `stdio` and `io` (a call, one argument a line) are used; `unittest` files and prose become problems without tests.
 * Which inputs are prose is seen from the inputs themselves.
 */
import { CodescoreError } from "../errors.ts";
import type { Problem, PyValue, TestCase } from "../types.ts";
import { optionalString, stringField } from "../util/jsonl.ts";
import { parseLiteral, printLiteral } from "../util/python.ts";
import { callTest, lines, unwrapped } from "./apps.ts";
import { distinct, extendedAsserts, stringList, taskId, textTests } from "./fields.ts";
import { definedFunctions, onlyImports, unixNewlines } from "./python.ts";
import { parseExact, type Row } from "./rows.ts";

export function collectedProblem(row: Row): Problem {
  const references = distinct(stringList(row, "references"));
  const passing = optionalString(row, "llm_passing");
  // Some sources judged calls by feeding a whole program the arguments and reading what it prints. A program that passed
  // there shows it, and so do the other programs of that source: such tests are of kind stdio, whatever the row says.
  const printed = row.value.tests_kind === "io" && passing !== null && readsStdin(passing);
  const entryPoint = printed ? null : optionalString(row, "entry_point");
  const { prelude, instance, before, setup } = setupOf(row, entryPoint);
  const tests = testsOf(row, entryPoint, printed).map((test) =>
    test.kind === "assert" ? { ...test, code: before + instance(test.code) } : test,
  );
  return {
    id: taskId(row, "MBPP"),
    description: stringField(row, "nl").trim(),
    prompt: "",
    entryPoint,
    references:
      references.length === 0 && passing !== null && answers(passing, entryPoint)
        ? [unixNewlines(passing)]
        : references,
    tests,
    setup: unixNewlines([prelude, setup].filter((part) => part.trim() !== "").join("\n")),
    contract: optionalString(row, "contract") ?? "",
    source: optionalString(row, "source") ?? "collected",
  };
}

const readsStdin = (code: string): boolean => /\binput\s*\(|\bsys\.stdin\b/.test(code);

/** A program that passed elsewhere may have been called by another name there. */
const answers = (code: string, entryPoint: string | null): boolean =>
  entryPoint === null || definedFunctions(code).includes(entryPoint);

/**
 * Where the lines of `test_setup` go. A prelude stands before the candidate. Lines that need what the candidate defines
 * go with each test instead of joining it: the prelude's star imports would otherwise run again after the candidate and
 * hide the candidate's own functions. `s = Solution()` is written into the calls, `Solution().run(...)`.
 */
function setupOf(row: Row, entryPoint: string | null) {
  const prelude = optionalString(row, "prelude") ?? "";
  const setup = optionalString(row, "test_setup") ?? "";
  const plain = { prelude, setup, before: "", instance: (code: string) => code };
  if (prelude === "" || onlyImports(setup)) return plain;
  const [, name, value] = /^(\w+)\s*=\s*(\w+\(\))\s*$/.exec(setup) ?? [];
  if (name === undefined || !entryPoint?.startsWith(`${value}.`)) {
    return { ...plain, setup: "", before: `${setup.trimEnd()}\n` };
  }
  const call = new RegExp(`(?<![\\w.])${name}\\.`, "g");
  return { ...plain, setup: "", instance: (code: string) => code.replace(call, `${value}.`) };
}

function testsOf(row: Row, entryPoint: string | null, printed: boolean): TestCase[] {
  const extended = textTests(extendedAsserts(row));
  if (extended.length > 0) return extended;
  const kind = stringField(row, "tests_kind");
  if (kind === "none" || kind === "unittest") return [];
  if (kind === "assert") return textTests(stringList(row, "tests"));
  if (kind !== "io" && kind !== "stdio") {
    throw new CodescoreError(
      "input",
      `${row.where}: expected \`tests_kind\` to be assert, io, stdio, unittest or none, got \`${kind}\``,
    );
  }
  const pairs = inputOutputPairs(row);
  if (kind === "io" && !printed) return entryPoint === null ? [] : callTests(pairs, parameterCount(row), row.where);
  const outputs = printed ? unwrapped(pairs.map(({ output }) => output)) : pairs.map(({ output }) => output);
  return pairs.map(({ input }, i) => {
    const output = outputs[i] as PyValue;
    const expected = printed && output.t !== "str" ? printLiteral(output) : lines(output, row.where);
    return { id: `test-${i}`, origin: "given", kind: "stdio", stdin: input, expected };
  });
}

interface Pair {
  readonly input: string;
  readonly output: PyValue;
}

function inputOutputPairs(row: Row): Pair[] {
  const tests = row.exact("tests");
  const fail = (): never => {
    throw new CodescoreError("input", `${row.where}: expected \`tests\` to be a list of {input, output}`);
  };
  if (tests?.t !== "list") return fail();
  return tests.v.map((test) => {
    const field = (name: string) =>
      test.t === "dict" ? test.v.find(([key]) => key.t === "str" && key.v === name)?.[1] : undefined;
    const [input, output] = [field("input"), field("output")];
    return input?.t === "str" && output !== undefined ? { input: input.v, output } : fail();
  });
}

/** Parameters of the row's `signature` without `self`; null when it cannot be read off. */
function parameterCount(row: Row): number | null {
  const match = /def\s+\w+\s*\(([^()]*)\)/.exec(optionalString(row, "signature") ?? "");
  if (match === null || /[[\]*=]/.test(match[1] as string)) return null;
  return (match[1] as string).split(",").filter((name) => !/^\s*(?:self\b.*)?$/.test(name)).length;
}

/**
 * Calls from inputs that hold one argument a line. The source has lost the quotes of strings, so a position at which any
 * test has text that is no literal holds strings in every test. Inputs whose lines do not match the parameters, and
 * answers given as prose (a text instead of a value), are left out.
 */
function callTests(pairs: readonly Pair[], parameters: number | null, where: string): TestCase[] {
  const usable = pairs
    .filter(({ output }) => output.t === "list")
    .map(({ input, output }) => ({ lines: parameters === 1 ? [input] : input.split("\n"), output }))
    .filter((pair) => parameters === null || pair.lines.length === parameters);
  const texts = new Set<number>();
  for (const { lines } of usable)
    for (const [i, line] of lines.entries()) if (literal(line, where) === null) texts.add(i);
  const outputs = unwrapped(usable.map(({ output }) => output));
  return usable.map(({ lines }, t) => {
    const values = lines.map(
      (line, i) => (texts.has(i) ? null : literal(line, where)) ?? ({ t: "str", v: line } as const),
    );
    return callTest(t, values.map(printLiteral).join(", "), outputs[t] as PyValue);
  });
}

function literal(text: string, where: string): PyValue | null {
  for (const parse of [() => parseExact(text, where), () => parseLiteral(text)]) {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof CodescoreError)) throw error;
    }
  }
  return null;
}
